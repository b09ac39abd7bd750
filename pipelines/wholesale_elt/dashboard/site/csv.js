/** CSV: tables as files for a spreadsheet. */
(() => {
  "use strict";

  // As in `figures/csv_file.py`, which says why.
  const ESCAPED = /[\p{Cc}\u2028-\u202e\u2066-\u2069]|\\(?=[\\nrtux\p{Cc}\u2028-\u202e\u2066-\u2069])/gu;
  const FORMULA = /(^|[,;|])(?=["' \u00a0\u2000-\u200b\u202f\u3000\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
  const SHORT = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  const BYTE_ORDER_MARK = "\ufeff";

  function escaped(character) {
    const code = character.charCodeAt(0).toString(16);
    return SHORT[character] ?? (code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`);
  }

  /** A number has no exponent. */
  function textOf(value) {
    if (typeof value === "boolean") return String(value).toUpperCase();
    const text = String(value);
    return typeof value === "number" && text.includes("e-") ? value.toFixed(20).replace(/\.?0+$/, "") : text;
  }

  function field(value) {
    if (value === null || value === undefined) return "";
    const text = textOf(value);
    if (/^-?\d+(\.\d+)?$/.test(text)) return text;
    const safe = text.replace(ESCAPED, escaped).replace(FORMULA, "$1'");
    return safe === "" || /[",;|]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  /** CSV of RFC 4180: a row of names, then the rows; a spreadsheet takes it for UTF-8 by its mark. */
  function encode(names, rows) {
    return BYTE_ORDER_MARK + [names, ...rows].map((row) => row.map(field).join(",") || '""').join("\r\n") + "\r\n";
  }

  wholesale.csv = { encode };
})();

/** CSV: tables as files for a spreadsheet. */
(() => {
  "use strict";

  const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
  const BYTE_ORDER_MARK = "\ufeff";

  /**
   * Texts that a spreadsheet would run as a formula, full-width signs among them (OWASP, CSV
   * injection), are marked as text; a semicolon separates columns where commas are in numbers.
   */
  function field(value) {
    if (value === null || value === undefined) return "";
    const text = String(value);
    const isNumber = /^-?\d+(\.\d+)?$/.test(text);
    const safe = !isNumber && FORMULA.test(text) ? `'${text}` : text;
    return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  /** CSV of RFC 4180: a row of names, then the rows; a spreadsheet takes it for UTF-8 by its mark. */
  function encode(names, rows) {
    return BYTE_ORDER_MARK + [names, ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
  }

  function download(fileName, text) {
    const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
    const link = Object.assign(document.createElement("a"), { href: address, download: fileName });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  wholesale.csv = { encode, download };
})();

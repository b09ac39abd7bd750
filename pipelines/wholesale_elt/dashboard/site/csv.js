/** CSV: tables as files for a spreadsheet. */
(() => {
  "use strict";

  /** Texts that a spreadsheet would run as a formula are marked as text. */
  function field(value) {
    if (value === null || value === undefined) return "";
    const text = String(value);
    const isNumber = /^-?\d+(\.\d+)?$/.test(text);
    const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  }

  /** CSV of RFC 4180: a row of names, then the rows. */
  function encode(names, rows) {
    return [names, ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
  }

  function download(fileName, text) {
    const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
    const link = wholesale.element("a", { href: address, download: fileName });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  wholesale.csv = { encode, download };
})();

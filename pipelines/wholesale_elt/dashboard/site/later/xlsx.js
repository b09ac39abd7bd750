/**
 * XLSX: tables as an Excel file. A zip of XML, written here: numbers digit by digit, and no text is a formula.
 *
 * By the rules of the workbook that is published (`wholesale_spreadsheets`): a number of up to 15 significant digits
 * is a number, which Excel holds as it is shown; a longer one is text, which no sum counts.
 */
(() => {
  "use strict";

  const DIGITS = 15;
  const MOST_TEXT = 32_767;
  const LONGEST_TITLE = 31;
  const [NARROWEST, WIDEST] = [9, 48];
  const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
  const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  /** Excel's own formats of the kinds of columns, in the order of the styles; a total has the same, in bold. */
  const FORMATS = {
    text: "@",
    count: "#,##0",
    amount: "#,##0.00#######",
    number: "General",
    share: "0.0%",
    date: "yyyy-mm-dd",
  };
  const KINDS = Object.keys(FORMATS);
  const HEADING = 2 * KINDS.length;
  const FIRST_FORMAT = 164;
  const A_DAY = 86_400_000;
  /** Day 0 of Excel, which believes in a 29th of February 1900. */
  const EPOCH = Date.UTC(1899, 11, 30);

  // What XML cannot hold is written as Excel does, and so is what looks as if it were written so.
  const escaped = (text) =>
    text
      .slice(0, MOST_TEXT)
      .toWellFormed()
      .replaceAll(/_(?=x[\dA-Fa-f]{4}_)/g, "_x005F_")
      .replaceAll(/[^\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, (character) => {
        const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
        return `_x${code}_`;
      })
      .replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

  function letters(place) {
    const last = String.fromCharCode(65 + (place % 26));
    return place < 26 ? last : letters(Math.floor(place / 26) - 1) + last;
  }

  const digitsIn = (text) => text.replaceAll(/[-.]/g, "").replaceAll(/^0+|0+$/g, "").length;
  const isExact = (text) => /^-?\d+(\.\d+)?$/.test(text) && digitsIn(text) <= DIGITS;
  const isDay = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && text >= "1900-03-01";

  const styleOf = (kind, isTotal) => KINDS.indexOf(kind) + (isTotal ? KINDS.length : 0);
  const written = (at, text, style) =>
    `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

  function cell(value, kind, at, isTotal) {
    if (value === null || value === undefined) return isTotal ? `<c r="${at}" s="${styleOf(kind, true)}"/>` : "";
    if (typeof value === "boolean") return `<c r="${at}" t="b"><v>${Number(value)}</v></c>`;
    const text = String(value);
    if (kind === "date" && isDay(text))
      return `<c r="${at}" s="${styleOf(kind, isTotal)}"><v>${(Date.parse(text) - EPOCH) / A_DAY}</v></c>`;
    if (kind !== "text" && kind !== "date" && isExact(text))
      return `<c r="${at}" s="${styleOf(kind, isTotal)}"><v>${text}</v></c>`;
    return written(at, text, styleOf("text", isTotal));
  }

  /** About how wide a column is, in characters. */
  function widthOf({ heading }, place, rows) {
    const longest = rows.reduce((most, row) => Math.max(most, String(row[place] ?? "").length), heading.length + 3);
    return Math.min(WIDEST, Math.max(NARROWEST, longest + 2));
  }

  function sheetXml({ columns, rows, hasTotal }) {
    const last = letters(Math.max(0, columns.length - 1));
    const widths = columns.map(
      (column, place) =>
        `<col min="${place + 1}" max="${place + 1}" width="${widthOf(column, place, rows)}" customWidth="1"/>`,
    );
    const headings = columns.map(({ heading }, place) => written(`${letters(place)}1`, heading, HEADING));
    const body = rows.map((row, number) => {
      const isTotal = Boolean(hasTotal) && number === rows.length - 1;
      const cells = columns.map(({ kind }, place) => cell(row[place], kind, `${letters(place)}${number + 2}`, isTotal));
      return `<row r="${number + 2}">${cells.join("")}</row>`;
    });
    const filtered = 1 + rows.length - (hasTotal ? 1 : 0);
    return (
      `<worksheet ${MAIN}><sheetViews><sheetView workbookViewId="0">` +
      `<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
      `<cols>${widths.join("")}</cols><sheetData><row r="1">${headings.join("")}</row>${body.join("")}</sheetData>` +
      `<autoFilter ref="A1:${last}${filtered}"/></worksheet>`
    );
  }

  function stylesXml() {
    const formats = KINDS.map((kind, place) => {
      return `<numFmt numFmtId="${FIRST_FORMAT + place}" formatCode="${escaped(FORMATS[kind])}"/>`;
    });
    const own = (font, border) =>
      KINDS.map(
        (_, place) =>
          `<xf numFmtId="${FIRST_FORMAT + place}" fontId="${font}" fillId="0" borderId="${border}" xfId="0" ` +
          `applyNumberFormat="1" applyFont="1" applyBorder="1"/>`,
      );
    const styles = [
      ...own(0, 0),
      ...own(1, 1),
      '<xf numFmtId="0" fontId="1" fillId="0" borderId="2" xfId="0" applyFont="1" applyBorder="1"/>',
    ];
    const font = '<sz val="11"/><name val="Calibri"/>';
    const thin = (side) => `<${side} style="thin"><color auto="1"/></${side}>`;
    return (
      `<styleSheet ${MAIN}><numFmts count="${formats.length}">${formats.join("")}</numFmts>` +
      `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>` +
      '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
      '<fill><patternFill patternType="gray125"/></fill>' +
      `</fills><borders count="3"><border/><border><left/><right/>${thin("top")}</border>` +
      `<border><left/><right/><top/>${thin("bottom")}</border></borders>` +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      `<cellXfs count="${styles.length}">${styles.join("")}</cellXfs></styleSheet>`
    );
  }

  /** A title that Excel takes, and no other sheet has. */
  function titleOf(name, place) {
    const plain = name.replaceAll(/[[\]:*?/\\\p{Cc}]+/gu, " ").replaceAll(/^[' ]+|[' ]+$/g, "");
    return place ? `${plain || "Sheet"}`.slice(0, LONGEST_TITLE - 2) : plain.slice(0, LONGEST_TITLE) || "Sheet";
  }

  /** The files of a workbook by their paths. */
  function filesOf(sheets) {
    const each = (write) => sheets.map((sheet, place) => write(place + 1, sheet)).join("");
    const content = each(
      (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPE}.worksheet+xml"/>`,
    );
    const named = each((n, { name }) => `<sheet name="${escaped(titleOf(name, n - 1))}" sheetId="${n}" r:id="r${n}"/>`);
    const related = each(
      (n) => `<Relationship Id="r${n}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
    );
    const files = {
      "[Content_Types].xml":
        `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
        `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>${content}</Types>`,
      "_rels/.rels":
        `<Relationships xmlns="${PACKAGE}/relationships">` +
        `<Relationship Id="r1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      "xl/workbook.xml": `<workbook ${MAIN} xmlns:r="${RELATIONS}"><sheets>${named}</sheets></workbook>`,
      "xl/_rels/workbook.xml.rels":
        `<Relationships xmlns="${PACKAGE}/relationships">${related}` +
        `<Relationship Id="styles" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
      "xl/styles.xml": stylesXml(),
      ...Object.fromEntries(sheets.map((sheet, place) => [`xl/worksheets/sheet${place + 1}.xml`, sheetXml(sheet)])),
    };
    return Object.entries(files).map(([path, xml]) => [path, `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`]);
  }

  /**
   * The bytes of a workbook of `sheets`, each `{name, columns, rows, hasTotal}`: columns are `{heading, kind}`, a row
   * has a value for each: text, a decimal as text or number, a day as `2026-05-31`, or null.
   */
  async function encode(sheets) {
    const zip = await wholesale.load("later/zip", "later/zip.js");
    return zip(filesOf(sheets));
  }

  wholesale.receive("later/xlsx", encode);
})();

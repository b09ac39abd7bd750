/** Saving: tables as files, CSV or Excel: a column has one meaning, the name tells of what, which days and whom. */
(() => {
  "use strict";

  const { csv, days, decimals, facts, load, objects } = wholesale;
  const MOST_LETTERS = 150;
  const NO_CURRENCY = "XXX";
  const AMOUNTS = ["amount", "exact"];
  const KINDS = ["amount", "count", "share", "number", "date", "text"];
  const EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

  const isMissing = (value) => value === null || value === undefined || value === "";

  /** What a column counts: `amount`, `count`, `share`, `number`, `date`, or `text`; `measure` may name another. */
  function kindOf({ type, name, measure }) {
    if (measure) return KINDS.includes(measure) ? measure : "number";
    if (AMOUNTS.includes(type)) return "amount";
    if (["count", "share", "date"].includes(type)) return type;
    const metric = wholesale.meta.metrics[name.replace(/_before$/, "")];
    if (["bar", "number", "change"].includes(type)) return metric?.unit ?? (type === "bar" ? "amount" : "number");
    return "text";
  }

  /** A heading with the unit of what stands below it. */
  function headed(label, kind, measure) {
    const { currency } = wholesale.meta;
    if (kind === "amount" && currency !== NO_CURRENCY) return `${label} (${currency})`;
    return measure && !KINDS.includes(measure) ? `${label} (${measure})` : label;
  }

  /** The decimal text of a number, none of its digits made by binary fractions; what is no number stays. */
  function plain(value) {
    if (typeof value !== "number" || Number.isInteger(value)) return value;
    return value.toFixed(9).replace(/\.?0+$/, "");
  }

  const times100 = (share) => decimals.text(decimals.units(share) * 100n);

  function difference(row, { name, before }) {
    const [now, was] = [row[name], row[before]];
    return isMissing(now) || isMissing(was) ? null : decimals.text(decimals.units(now) - decimals.units(was));
  }

  const shareOf = (column, value) => ({
    heading: `${column.label} %`,
    kind: "share",
    value: (row) => (isMissing(value(row)) ? null : plain(value(row))),
  });

  /** The columns of a file that a column of a table becomes: a change is told in what is counted, and in per cent. */
  function savedOf(column, valueIn) {
    if (column.type === "course") return [];
    const kind = kindOf(column);
    const label = (column.label || column.name).replaceAll(/[\s_]+/g, " ").trim();
    if (column.type === "change") {
      const growth = (row) => decimals.growth(row[column.name] ?? null, row[column.before] ?? null);
      const moved = { heading: headed(label, kind), kind, value: (row) => difference(row, column) };
      return [...(kind === "share" ? [] : [moved]), shareOf({ label }, growth)];
    }
    const value = column.saved ?? ((row) => valueIn(column, row));
    if (kind === "share") return [shareOf({ label }, value)];
    const isText = kind === "text";
    const text = (row) => {
      const found = value(row);
      return isText && Array.isArray(found) ? found.join(", ") : plain(found);
    };
    return [{ heading: headed(label, kind, column.measure), kind, value: text }];
  }

  /** The table of a file: `{name, columns, rows, hasTotal}`; the row of totals says so in its first column. */
  function sheetOf({ caption, columns, rows, totals, valueIn }) {
    const saved = columns.flatMap((column) => savedOf(column, valueIn));
    const values = rows.map((row) => saved.map(({ value }) => value(row) ?? null));
    if (totals) values.push(saved.map(({ value }, place) => (place === 0 ? "Total" : (value(totals) ?? null))));
    return { name: caption, columns: saved, rows: values, hasTotal: Boolean(totals) };
  }

  /** Per cent: a hundred times the share in CSV, as the heading says; in Excel the share, which it shows so. */
  function csvOf({ columns, rows }) {
    const each = (value, place) => (columns[place].kind === "share" && !isMissing(value) ? times100(value) : value);
    return csv.encode(
      columns.map(({ heading }) => heading),
      rows.map((row) => row.map(each)),
    );
  }

  /** What the members of a filter are called. */
  async function namesOf(name, keys) {
    const { keys: known, names } = await facts.members(name).catch(() => ({ keys: [], names: [] }));
    return keys.map((key) => (key === null ? "not known" : objects.nameOf(key, names[known.indexOf(key)])));
  }

  /** The days of a view as a file's name has them: those of its period, whatever it is called. */
  function daysOf({ period }) {
    const { first, last } = days.period(period, wholesale.meta.figures_up_to) ?? {};
    if (first === undefined) return "all_time";
    return /^\d{4}(-\d\d|-Q\d)?$/.test(period) ? period : `${days.text(first)}..${days.text(last)}`;
  }

  /** Whether what the page shows is of the days and filters of its control row. */
  const followsControls = () => Boolean(document.querySelector("main .controls"));

  /** `[[name, text]]`: of which days and of whom the rows are; nothing of lists that have neither. */
  async function aboutOf({ view, isOfNow }) {
    if (isOfNow || !followsControls()) return [];
    const where = await Promise.all(
      Object.entries(view.where).map(async ([name, keys]) => [
        wholesale.controls.LABELS[name] ?? name,
        (await namesOf(name, keys)).join(", "),
      ]),
    );
    return [["Days", daysOf(view)], ...where];
  }

  const fileNamed = (parts) =>
    parts
      .map((part) =>
        part
          .normalize("NFC")
          .replaceAll(/[^\p{L}\p{N}.]+/gu, "-")
          .replaceAll(/^[-.]+|[-.]+$/g, ""),
      )
      .filter(Boolean)
      .join("_")
      .slice(0, MOST_LETTERS);

  /** The name of a saved file says what it is, of which days and of whom. */
  function fileName(file, about) {
    return fileNamed([file, ...about.map(([name, text]) => (name === "Days" ? text : `${name}-${text}`))]);
  }

  /** A first sheet would be in the way of programs: the last one says what the rows are, and how far to trust them. */
  function aboutSheet({ caption, view, about, count, total }) {
    const { company, as_of: asOf, verdict, version } = wholesale.meta;
    const compared =
      view.compare === "none" || about.length === 0 ? [] : [["Compared with", `the ${view.compare} before`]];
    const rows = [
      ["What", caption],
      ["Of", company],
      ...about,
      ...compared,
      ["Rows", total > count ? `${count} of ${total}` : String(count)],
      ["As of", asOf ?? ""],
      ["Complete", verdict],
      ["Version", version],
      ["View", wholesale.view.hashOf(view)],
      ["Exactness", "Numbers of up to 15 digits are exact. Longer ones are text, which no sum counts."],
    ];
    const columns = ["About", "These rows"].map((heading) => ({ heading, kind: "text" }));
    return { name: "About", columns, rows };
  }

  function download(name, content, type) {
    const address = URL.createObjectURL(new Blob([content], { type }));
    Object.assign(document.createElement("a"), { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  /**
   * Saves a table as a file of a `format`, `csv` or `xlsx`.
   *
   * `table` has `{file, caption, columns, rows, totals, total, isOfNow, valueIn}`: all rows, in the order shown.
   */
  async function save(format, table) {
    const view = wholesale.shown;
    const about = await aboutOf({ view, isOfNow: table.isOfNow });
    const name = `${fileName(table.file, about)}.${format}`;
    const sheet = sheetOf(table);
    if (format === "csv") {
      download(name, csvOf(sheet), "text/csv;charset=utf-8");
      return;
    }
    const encode = await load("later/xlsx", "later/xlsx.js");
    const { caption, rows, total = rows.length } = table;
    const sheets = [sheet, aboutSheet({ caption, view, about, count: rows.length, total })];
    download(name, await encode(sheets), EXCEL);
  }

  wholesale.saving = { save, sheetOf, csvOf, fileName };
})();

/** Prepared: what first views ask, counted when the site was made, so that no orders and no lines are read for it. */
(() => {
  "use strict";

  const { days, facts, load, reader } = wholesale;

  const nameOf = ({ first, last }) => `${days.text(first)}..${days.text(last)}`;

  /** What there is of these figures by that dimension, as a function that reads it; null if there is nothing. */
  async function contentOf({ fact, wanted, by, where, grain }) {
    const { files, of, grain: cut, place } = wholesale.meta.prepared;
    const [name, ...others] = Object.keys(where);
    const known = name === undefined ? files : others.length || where[name].length > 1 ? undefined : of[name];
    if (!known || by.length > 1 || ![null, cut].includes(grain)) return null;
    const found = Object.entries(known).find(([, file]) => file.fact === fact && file.by === (by[0] ?? null));
    const told = grain === cut ? "months" : "metrics";
    if (!found || !wanted.every((measure) => found[1][told].includes(measure.name))) return null;
    if (name === undefined) return () => load(`${place}/${found[0]}`);
    const file = await fileOf(name, where[name][0]);
    return file && (async () => (await load(file))[found[0]]);
  }

  /** The file of a member that has one. */
  async function fileOf(dimension, key) {
    const code = (await facts.members(dimension)).keys.indexOf(key);
    return code < 0 ? null : `${wholesale.meta.prepared.place}/of_${dimension}-${code}`;
  }

  /** How the orders of a vendor went in these days, if that is prepared: `{placed, cancelled, below, near, …}`. */
  async function scoreOf(vendor, { period, where }) {
    const { of, period: known } = wholesale.meta.prepared;
    if (!of.vendor || period !== known || Object.keys(where).length) return null;
    const file = await fileOf("vendor", vendor);
    return file && (await load(file)).score;
  }

  /** Whether days are those that files are of, or those before these. */
  function isOf(span) {
    const { period, compare } = wholesale.meta.prepared;
    const now = span.first !== undefined && days.period(period, wholesale.meta.figures_up_to);
    return Boolean(now) && [now, days.compared(now, compare)].some((each) => nameOf(each) === nameOf(span));
  }

  /** All values of a row. */
  const valuesIn = (columns) => (row) => Object.fromEntries(columns.map(([name, value]) => [name, value(row)]));

  function members({ rows }, number, wanted) {
    const [key, name, isThere] = ["key", "name", `is_there_${number}`].map((column) => reader(rows, column));
    const values = valuesIn(wanted.map((measure) => [measure.name, reader(rows, `${measure.name}_${number}`)]));
    return Array.from({ length: rows.length }, (_, row) => row)
      .filter((row) => isThere(row) === 1)
      .map((row) => ({ part: null, key: key(row), name: name(row), values: values(row) }));
  }

  function months({ rows, months: all }, number, wanted, later) {
    const table = all[number];
    const [place, day] = ["place", "day"].map((column) => reader(table, column));
    const [key, name] = rows ? ["key", "name"].map((column) => reader(rows, column)) : [() => null, () => null];
    const values = valuesIn(wanted.map((measure) => [measure.name, reader(table, measure.name)]));
    return Array.from({ length: table.length }, (_, row) => {
      const first = days.number(day(row));
      return {
        part: later ? later(first) : first,
        key: key(place(row)),
        name: name(place(row)),
        values: values(row),
      };
    });
  }

  /** The same as `jobs.counted` tells of a question; null if it is not prepared. */
  async function counted({ fact, wanted, by, where, grain, span, later = null }) {
    const content = await contentOf({ fact, wanted, by, where, grain });
    if (!content || !isOf(span)) return null;
    const read = await content();
    const number = read.spans.findIndex((each) => each.days === nameOf(span));
    if (number < 0 || (grain && !read.months[number])) return null;
    const rows = grain ? months(read, number, wanted, later) : by.length ? members(read, number, wanted) : [];
    return {
      total: read.spans[number].total,
      listed: read.spans[number].listed,
      rows: rows.map(({ key, name, ...row }) => ({
        ...row,
        keys: by.length ? { [by[0]]: key } : {},
        names: by.length ? { [by[0]]: name } : {},
      })),
    };
  }

  wholesale.prepared = { counted, scoreOf };
})();

/** Jobs: a question about figures as plain data that can be counted, and what was counted as values. */
(() => {
  "use strict";

  const { days, decimals, engine, facts, reader } = wholesale;
  const NONE = -1;
  const UNDATED = "undated";
  /** Numbers of groups and words of 32 members that are kept as lists; beyond, only those that occur are kept. */
  const limits = { groups: 2 ** 22, words: 2 ** 25 };

  /** A dimension with its keys and names by code, and how the code of a row is read. */
  async function dimension(fact, name) {
    const { fileOf } = await facts.index();
    if (fileOf[facts.ORDERS].has(name)) {
      return { name, file: fileOf[facts.ORDERS].get(name), ...(await facts.members(name)) };
    }
    if (fact !== facts.LINES || !fileOf[facts.LINES].has(name)) throw new Error(`Orders have no ${name}.`);
    return { name, ...(await ofKinds(name)) };
  }

  /** The members that kinds of lines name, and the code of each kind. */
  async function ofKinds(name) {
    const table = await facts.kinds();
    const key = reader(table, name);
    const title = table.columns[`${name}_name`] ? reader(table, `${name}_name`) : () => null;
    const [keys, names, codes, places] = [[], [], [], new Map()];
    for (let kind = 0; kind < table.length; kind += 1) {
      const own = key(kind);
      if (own === null) {
        codes.push(NONE);
        continue;
      }
      if (!places.has(own)) {
        places.set(own, keys.length);
        keys.push(own);
        names.push(null);
      }
      const place = places.get(own);
      const called = title(kind);
      if (called !== null && (names[place] === null || called > names[place])) names[place] = called;
      codes.push(place);
    }
    return { keys, names, codes };
  }

  /** The days that orders have. */
  async function ends(span) {
    if (span.first !== undefined) return span;
    const dated = Object.keys((await facts.index())[facts.ORDERS].months).filter((month) => month !== UNDATED);
    const upTo = days.number(wholesale.meta.figures_up_to);
    const first = dated.length ? Math.min(...dated.map((month) => days.number(`${month}-01`))) : upTo;
    // What was ordered since the last day that is over is in no part: a month has one number.
    return { first, last: upTo };
  }

  /** The parts of a period, by day: `{base, of, first}`, `first` being the first day of each part. */
  async function partsOf({ grain, span, later }) {
    if (!grain) return null;
    const { first: base, last } = await ends(span);
    const found = new Map();
    const of = [];
    for (let day = base; day <= last; day += 1) {
      const part = days.truncated(later ? later(day) : day, grain);
      if (!found.has(part)) found.set(part, found.size);
      of.push(found.get(part));
    }
    return { base, of, first: [...found.keys()] };
  }

  /** What is counted of a row, besides sums: members of orders, of kinds of lines, or orders themselves. */
  async function countedBy({ counts }, fileOf, groups) {
    if (!counts) return {};
    if (counts === "order_id") return { counts: "orders" };
    const file = fileOf[facts.ORDERS].get(counts);
    const { keys, codes } = file ? {} : await ofKinds(counts);
    const members = 1 + (file ? (await facts.index()).sizes[counts] : keys.length);
    const words = Math.ceil(members / 32);
    return { counts, file, codes, members, words: words * groups <= limits.words ? words : 0 };
  }

  /** The job of a question, the dimensions that tell its groups apart, and their parts. */
  async function jobOf({ fact, wanted, dimensions, filters, parts, span }) {
    const { fileOf } = await facts.index();
    let groups = 1;
    const strided = [];
    for (const { name, file, codes, keys } of dimensions) {
      strided.push({ name, file, codes, stride: groups });
      groups *= keys.length + 1;
    }
    const stride = groups;
    if (parts) groups *= parts.first.length + 1;
    const isLines = fact === facts.LINES;
    const measures = await Promise.all(
      wanted.map(async (measure) => ({
        name: measure.name,
        table: fileOf[fact].get(measure.name),
        base: measure.differs_from && { name: measure.differs_from, table: fileOf[fact].get(measure.differs_from) },
        isLarge: measure.is_large ?? false,
        hasUnknown: measure.has_unknown ?? false,
        ...(await countedBy(measure, fileOf, groups)),
      })),
    );
    return {
      isLines,
      kinds: isLines ? (await facts.kinds()).length : 0,
      groups,
      isDense: groups <= limits.groups,
      span: span.first === undefined ? null : { first: span.first, last: span.last },
      parts: parts && { base: parts.base, of: parts.of, stride },
      dimensions: strided,
      filters: filters.map(({ name, file, codes, wanted: keys }) => ({ name, file, codes, wanted: keys })),
      measures,
    };
  }

  /** The part that has all lines of the kinds that filters name; null if it is not one, or has not all that counts. */
  async function partOf({ isLines, filters }, needed) {
    const named = filters.filter(({ codes }) => codes);
    if (!isLines || !named.length || needed.some((file) => file !== "orders" && file !== "lines")) return null;
    const sets = named.map(({ wanted }) => new Set(wanted));
    return facts.partOf((kind) => named.every(({ codes }, at) => sets[at].has(codes[kind])));
  }

  /** The months that a job needs, each with its data files; or the part of its products. */
  async function monthsOf({ isLines, dimensions, filters, measures }, fact, span) {
    const files = [...dimensions, ...filters, ...measures].flatMap(({ file, table, base }) => [
      file,
      table,
      base?.table,
    ]);
    const needed = [...new Set(["orders", ...(isLines ? ["lines"] : []), ...files])].filter(Boolean);
    const part = await partOf({ isLines, filters }, needed);
    if (part !== null)
      return [{ start: 0, names: Object.fromEntries(needed.map((file) => [file, `facts/${file}_of_part-${part}`])) }];
    return (await facts.monthsIn(fact, span.first, span.last)).map((month) => ({
      start: month === UNDATED ? null : days.number(`${month}-01`) - 1,
      names: Object.fromEntries(needed.map((file) => [file, `facts/${file}-${month}`])),
    }));
  }

  /** What was counted of a group: texts of decimals, and numbers. */
  function valueOf({ counts, sums, known, unknown }, place, { name, scale }) {
    if (counts) return counts[place];
    if (!known[place] && unknown[place]) return null;
    const sum = sums[place];
    return wholesale.meta.metrics[name].unit === "count" ? Number(sum) : decimals.shifted(sum, scale);
  }

  /**
   * What is counted of a span: `{total, rows}`, each row `{part, keys, names, values}`.
   *
   * A part is its first day; `later` moves a day of the span before the parts are told.
   */
  async function counted({ fact, wanted, by, where, grain, span, later = null, follow }) {
    const dimensions = await Promise.all(by.map((name) => dimension(fact, name)));
    const filters = await Promise.all(
      Object.entries(where).map(async ([name, keys]) => {
        const own = await dimension(fact, name);
        // A key that is nowhere has no rows: it must not be taken for the code of what has none.
        const codes = keys.map((key) => (key === null ? NONE : own.keys.indexOf(key)));
        return { ...own, wanted: codes.filter((code, place) => code !== NONE || keys[place] === null) };
      }),
    );
    const parts = await partsOf({ grain, span, later });
    const job = await jobOf({ fact, wanted, dimensions, filters, parts, span });
    const found = await engine.run(job, await monthsOf(job, fact, span), follow);
    const valuesAt = (of, place) =>
      Object.fromEntries(wanted.map((measure, at) => [measure.name, valueOf(found.measures[at][of], place, measure)]));
    const rows = by.length || grain ? found.numbers : [];
    return {
      total: valuesAt("total", 0),
      rows: rows.map((number, place) => ({
        ...told(number, job, dimensions, parts),
        values: valuesAt("groups", place),
      })),
    };
  }
  /** What a group is of, by its number. */
  function told(number, { dimensions: strided, parts: own }, dimensions, parts) {
    const [keys, names] = [{}, {}];
    dimensions.forEach(({ name, keys: known, names: called }, at) => {
      const code = (Math.floor(number / strided[at].stride) % (known.length + 1)) - 1;
      keys[name] = code < 0 ? null : known[code];
      names[name] = code < 0 ? null : called[code];
    });
    const part = parts ? Math.floor(number / own.stride) - 1 : NONE;
    return { part: part < 0 ? null : parts.first[part], keys, names };
  }

  wholesale.jobs = { counted, limits };
})();

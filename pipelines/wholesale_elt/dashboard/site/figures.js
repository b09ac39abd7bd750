/**
 * Figures: any metric by any dimension, for any days, compared with others.
 *
 * They are what `wholesale figures` answers to the same question, to the last digit: sums of whole numbers,
 * and numbers of different members. Amounts are texts of decimals, counts numbers.
 */
(() => {
  "use strict";

  const { days, decimals, facts, reader } = wholesale;
  const NONE = -1;

  /**
   * `{metrics, by, grain, period, compare, where}` → `{rows, total, span, before}`.
   *
   * Days are compared only if figures are known of all of them: else `before` is null, as if nothing was compared. Of
   * days before the first that is known, figures are null. So is a sum of which none of what counts tells its value.
   * `by` names dimensions, `where` has the wanted keys of each. A row has `keys` and `names` by dimension, `day`
   * (the first of its part of the period), and for each metric a value, and one `<metric>_before`. Rows of a
   * grain come in their order, others by the first metric, the largest first.
   */
  async function ask({ metrics, by = [], grain = null, period = days.ALL_TIME, compare = "none", where = {} }) {
    const span = days.period(period, wholesale.meta.figures_up_to);
    if (!span) throw new Error(`“${period}” is no period of this publication.`);
    const asked = days.compared(span, compare);
    const before = asked && days.isCovered(asked, wholesale.meta.figures_from) ? asked : null;
    const wanted = await measured(metrics);
    const fact = wanted[0].fact;
    const dimensions = await Promise.all(by.map((name) => dimension(fact, name)));
    const filters = await Promise.all(
      Object.entries(where).map(async ([name, keys]) => {
        const own = await dimension(fact, name);
        return { ...own, wanted: new Set(keys.map((key) => (key === null ? NONE : own.keys.indexOf(key)))) };
      }),
    );
    const groups = new Map();
    await count(groups, { fact, wanted, dimensions, filters, grain, span, ending: "" });
    if (before) await count(groups, { fact, wanted, dimensions, filters, grain, span: before, ending: "_before" });
    const endings = before ? ["", "_before"] : [""];
    const total = groups.get("total") ?? empty();
    groups.delete("total");
    const rows =
      by.length || grain ? [...groups.values()].map((group) => row(group, metrics, wanted, dimensions, endings)) : [];
    const isKnown = days.isCovered({ first: span.last }, wholesale.meta.figures_from);
    const unknown = () => Object.fromEntries(metrics.map((name) => [name, null]));
    const told = isKnown ? values(total, metrics, wanted, endings) : unknown();
    return { rows: ordered(rows, metrics[0], grain), total: told, span, before };
  }

  /** What has to be counted: the metrics that are no ratios, and the parts of those that are. */
  async function measured(metrics) {
    const { metrics: known } = wholesale.meta;
    const names = [...new Set(metrics.flatMap((name) => known[name].parts ?? [name]))];
    const found = await Promise.all(names.map(async (name) => ({ name, ...(await facts.measureOf(name)) })));
    const missing = found.find(({ fact }) => !fact);
    if (missing) throw new Error(`${known[missing.name].label}: not counted in this publication.`);
    if (new Set(found.map(({ fact }) => fact)).size > 1) throw new Error("Orders and lines are counted apart.");
    return found;
  }

  /** A dimension with its keys and names by code, and how the code of a row is read. */
  async function dimension(fact, name) {
    const { fileOf } = await facts.index();
    if (fileOf[facts.ORDERS].has(name)) {
      return { name, file: fileOf[facts.ORDERS].get(name), ...(await facts.members(name)) };
    }
    if (fact !== facts.LINES || !fileOf[facts.LINES].has(name)) throw new Error(`Orders have no ${name}.`);
    return { name, file: "kinds", ...(await ofKinds(name)) };
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

  /** Adds the rows of a span to the groups that they belong to, and to the total. */
  async function count(groups, { fact, wanted, dimensions, filters, grain, span, ending }) {
    const { fileOf } = await facts.index();
    const upTo = days.number(wholesale.meta.figures_up_to);
    const ofOrders = [...dimensions, ...filters].map(({ file }) => file).filter((file) => file !== "kinds");
    const counted = wanted
      .filter(({ counts }) => counts && fileOf[facts.ORDERS].has(counts))
      .map(({ counts }) => fileOf[facts.ORDERS].get(counts));
    const ofMeasures = wanted.map(({ name }) => fileOf[fact].get(name));
    const files = [...new Set(["orders", ...ofOrders, ...counted, ...ofMeasures])];
    const months = await facts.monthsIn(fact, span.first, span.last);
    const kindsOf = fact === facts.LINES ? await productsOfKinds(wanted) : null;
    for (const month of months) {
      const read = Object.fromEntries(
        await Promise.all(files.map(async (file) => [file, await facts.month(file, month)])),
      );
      const place = fact === facts.LINES ? placesOf(read.lines) : (item) => item;
      const kind = fact === facts.LINES ? reader(read.lines, "kind") : null;
      const dayIn = reader(read.orders, "day");
      const start = month === "undated" ? null : days.number(`${month}-01`) - 1;
      const codeOf = ({ name, file, codes }) => {
        if (file === "kinds") return (item) => codes[kind(item)];
        const code = reader(read[file], name);
        return (item) => code(place(item)) ?? NONE;
      };
      const own = dimensions.map(codeOf);
      const passes = filters.map((filter) => ({ code: codeOf(filter), wanted: filter.wanted }));
      const adders = wanted.map((measure) => adder(measure, { read, place, kind, kindsOf, month, fact, fileOf }));
      const size = fact === facts.LINES ? read.lines.length : read.orders.length;
      for (let item = 0; item < size; item += 1) {
        const date = dayIn(place(item));
        const day = date === null || start === null ? null : start + date;
        if (span.first !== undefined && (day === null || day < span.first || day > span.last)) continue;
        if (!passes.every(({ code, wanted: keys }) => keys.has(code(item)))) continue;
        // What was ordered since the last day that is over is in no part: a month has one number.
        const part =
          grain && day !== null && (span.first !== undefined || day <= upTo)
            ? days.truncated(ending ? span.later(day) : day, grain)
            : null;
        const codes = own.map((code) => code(item));
        for (const key of own.length || grain ? [`${part}/${codes.join("/")}`, "total"] : ["total"]) {
          let group = groups.get(key);
          if (!group) groups.set(key, (group = empty(part, codes)));
          for (const add of adders) add(group, ending, item);
        }
      }
    }
  }

  /** The place of each line's order. */
  function placesOf(lines) {
    const further = reader(lines, "further");
    const places = new Int32Array(lines.length);
    for (let item = 0, at = 0; item < lines.length; item += 1) places[item] = at += further(item);
    return (item) => places[item];
  }

  async function productsOfKinds(wanted) {
    return wanted.some(({ counts }) => counts === "product_id") ? (await ofKinds("product_id")).codes : null;
  }

  /** Adds what a row adds to a measure; null adds nothing, and may be a value that is not known. */
  function adder(
    { name, fact, counts, is_large: isLarge, has_unknown: hasUnknown },
    { read, place, kind, kindsOf, month, fileOf },
  ) {
    const value = reader(read[fileOf[fact].get(name)], name);
    if (!counts) {
      const isUnknown = hasUnknown ? reader(read[fileOf[fact].get(name)], `${name}_unknown`) : () => 0;
      const taken = isLarge ? (item) => BigInt(value(item)) : value;
      return (group, ending, item) => {
        const key = name + ending;
        if (value(item) === null) {
          if (isUnknown(item) === 1) group.unknown.add(key);
          return;
        }
        const before = group.counted.get(key);
        group.counted.set(key, before === undefined ? taken(item) : before + taken(item));
      };
    }
    const code =
      counts === "product_id"
        ? (item) => kindsOf[kind(item)]
        : counts === "order_id"
          ? (item) => `${month}/${place(item)}`
          : (
              (codeIn) => (item) =>
                codeIn(place(item))
            )(reader(read[fileOf[facts.ORDERS].get(counts)], counts));
    return (group, ending, item) => {
      if (value(item) !== 1) return;
      const key = name + ending;
      let different = group.counted.get(key);
      if (!different) group.counted.set(key, (different = new Set()));
      different.add(code(item));
    };
  }

  function empty(part = null, codes = []) {
    return { part, codes, counted: new Map(), unknown: new Set() };
  }

  /** The values of a group: sums as exact texts or numbers, numbers of members, and ratios of these. */
  function values({ counted, unknown }, metrics, wanted, endings) {
    const found = {};
    for (const ending of endings) {
      const simple = Object.fromEntries(
        wanted.map((measure) => {
          const key = measure.name + ending;
          return [measure.name, valueOf(counted.get(key), unknown.has(key), measure)];
        }),
      );
      for (const name of metrics) {
        const { parts } = wholesale.meta.metrics[name];
        found[name + ending] = parts ? quotient(...parts.map((part) => simple[part])) : simple[name];
      }
    }
    return found;
  }

  function valueOf(counted, isUnknown, { name, counts, scale }) {
    if (counts) return counted?.size ?? 0;
    if (counted === undefined && isUnknown) return null;
    const sum = counted ?? 0;
    const { unit } = wholesale.meta.metrics[name];
    return unit === "count" ? Number(sum) : decimals.shifted(sum, scale);
  }

  function quotient(above, below) {
    return above === null || below === null ? null : decimals.ratio(decimals.units(above), decimals.units(below));
  }

  function row(group, metrics, wanted, dimensions, endings) {
    const named = (kind) =>
      Object.fromEntries(
        dimensions.map((own, place) => [own.name, group.codes[place] === NONE ? null : own[kind][group.codes[place]]]),
      );
    return {
      day: group.part === null ? null : days.text(group.part),
      keys: named("keys"),
      names: named("names"),
      ...values(group, metrics, wanted, endings),
    };
  }

  function ordered(rows, metric, grain) {
    return rows.toSorted(
      (left, right) =>
        (grain ? String(left.day).localeCompare(String(right.day)) : 0) ||
        decimals.compare(right[metric] ?? 0, left[metric] ?? 0) ||
        (JSON.stringify(left.keys) < JSON.stringify(right.keys) ? -1 : 1),
    );
  }

  /** What a member of a field may be by what its states mean, as `decided` of metrics has it. */
  const IS = {
    is_sale: (standing) => standing !== "cancelled",
    is_cancelled: (standing) => standing === "cancelled",
    is_refunded: (standing) => standing === "refunded",
  };

  /** What to ask instead, by the unit, where a metric by definition counts nothing of the chosen states; else null. */
  function instead(metric, where) {
    const { metrics, states } = wholesale.meta;
    const { parts, unit } = metrics[metric];
    const excludes = (name) =>
      Object.entries(metrics[name].decided).some(
        ([field, flags]) =>
          where[field]?.length &&
          !where[field].some((key) => flags.every((flag) => IS[flag](states[field]?.[key] ?? "unknown"))),
      );
    if (!(parts ?? [metric]).every(excludes)) return null;
    const areCancelled =
      where.order_status?.length > 0 && where.order_status.every((key) => IS.is_cancelled(states.order_status?.[key]));
    if (areCancelled) return unit === "amount" ? "cancelled_sales" : "cancelled_orders";
    return unit === "amount" ? "sales" : "orders";
  }

  const kept = new Map();

  /** The same, remembered: one question is often asked by several parts of a page. */
  function figures(question) {
    const key = JSON.stringify(question);
    if (!kept.has(key)) {
      const answer = ask(question);
      kept.set(key, answer);
      answer.catch(() => kept.delete(key));
    }
    return kept.get(key);
  }

  wholesale.figures = Object.assign(figures, { instead });
})();

/**
 * Figures: any metric by any dimension, for any days, compared with others.
 *
 * They are what `wholesale figures` answers to the same question, to the last digit: sums of whole numbers,
 * and numbers of different members. Amounts are texts of decimals, counts numbers.
 */
(() => {
  "use strict";

  const { days, decimals, facts, jobs, prepared } = wholesale;

  /**
   * `{metrics, by, grain, period, compare, where}` → `{rows, total, span, before}`.
   *
   * Days are compared only if figures are known of all of them: else `before` is null, as if nothing was compared. Of
   * days before the first that is known, figures are null. So is a sum of which none of what counts tells its value.
   * `by` names dimensions, `where` has the wanted keys of each. A row has `keys` and `names` by dimension, `day`
   * (the first of its part of the period), and for each metric a value, and one `<metric>_before`. Rows of a
   * grain come in their order, others by the first metric, the largest first. `follow` is told of how many months are
   * counted, of how many.
   */
  async function ask(
    { metrics, by = [], grain = null, period = days.ALL_TIME, compare = "none", where = {} },
    follow = () => {},
  ) {
    const span = days.period(period, wholesale.meta.figures_up_to);
    if (!span) throw new Error(`“${period}” is no period of this publication.`);
    const asked = days.compared(span, compare);
    const before = asked && days.isCovered(asked, wholesale.meta.figures_from) ? asked : null;
    const wanted = await measured(metrics);
    const progress = [];
    const counted = async (days_, later, number) => {
      const question = { fact: wanted[0].fact, wanted, by, where, grain, span: days_, later };
      const followed = (done, of) => {
        progress[number] = [done, of];
        follow(...[0, 1].map((place) => progress.reduce((sum, each) => sum + (each?.[place] ?? 0), 0)));
      };
      return (await prepared.counted(question)) ?? jobs.counted({ ...question, follow: followed });
    };
    const [now, then] = await Promise.all([counted(span, null, 0), before ? counted(before, before.later, 1) : null]);
    const shown = (values, was) => ({
      ...told(values, metrics, wanted, ""),
      ...(before && told(was, metrics, wanted, "_before")),
    });
    const isKnown = days.isCovered({ first: span.last }, wholesale.meta.figures_from);
    const rows = by.length || grain ? sideBySide(now.rows, then?.rows ?? [], shown) : [];
    return {
      rows: ordered(rows, metrics[0], grain),
      total: isKnown ? shown(now.total, then?.total) : Object.fromEntries(metrics.map((name) => [name, null])),
      span,
      before,
    };
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

  /** Rows now and before, those of one member and part as one. */
  function sideBySide(now, then, shown) {
    const found = now.map((row) => ({ row, values: [row.values, null] }));
    const keyOf = ({ part, keys }) => JSON.stringify([part, Object.values(keys)]);
    const known = new Map(then.length ? found.map((each) => [keyOf(each.row), each]) : []);
    for (const row of then) {
      const same = known.get(keyOf(row));
      if (same) same.values[1] = row.values;
      else found.push({ row, values: [null, row.values] });
    }
    const texts = new Map();
    const textOf = (part) => {
      if (!texts.has(part)) texts.set(part, part === null ? null : days.text(part));
      return texts.get(part);
    };
    return found.map(({ row: { part, keys, names }, values }) => ({
      day: textOf(part),
      keys,
      names,
      ...shown(...values),
    }));
  }

  /** The values of metrics: those that were counted, nothing where nothing was, and ratios of these. */
  function told(values, metrics, wanted, ending) {
    const none = ({ name, counts }) => (counts || wholesale.meta.metrics[name].unit === "count" ? 0 : "0");
    const simple = values ?? Object.fromEntries(wanted.map((measure) => [measure.name, none(measure)]));
    const valueOf = (name) => {
      const { parts } = wholesale.meta.metrics[name];
      return parts ? quotient(...parts.map((part) => simple[part])) : simple[name];
    };
    return Object.fromEntries(metrics.map((name) => [name + ending, valueOf(name)]));
  }

  function quotient(above, below) {
    return above === null || below === null ? null : decimals.ratio(decimals.units(above), decimals.units(below));
  }

  const order = (left, right) => (left < right ? -1 : left > right ? 1 : 0);

  /** Rows in their order; values that numbers of a browser cannot tell apart are compared exactly. */
  function ordered(rows, metric, grain) {
    const sorted = rows.map((row) => ({
      row,
      day: grain ? String(row.day) : "",
      value: row[metric] ?? 0,
      size: Number(row[metric] ?? 0),
      keys: JSON.stringify(row.keys),
    }));
    const exactly = (left, right) => (left === right ? 0 : decimals.compare(left, right));
    sorted.sort(
      (left, right) =>
        order(left.day, right.day) ||
        order(right.size, left.size) ||
        exactly(right.value, left.value) ||
        order(left.keys, right.keys),
    );
    return sorted.map(({ row }) => row);
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

  /** The same, remembered: one question is often asked by several parts of a page, each of which may `follow` it. */
  function figures(question, follow) {
    const key = JSON.stringify(question);
    if (!kept.has(key)) {
      const followers = new Set();
      const answer = ask(question, (done, of) => followers.forEach((each) => each(done, of)));
      kept.set(key, { answer, followers });
      answer.catch(() => kept.delete(key));
    }
    const { answer, followers } = kept.get(key);
    if (follow) followers.add(follow);
    return answer;
  }

  wholesale.figures = Object.assign(figures, { instead });
})();

/**
 * Explained: why a figure is another one than in the days before, in parts that add up to it, to the last digit.
 *
 * The same parts and words as `wholesale figures` has: one thing after the other goes from what it was to what it is,
 * and what each does is the difference of two values as figures round them. What cannot be split is not explained.
 */
(() => {
  "use strict";

  const { decimals, format } = wholesale;
  const { units, text } = decimals;
  const LEAST_SHARE = "0.05";
  const SMALL = 100;
  const [CAME, STAYED_AWAY, OTHERS] = ["came", "stayed away", "others"];
  const OF_BUYERS = ["active_buyers", "product_buyers"];
  const ORDERS = ["order", "orders"];
  /** A sum is how many of `counted` there are, times what one has: what `each` is called. */
  const FACTORS = {
    sales: { counted: "orders_with_an_amount", nouns: ORDERS, each: "order size" },
    product_sales: { counted: "product_units", nouns: ["piece", "pieces"], each: "average price" },
    units: { counted: "orders", nouns: ORDERS, each: "pieces an order" },
    lines: { counted: "orders", nouns: ORDERS, each: "lines an order" },
  };
  /** What is told by who came, who stayed away, and all others. */
  const OF_ORDERS = ["orders", "active_buyers", "average_order_value"];
  const OF_LINES = ["product_orders", "product_buyers", "product_units", "average_unit_price"];
  const BY_BUYERS = new Set([...OF_ORDERS, ...OF_LINES]);

  const isMissing = (value) => value === null || value === undefined;
  const isNone = (value) => units(value) === 0n;
  const partsOf = (metric) => wholesale.meta.metrics[metric].parts;
  const quotient = (above, below) => units(decimals.ratio(above, below));

  const explainable = (metrics) => metrics.filter((name) => FACTORS[name] || BY_BUYERS.has(name));

  /** What has to be asked, by a member, to explain these metrics: themselves, and their parts. */
  function asked(metrics) {
    const names = explainable(metrics).flatMap((name) =>
      [name, partsOf(name) ?? [], FACTORS[name]?.counted ?? [], name === "sales" ? "orders" : []].flat(),
    );
    return [...new Set(names)];
  }

  /** By what changes are told: by buyer, or by vendor where a buyer is chosen. */
  const memberOf = (where) => (where.buyer ? "vendor" : "buyer");

  /** First as many more of what is counted, each with what one had; then what each has more. */
  function ofFactors(metric, total) {
    const { counted, nouns, each } = FACTORS[metric];
    const [count, countBefore] = [total[counted], total[`${counted}_before`]];
    if (isMissing(count) || isMissing(countBefore) || isNone(countBefore)) return null;
    const [now, before] = [units(total[metric]), units(total[`${metric}_before`])];
    const isAsMany = units(count) === units(countBefore);
    const between = isAsMany ? before : quotient(units(count) * before, units(countBefore) * units("1"));
    const isPart = metric === "sales" && (count !== total.orders || countBefore !== total.orders_before);
    return [
      {
        effect: isPart ? "orders with an amount" : nouns[1],
        count: text(units(count) - units(countBefore)),
        amount: between - before,
      },
      { effect: each, count: null, amount: now - between },
    ];
  }

  /** Rows by whether there was something before, and whether there is now. */
  function groupsOf(counted, rows) {
    const groups = { [CAME]: [], [STAYED_AWAY]: [], [OTHERS]: [] };
    for (const row of rows) {
      const [now, before] = [row[counted], row[`${counted}_before`]];
      if (isMissing(now) || isMissing(before)) return null;
      if (isNone(now) && isNone(before)) continue;
      const kind = isNone(before) ? CAME : isNone(now) ? STAYED_AWAY : OTHERS;
      groups[row.keys.buyer === null ? OTHERS : kind].push(row);
    }
    return groups;
  }

  const sum = (rows, name) => rows.reduce((found, row) => found + units(row[name]), 0n);

  /** Who has some now and none before came, who has some before and none now stayed away. */
  function ofBuyers(metric, total, rows) {
    const parts = partsOf(metric);
    const groups = groupsOf(parts ? parts[1] : metric, rows);
    if (!groups) return null;
    const count = (kind) => (kind === OTHERS ? null : String(groups[kind].length));
    if (parts) return ofRatio(metric, parts, total, groups, count);
    return Object.entries(groups).map(([kind, members]) => ({
      effect: kind,
      count: count(kind),
      amount: sum(members, metric) - sum(members, `${metric}_before`),
    }));
  }

  /** A ratio goes from all before to all others before, to these now, to all now. */
  function ofRatio(metric, [above, below], total, groups, count) {
    const others = groups[OTHERS];
    const names = [above, `${above}_before`, below, `${below}_before`];
    if (others.some((row) => names.some((name) => isMissing(row[name])))) return null;
    const [top, topBefore, base, baseBefore] = names.map((name) => sum(others, name));
    if (base === 0n || baseBefore === 0n) return null;
    const [now, before] = [quotient(top, base), quotient(topBefore, baseBefore)];
    return [
      { effect: CAME, count: count(CAME), amount: units(total[metric]) - now },
      { effect: STAYED_AWAY, count: count(STAYED_AWAY), amount: before - units(total[`${metric}_before`]) },
      { effect: OTHERS, count: null, amount: now - before },
    ];
  }

  /** Who made most of the change of a sum, if there are others, and if it is worth to be named. */
  function largestOf(metric, difference, rows, by) {
    if (!FACTORS[metric]) return null;
    const sign = difference > 0n ? 1n : -1n;
    const moved = rows
      .filter((row) => !isMissing(row[metric]) && !isMissing(row[`${metric}_before`]))
      .map((row) => ({ row, size: sign * (units(row[metric]) - units(row[`${metric}_before`])) }))
      .filter(({ size }) => size !== 0n);
    const named = moved.filter(({ row }) => row.keys[by] !== null && row.names[by]);
    if (moved.length < 2 || named.length === 0) return null;
    const first = named.reduce((best, each) =>
      each.size > best.size || (each.size === best.size && each.row.keys[by] < best.row.keys[by]) ? each : best,
    );
    const share = decimals.ratio(first.size, sign * difference);
    if (decimals.compare(share, LEAST_SHARE) < 0) return null;
    return { by, key: first.row.keys[by], name: first.row.names[by], amount: text(sign * first.size), share };
  }

  /**
   * Why a metric is another one than before: `{metric, difference, effects, largest}`; null if nothing changed or it
   * cannot be split. `total` and `rows` are those of an answer by a member to what `asked` names, compared.
   */
  function explain(metric, { total, rows }, by = "buyer") {
    const [now, before] = [total[metric], total[`${metric}_before`]];
    if (isMissing(now) || isMissing(before)) return null;
    const difference = units(now) - units(before);
    if (difference === 0n) return null;
    if (!FACTORS[metric] && !(BY_BUYERS.has(metric) && by === "buyer")) return null;
    const effects = FACTORS[metric] ? ofFactors(metric, total) : ofBuyers(metric, total, rows);
    if (!effects || effects.reduce((all, { amount }) => all + amount, 0n) !== difference) return null;
    return {
      metric,
      difference: text(difference),
      effects: effects
        .filter(({ amount }) => amount !== 0n)
        .map((effect) => ({ ...effect, amount: text(effect.amount) })),
      largest: largestOf(metric, difference, rows, by),
    };
  }

  const money = (size) => (decimals.compare(size, String(SMALL)) < 0 ? format.amount(size) : format.compact(size));

  function signed(amount, write) {
    const isLess = units(amount) < 0n;
    return `${isLess ? format.MINUS : "+"}${write(text(isLess ? -units(amount) : units(amount)))}`;
  }

  function partText(metric, { effect, count, amount }, write, isFirst) {
    const by = signed(amount, write);
    if (effect === OTHERS) return `the others ${by}`;
    if (count === null) return `${effect} ${by}`;
    const size = count.replace("-", "");
    if (effect === CAME || effect === STAYED_AWAY) {
      const told = `${format.count(size)}${isFirst ? (size === "1" ? " buyer" : " buyers") : ""} ${effect}`;
      return OF_BUYERS.includes(metric) ? told : `${told} ${by}`;
    }
    const { nouns } = FACTORS[metric];
    const noun = size === "1" ? effect.replace(nouns[1], nouns[0]) : effect;
    return `${format.count(size)} ${count.startsWith("-") ? "fewer" : "more"} ${noun} ${by}`;
  }

  /** The parts in one line: `163 more orders +$152 k, order size +$3.1 k; Blue Door is 15%`. */
  function lineOf({ metric, effects, largest }) {
    const write = wholesale.meta.metrics[metric].unit === "amount" ? money : format.count;
    const told = effects.map((effect, place) => partText(metric, effect, write, place === 0)).join(", ");
    if (!largest) return told;
    if (decimals.compare(largest.share, "1") > 0)
      return `${told}; ${largest.name} alone ${signed(largest.amount, write)}`;
    return `${told}; ${largest.name} is ${format.wholeShare(largest.share)}`;
  }

  wholesale.explained = { explainable, asked, memberOf, explain, lineOf };
})();

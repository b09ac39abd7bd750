/** Listed: the columns of all members of a dimension, and the ways that lead on from each. */
(() => {
  "use strict";

  const { decimals, facts, objects, view: views } = wholesale;
  const { h, Name } = wholesale.elements;
  const PAGES = { vendor: "vendor", buyer: "buyer", category: "category", product: "product", product_id: "product" };
  /** What stands beside each row, by what is counted: orders and buyers. */
  const BESIDE = {
    [facts.ORDERS]: { orders: "Orders", active_buyers: "Buyers" },
    [facts.LINES]: { product_orders: "Orders", product_buyers: "Buyers" },
  };

  function named(view, by) {
    return ({ keys, names }) => {
      const key = keys[by];
      if (PAGES[by] && key !== null) return h`<${Name} of=${PAGES[by]} id=${key} name=${names[by]} />`;
      const text = wholesale.pieces.explore.crossed.nameOf({ key, name: names[by] }, by, null);
      return views.FILTERS.includes(by)
        ? h`<a class=${key === null ? "name unknown" : "name"} dir="auto"
            href=${views.hashOf(views.changed(view, { where: { [by]: [key] } }))}>
          ${text}
        </a>`
        : h`<span dir="auto">${text}</span>`;
    };
  }

  /** The same for one member alone, if it can be counted so. */
  const onlyIn =
    (view, by) =>
    ({ keys }) =>
      views.FILTERS.includes(by) ? views.hashOf(views.changed(view, { where: { [by]: [keys[by]] } })) : null;

  /** Columns of all members: name, course, figure with what it was, change and share, then orders and buyers. */
  function columnsOf({ view, metric, by, total, before, courseIn, isAdditive, write, beside }) {
    const { label, unit } = wholesale.meta.metrics[metric];
    const was = `${metric}_before`;
    const whole = decimals.units(total[metric]);
    const only = onlyIn(view, by);
    const own = (row) => write(row[metric]);
    return [
      {
        name: by,
        label: wholesale.pieces.explore.offered.labelOf(by),
        value: ({ keys, names }) => objects.nameOf(keys[by], names[by]),
        show: named(view, by),
      },
      { name: "course", label: "Trend", type: "course", drop: 1, value: courseIn },
      {
        name: metric,
        label,
        type: "bar",
        before: before ? was : undefined,
        show: (row) => (only(row) ? h`<a href=${only(row)} title="Show only this">${own(row)}</a>` : own(row)),
        written: own,
      },
      before && {
        name: was,
        label: "Before",
        type: "number",
        drop: 5,
        show: (row) => write(row[was]),
        written: (row) => write(row[was]),
      },
      before && { name: metric, before: was, label: "Change", type: "change" },
      isAdditive &&
        (unit === "amount" || unit === "count") && {
          name: "share",
          label: "Share",
          type: "share",
          drop: 4,
          phrase: "{} of all",
          value: (row) => (whole > 0n ? decimals.ratio(decimals.units(row[metric]), whole) : null),
        },
      ...Object.entries(beside).map(([name, text], place) => ({ name, label: text, type: "count", drop: 3 - place })),
    ].filter(Boolean);
  }

  /** What is counted beside each row, by its name: orders and buyers, but where they are what is counted. */
  function besideOf(metric, by) {
    const { fact } = wholesale.meta.metrics[metric];
    return Object.fromEntries(
      Object.entries(BESIDE[fact]).filter(
        ([name, text]) => name !== metric && wholesale.meta.metrics[name] && !(text === "Buyers" && by === "buyer"),
      ),
    );
  }

  wholesale.receive("pages/explore/listed", { listed: { besideOf, columnsOf, named, onlyIn } });
})();

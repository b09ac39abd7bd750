/** Owed: what was shipped and is not paid, by how long ago it was ordered. */
(() => {
  "use strict";

  const { age, charts, decimals, format, view: views } = wholesale;
  const { h, Section } = wholesale.elements;
  const AGES = {
    up_to_30: "Ordered up to 30 days ago",
    up_to_60: "31 to 60 days ago",
    over_60: "Over 60 days ago",
    undated: "Day not known",
  };
  const TONES = { up_to_30: "pine", up_to_60: "amber", over_60: "clay", undated: "grey" };

  /** The amount of some orders: at least what is known of it, and nothing where none is known. */
  function amountOf({ amount, order_count: count, known_count: known }) {
    if (known === 0) return "amount not known";
    return `${known < count ? "at least " : ""}${format.compact(amount)}`;
  }

  function Owed({ view, receivables }) {
    if (receivables.length === 0) return null;
    const unknown = receivables.find(({ age: old }) => old === "unknown");
    const owed = receivables.filter((row) => row !== unknown);
    const summed = (name) => owed.reduce((sum, row) => sum + row[name], 0);
    const all = {
      order_count: summed("order_count"),
      known_count: summed("known_count"),
      amount: decimals.text(owed.reduce((sum, row) => sum + decimals.units(row.amount), 0n)),
    };
    const to = (row) =>
      views.linkTo(view, {
        page: "orders",
        period: `${row.first_day}..${row.last_day}`,
        where: {},
        own: { payment: "owed" },
      });
    const choices = { where: {}, own: { payment: "unknown" } };
    const toUnknown = views.linkTo(view, { page: "orders", period: "all_time", ...choices });
    const note = owed.length > 0 ? `${amountOf(all)}, ${format.plural(all.order_count, "order")}${age.counted()}` : "";
    return h`<${Section} title="Shipped and unpaid" note=${note}>
      ${
        owed.length > 0 &&
        h`<${charts.Stacked}
            parts=${owed.map((row) => ({
              label: AGES[row.age],
              value: row.amount ?? 0,
              tone: TONES[row.age],
              href: row.first_day && to(row),
              text: `${amountOf(row)}, ${format.count(row.order_count)}`,
            }))} />`
      }
      ${
        unknown &&
        h`<p class="small">
          <a class="unknown" href=${toUnknown}>Not known whether owed</a>:${" "}
          ${format.plural(unknown.order_count, "order")}, ${amountOf(unknown)}.
        </p>`
      }
    <//>`;
  }

  wholesale.Owed = Owed;
})();

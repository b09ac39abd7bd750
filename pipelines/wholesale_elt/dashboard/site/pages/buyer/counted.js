/** Counted: what the orders of one buyer add up to, in any days, read from its own part and no other. */
(() => {
  "use strict";

  const { axes, days, decimals } = wholesale;

  /** Whether a view has no filter, so that the orders of the buyer are all that count. */
  const isWhole = ({ where }) => Object.entries(where).every(([name, keys]) => name === "buyer" || !keys?.length);

  /** The days of a view, and those that they are compared with, if they are known. */
  function spansOf({ period, compare }) {
    const span = days.period(period, wholesale.meta.figures_up_to) ?? {};
    const asked = span.first === undefined ? null : days.compared(span, compare);
    return { span, before: asked && days.isCovered(asked, wholesale.meta.figures_from) ? asked : null };
  }

  /** A function that tells whether an order counts as a sale of these days. */
  const within =
    ({ first, last }) =>
    ({ is_sale: isSale, date }) => {
      if (!isSale) return false;
      if (first === undefined) return true;
      return date !== null && days.number(date) >= first && days.number(date) <= last;
    };

  /** The sum of a column: 0 of no rows, null where none of them tells it. */
  function summed(rows, name) {
    const known = rows.filter((row) => row[name] !== null);
    if (rows.length > 0 && known.length === 0) return null;
    return decimals.text(known.reduce((sum, row) => sum + decimals.units(row[name]), 0n));
  }

  /** Sales, orders and their average of some orders, as figures have them. */
  function totalsOf(orders) {
    const sales = summed(orders, "amount");
    const known = orders.filter(({ amount }) => amount !== null).length;
    const average = sales === null ? null : decimals.ratio(decimals.units(sales), decimals.units(known));
    return { sales, orders: orders.length, orders_with_an_amount: known, average_order_value: average };
  }

  /** Figures of a view over the orders of a buyer: `{total, before}`, in the shape of an answer. */
  function totals({ orders }, view) {
    const { span, before } = spansOf(view);
    const total = totalsOf(orders.filter(within(span)));
    if (!before) return { total, before: null };
    const was = totalsOf(orders.filter(within(before)));
    return {
      total: { ...total, ...Object.fromEntries(Object.entries(was).map(([name, value]) => [`${name}_before`, value])) },
      before,
    };
  }

  /** Which orders of a view are where in its part. */
  function ordersIn({ orders }, view) {
    const { span } = spansOf(view);
    return new Map(orders.filter(within(span)).map((order) => [order.place, order]));
  }

  /** What was spent on each product in the days of a view, and when last; over time of those that are asked for it. */
  function products(data, view) {
    const orders = ordersIn(data, view);
    const lines = data.lines.filter(({ place, product_id: id }) => id !== null && orders.has(place));
    const { span } = spansOf(view);
    const shown = axes.spanOf(span);
    const grain = axes.grainIn(shown, null);
    return [...Map.groupBy(lines, ({ product_id: id }) => id)].map(([id, own]) => ({
      key: id,
      keys: { product_id: id },
      product_sales: summed(own, "total_price"),
      product_units: summed(own, "quantity"),
      product_orders: new Set(own.map(({ place }) => place)).size,
      last: own.map(({ place }) => orders.get(place).date ?? "").reduce((left, right) => (left > right ? left : right)),
      courseOf: () =>
        shown ? axes.courseOf(overTime(own, orders, grain), "product_sales", span, grain) : { values: [] },
    }));
  }

  function overTime(lines, orders, grain) {
    const dated = lines.filter(({ place }) => orders.get(place).date !== null);
    const day = ({ place }) => days.text(days.truncated(days.number(orders.get(place).date), grain));
    return [...Map.groupBy(dated, day)].map(([start, own]) => ({
      day: start,
      product_sales: summed(own, "total_price") ?? "0",
    }));
  }

  /** What was spent at each vendor in the days of a view. */
  function vendors(data, view) {
    const orders = [...ordersIn(data, view).values()];
    return [...Map.groupBy(orders, ({ vendor }) => vendor)].map(([id, own]) => ({
      key: id ?? "",
      keys: { vendor: id },
      names: { vendor: own[0].vendor_name },
      sales: summed(own, "amount"),
      orders: own.length,
    }));
  }

  /** The sales at each vendor in the days of a view and those that they are compared with, beside the totals. */
  function byVendor(data, view) {
    const { span, before } = spansOf(view);
    const now = Map.groupBy(data.orders.filter(within(span)), ({ vendor }) => vendor);
    const then = Map.groupBy(data.orders.filter(within(before)), ({ vendor }) => vendor);
    const rows = [...new Set([...now.keys(), ...then.keys()])].map((vendor) => {
      const [own, was] = [now.get(vendor) ?? [], then.get(vendor) ?? []];
      return {
        keys: { vendor },
        names: { vendor: (own[0] ?? was[0]).vendor_name },
        sales: summed(own, "amount"),
        sales_before: summed(was, "amount"),
      };
    });
    return { ...totals(data, view), rows };
  }

  /** What a buyer owes by the day on which it is due; orders without a due day come last. */
  function owed({ orders }) {
    const open = orders.filter(({ is_owed: isOwed }) => isOwed === true);
    return [...Map.groupBy(open, ({ due_date: due }) => due ?? null)]
      .map(([due, own]) => ({
        due,
        count: own.length,
        only: own.length === 1 ? own[0] : null,
        known: own.filter(({ total }) => total !== null).length,
        amount: summed(own, "total"),
        isOverdue: own.some(({ is_overdue: is }) => is),
      }))
      .toSorted((left, right) => ((left.due ?? "9999") < (right.due ?? "9999") ? -1 : 1));
  }

  wholesale.receive("pages/buyer/counted", { counted: { isWhole, totals, products, vendors, byVendor, owed, summed } });
})();

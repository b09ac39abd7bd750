/** Orders to chase: unpaid by age, and orders short of a vendor's minimum. */
(() => {
  "use strict";

  const { element, format, tile, headline, table, charts, sales, Table, load } = wholesale;
  const { ALL } = wholesale.view;
  const AGES = ["0-30", "31-60", "61-90", "over 90"];
  const NOTHING_OPEN = { order_count: 0, open_amount: "0", oldest_ordered_date: null };
  const NOTHING_MISSED = { order_count: 0, near_miss_count: 0, value_shortfall: "0" };

  const ORDER = [
    { name: "order_number", label: "Order", kind: "code", isHeader: true },
    { name: "ordered_date", label: "Ordered", kind: "date" },
    { name: "buyer_company_name", label: "Buyer", kind: "text" },
    { name: "vendor_name", label: "Vendor", kind: "text" },
    { name: "state", label: "State", kind: "code" },
  ];

  function isWithin(view) {
    return (row) =>
      (view.vendor === ALL || row.vendor_id === view.vendor)
      && (view.state === ALL || row.state === view.state);
  }

  /** The row of exactly this vendor, state and age. */
  function open(rows, age) {
    return rows.find((row) => row.age_bucket === age) ?? { ...NOTHING_OPEN, age_bucket: age };
  }

  /** Open orders are open whenever they were placed, so the period does not narrow them. */
  function showOpen(view, row) {
    const isAny = row.age_bucket === ALL;
    return sales.showOrders({ ...view, period: wholesale.meta.everything }, row, {
      what: isAny ? "Open orders" : `Open for ${row.age_bucket} days`,
      equal: { is_open: true, age_bucket: row.age_bucket },
      expected: { order_count: row.order_count, open_amount: row.open_amount },
    });
  }

  /** How to show the orders short of a minimum for which `test` holds; not where the list is cut. */
  function shortOrders(view, data, what, test, count) {
    if (wholesale.meta.limits.minimum) return null;
    const listed = new Table(data.minimum).rows((row) => isWithin(view)(row) && test(row));
    return () => sales.showOrders({ ...view, period: wholesale.meta.everything }, {}, {
      what,
      equal: { order_id: new Set(listed.map((row) => row.order_id)) },
      expected: { order_count: count },
    });
  }

  function headlines(view, rows, minimum, data) {
    const { count } = format;
    const all = open(rows, ALL);
    const old = open(rows, "over 90");
    const note = (text) => element("p", { class: "change" }, text);
    const amount = (label, row) => headline("open_by_age", {
      label, short: format.amount(row.open_amount), exact: format.exactAmount(row.open_amount),
      run: () => showOpen(view, row),
      note: note(`${format.count(row.order_count)} orders, oldest ${format.date(row.oldest_ordered_date)}`),
    });
    return element(
      "div",
      { class: "tiles headlines" },
      amount("Open", all),
      amount("Open over 90 days", old),
      headline("below_minimum", {
        label: "Below the minimum", short: count(minimum.order_count), exact: count(minimum.order_count),
        run: shortOrders(view, data, "Orders below the minimum", () => true, minimum.order_count),
        note: note(`short by ${format.amount(minimum.value_shortfall)} in all`),
      }),
      headline("below_minimum", {
        label: "Near misses", short: count(minimum.near_miss_count), exact: count(minimum.near_miss_count),
        run: shortOrders(view, data, "Near misses", (row) => row.is_near_miss, minimum.near_miss_count),
        note: note("orders that almost reached the minimum"),
      }),
    );
  }

  function byAge(view, rows) {
    const ages = AGES.map((age) => open(rows, age));
    return tile("open_by_age", { wide: true }, element("div", { class: "beside" }, charts.figure({
      label: "Open amount by days since the order",
      categories: AGES,
      series: [{ name: "Open", kind: "bar", values: ages.map((row) => row.open_amount) }],
      axis: format.axisAmount,
      value: format.exactAmount,
    }), table({
      caption: "Open by age",
      columns: [
        { name: "age_bucket", label: "Days", kind: "code", isHeader: true },
        { name: "open_amount", label: "Open", kind: "amount", bar: true },
        {
          name: "order_count", label: "Orders", kind: "count",
          run: (row) => ({ label: "show the orders", key: row.age_bucket, run: () => showOpen(view, row) }),
        },
        { name: "oldest_ordered_date", label: "Oldest", kind: "date" },
      ],
      rows: ages,
      file: "open-by-age",
    })));
  }

  function openOrders(view, data) {
    return tile("open_orders", { wide: true }, table({
      caption: "Largest open orders",
      columns: [
        ...ORDER,
        { name: "total", label: "Open", kind: "amount", bar: true },
        { name: "age_in_days", label: "Days", kind: "count" },
        { name: "payment_status", label: "Payment", kind: "code" },
        { name: "order_id", label: "Order id", kind: "id" },
      ],
      rows: new Table(data.open_orders).rows(isWithin(view)),
      sort: "total",
      size: 12,
      file: "open-orders",
      empty: "Nothing is open.",
      limit: wholesale.meta.limits.open_orders,
    }));
  }

  function belowMinimum(view, data) {
    return tile("below_minimum", { wide: true }, table({
      caption: "Orders below the minimum",
      columns: [
        ...ORDER,
        { name: "sub_total", label: "Sales", kind: "amount" },
        { name: "minimum_order_value", label: "Minimum", kind: "amount" },
        { name: "value_shortfall", label: "Short by", kind: "amount", bar: true },
        { name: "unit_count", label: "Units", kind: "count" },
        { name: "minimum_order_quantity", label: "Minimum units", kind: "count" },
        { name: "is_near_miss", label: "Near miss", kind: "flag" },
        { name: "order_id", label: "Order id", kind: "id" },
      ],
      rows: new Table(data.minimum).rows(isWithin(view)),
      sort: "ordered_date",
      size: 12,
      file: "below-minimum",
      empty: "No order is short of a minimum.",
      limit: wholesale.meta.limits.minimum,
    }));
  }

  wholesale.pages.chase = async (view) => {
    const data = await load("chase");
    const isExactly = (row) => row.vendor_id === view.vendor && row.state === view.state;
    const rows = new Table(data.open).rows(isExactly);
    const [minimum = NOTHING_MISSED] = new Table(data.minimum_totals).rows(isExactly);
    return [
      headlines(view, rows, minimum, data),
      element("div", { class: "tiles" }, byAge(view, rows), openOrders(view, data), belowMinimum(view, data)),
    ];
  };
})();

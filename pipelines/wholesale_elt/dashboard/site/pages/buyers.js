/** Buyers: who comes back, who is late, how much hangs on few. */
(() => {
  "use strict";

  const { element, button, format, tile, headline, table, Table, load, drill } = wholesale;
  const { ALL } = wholesale.view;
  const STEPS = 8;

  /** How to show all orders of the buyers for whom `test` holds; not where the list is cut. */
  function ordersOf(reorders, title, test, expected) {
    if (wholesale.meta.limits.reorders) return null;
    return () => drill({
      title,
      criteria: { equal: { buyer_id: new Set(reorders.rows(test).map((row) => row.buyer_id)) } },
      expected,
    });
  }

  function headlines(numbers, reorders) {
    const of = (text) => element("p", { class: "change" }, text);
    return element(
      "div",
      { class: "tiles headlines" },
      headline("reordering", {
        short: format.rate(numbers.reorder_90_days_rate), exact: numbers.reorder_90_days_rate ?? format.NONE,
        run: ordersOf(
          reorders, "Orders of the buyers who ordered again within 90 days",
          (row) => row.has_reordered_within_90_days, { buyer_count: numbers.reorder_90_days_count },
        ),
        note: of(
          `${format.count(numbers.reorder_90_days_count)} of `
          + `${format.count(numbers.reorder_90_days_known_count)} buyers`,
        ),
      }),
      headline("at_risk", {
        label: "Late buyers", short: format.count(numbers.late_count), exact: String(numbers.late_count),
        run: ordersOf(
          reorders, "Orders of the late buyers", (row) => row.is_late,
          { buyer_count: numbers.late_count, sales_amount: numbers.late_sales_amount },
        ),
        note: of(`with ${format.amount(numbers.late_sales_amount)} of sales so far`),
      }),
      headline("at_risk", {
        label: "Lapsed buyers", short: format.count(numbers.lapsed_count), exact: String(numbers.lapsed_count),
        run: ordersOf(
          reorders, "Orders of the lapsed buyers", (row) => row.is_lapsed,
          { buyer_count: numbers.lapsed_count, sales_amount: numbers.lapsed_sales_amount },
        ),
        note: of(`with ${format.amount(numbers.lapsed_sales_amount)} of sales so far`),
      }),
      headline("concentration", {
        short: format.rate(numbers.top_5_share), exact: numbers.top_5_share ?? format.NONE,
        note: of(`of all sales come from five of ${format.count(numbers.buyer_count)} buyers`),
      }),
    );
  }

  /** Every order of a buyer, undated ones too: that is what its row counts. */
  function showBuyer(row) {
    return drill({
      title: `Orders of ${row.company_name ?? row.buyer_id}`,
      criteria: { equal: { buyer_id: row.buyer_id } },
      expected: { order_count: row.order_count, sales_amount: row.sales_amount },
    });
  }

  function showVendor(row) {
    return drill({
      title: `Orders of the buyers of ${row.vendor_name}`,
      criteria: { equal: { vendor_id: row.vendor_id } },
      expected: { buyer_count: row.buyer_count },
    });
  }

  const BUYER_COLUMNS = [
    { name: "company_name", label: "Buyer", kind: "text", isHeader: true },
    { name: "state", label: "State", kind: "code" },
    {
      name: "order_count", label: "Orders", kind: "count",
      run: (row) => ({ label: "show the orders", key: row.buyer_id, run: () => showBuyer(row) }),
    },
    { name: "sales_amount", label: "Sales", kind: "amount", bar: true },
    { name: "last_ordered_date", label: "Last order", kind: "date" },
    { name: "days_since_last_order", label: "Days since", kind: "count" },
    { name: "median_days_between_orders", label: "Usual days between", kind: "count" },
    { name: "expected_next_order_date", label: "Expected", kind: "date" },
    { name: "is_late", label: "Late buyers", kind: "flag" },
    { name: "is_lapsed", label: "Lapsed buyers", kind: "flag" },
  ];

  function atRisk(view, reorders) {
    const rows = reorders.rows((row) =>
      row.is_at_risk && (view.state === ALL || row.state === view.state));
    return tile("at_risk", { wide: true }, table({
      caption: "Buyers at risk", columns: BUYER_COLUMNS, rows, sort: "sales_amount", size: 15,
      file: "buyers-at-risk", empty: "No buyer is late or lapsed.", limit: wholesale.meta.limits.reorders,
    }));
  }

  /** Retention as a table whose shades repeat, and never replace, its numbers. */
  function heat(cohorts, reorders) {
    const byMonth = new Map();
    for (const row of cohorts.rows()) {
      if (!byMonth.has(row.cohort_month)) byMonth.set(row.cohort_month, []);
      byMonth.get(row.cohort_month).push(row);
    }
    const longest = Math.max(0, ...cohorts.rows().map((row) => row.month_number));
    const numbers = Array.from({ length: longest + 1 }, (_, number) => number);
    const lines = [...byMonth.entries()].sort(([one], [other]) => (one < other ? -1 : 1));
    return element(
      "div",
      { class: "scroller", role: "region", tabindex: "0", "aria-label": "Retention by cohort" },
      element(
        "table",
        { class: "heat" },
        element("caption", { class: "hidden" }, "Share of each cohort that ordered, by months since its first order"),
        element("thead", {}, element(
          "tr",
          {},
          element("th", { scope: "col" }, "First order"),
          element("th", { scope: "col", class: "number" }, "Buyers"),
          numbers.map((number) => element("th", { scope: "col", class: "number" }, `+${number}`)),
        )),
        element("tbody", {}, lines.map(([month, rows]) => line(month, rows, numbers, reorders))),
      ),
    );
  }

  function line(month, rows, numbers, reorders) {
    const count = rows[0].cohort_buyer_count;
    const run = ordersOf(
      reorders, `Orders of the buyers who first ordered in ${format.month(month)}`,
      (row) => row.first_ordered_date?.startsWith(month.slice(0, 7)), { buyer_count: count },
    );
    const byNumber = new Map(rows.map((row) => [row.month_number, row]));
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, format.month(month)),
      element("td", { class: "number" }, run
        ? button(format.count(count), { run, label: `${format.count(count)} buyers: show their orders` })
        : format.count(count)),
      numbers.map((number) => {
        const row = byNumber.get(number);
        if (!row) return element("td", {});
        const shade = Math.round(Math.min(1, Number(row.retention_rate)) * STEPS);
        return element(
          "td",
          {
            class: `number shade-${shade}`,
            title: `${format.count(row.active_buyer_count)} of ${format.count(row.cohort_buyer_count)} buyers, `
              + `${format.count(row.order_count)} orders, ${format.exactAmount(row.sales_amount)} `
              + `in ${format.month(row.month_start)}`,
          },
          wholePercent(row.retention_rate),
        );
      }),
    );
  }

  function wholePercent(rate) {
    return rate === null ? format.NONE : `${Math.round(Number(rate) * 100)}%`;
  }

  function concentration(view, rows) {
    return tile("concentration", { wide: true }, table({
      caption: "Concentration by vendor",
      columns: [
        { name: "vendor_name", label: "Vendor", kind: "text", isHeader: true },
        { name: "top_5_share", label: "Top 5 share", kind: "rate", bar: true },
        {
          name: "buyer_count", label: "Buyers", kind: "count",
          run: (row) => ({ label: "show their orders", key: row.vendor_id, run: () => showVendor(row) }),
        },
        { name: "top_5_sales_amount", label: "Top 5 sales", kind: "amount" },
        { name: "sales_amount", label: "Sales", kind: "amount" },
      ],
      rows: rows.rows((row) => view.vendor === ALL || row.vendor_id === view.vendor)
        .map((row) => ({ ...row, vendor_name: row.vendor_id === ALL ? "All vendors" : row.vendor_name })),
      size: 12,
      file: "concentration",
    }));
  }

  wholesale.pages.buyers = async (view) => {
    const data = await load("buyers");
    const reorders = new Table(data.reorders);
    return [
      headlines(data.headlines, reorders),
      element(
        "div",
        { class: "tiles" },
        tile("cohorts", { wide: true }, heat(new Table(data.cohorts), reorders)),
        atRisk(view, reorders),
        concentration(view, new Table(data.concentration)),
      ),
    ];
  };
})();

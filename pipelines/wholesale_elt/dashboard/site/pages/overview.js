/** Overview: how business is, against a year before. */
(() => {
  "use strict";

  const { element, button, format, tile, tone, headline, change, table, charts, sales } = wholesale;
  const TOP = 10;
  const MEASURES = [
    { name: "sales_amount", label: "Sales", kind: "amount", write: format.exactAmount },
    { name: "order_count", label: "Orders", kind: "count", write: format.count },
    { name: "buyer_count", label: "Buyers", kind: "count", write: format.count },
    { name: "average_order_value", label: "Average order", kind: "amount", write: format.exactAmount },
  ];
  let measured = MEASURES[0];

  function headlines(view, row) {
    const show = (what) => () => sales.showOrders(view, row, { what });
    const figure = (name, column, what, short, exact) =>
      headline(name, {
        short: short(row[column]), exact: exact(row[column]), run: show(what),
        note: change(row[`${column}_growth`], row[`${column}_year_before`], short),
      });
    const { amount, exactAmount, count } = format;
    return element(
      "div",
      { class: "tiles headlines" },
      figure("sales", "sales_amount", "Orders behind the sales", amount, exactAmount),
      figure("orders", "order_count", "Orders", count, count),
      figure("buyers", "buyer_count", "Orders of these buyers", count, count),
      figure("average_order_value", "average_order_value", "Orders behind the average", amount, exactAmount),
    );
  }

  /** Twelve months up to the end of the period; all months where the period is everything. */
  function span(months, view) {
    const { last } = sales.days(view.period);
    const until = last ? months.filter((row) => row.month <= last.slice(0, 7)) : months;
    return last ? until.slice(-12) : until;
  }

  function trend(view, months) {
    const rows = span(months, view);
    const place = element("div");
    const picker = element(
      "div",
      { class: "picker", role: "group", "aria-label": "What the chart shows" },
      MEASURES.map((measure) => button(measure.label, { run: () => show(measure), kind: "choice" })),
    );

    function show(measure) {
      measured = measure;
      [...picker.children].forEach((node, index) =>
        node.setAttribute("aria-pressed", String(MEASURES[index] === measure)));
      const before = `${measure.name}_year_before`;
      place.replaceChildren(charts.figure({
        label: `${measure.label} by month, against a year before`,
        categories: rows.map((row) => format.month(row.month)),
        series: [
          { name: measure.label, kind: "line", values: rows.map((row) => row[measure.name]) },
          { name: "A year before", kind: "line", isBefore: true, values: rows.map((row) => row[before]) },
        ],
        axis: format.axisAmount,
        value: measure.write,
        table: table({
          caption: `${measure.label} by month`,
          columns: [
            { name: "month", label: "Month", kind: "month", isHeader: true },
            { name: measure.name, label: measure.label, kind: measure.kind },
            { name: before, label: "A year before", kind: measure.kind },
            { name: `${measure.name}_growth`, label: "Change", kind: "change" },
          ],
          rows,
          size: 36,
          file: `trend-${measure.name}`,
        }),
      }));
    }

    show(measured);
    return tile("trend", { wide: true }, picker, place);
  }

  function ranking(rows, view, { caption, who, narrowed, file, isSelected }) {
    return table({
      caption,
      columns: [
        who,
        { name: "sales_amount", label: "Sales", kind: "amount", bar: true },
        { name: "sales_amount_growth", label: "Change", kind: "change", tone: (row) => tone(row.sales_amount_growth) },
        {
          name: "order_count", label: "Orders", kind: "count",
          run: (row) => ({
            label: "show the orders", key: `${row.vendor_id} ${row.state}`,
            run: () => sales.showOrders({ ...view, ...narrowed(row) }, row),
          }),
        },
      ],
      rows,
      sort: "sales_amount",
      size: TOP,
      file,
      isSelected,
    });
  }

  function topVendors(view, rows) {
    return tile("top_vendors", {}, ranking(rows, view, {
      caption: "Top vendors",
      who: {
        name: "vendor_name", label: "Vendor", kind: "text", isHeader: true,
        run: (row) => ({
          label: "filter by this vendor", key: row.vendor_id, run: () => wholesale.go({ vendor: row.vendor_id }),
        }),
      },
      narrowed: (row) => ({ vendor: row.vendor_id }),
      file: "top-vendors",
      isSelected: (row) => row.vendor_id === view.vendor,
    }));
  }

  function topStates(view, rows) {
    return tile("top_states", {}, ranking(rows, view, {
      caption: "Top states",
      who: {
        name: "state", label: "State", kind: "code", isHeader: true,
        run: (row) => ({
          label: "filter by this state", key: row.state, run: () => wholesale.go({ state: row.state }),
        }),
      },
      narrowed: (row) => ({ state: row.state }),
      file: "top-states",
      isSelected: (row) => row.state === view.state,
    }));
  }

  wholesale.pages.overview = async (view) => {
    const [rows, months] = await Promise.all([sales.ofPeriod(view), sales.byMonth(view)]);
    return [
      headlines(view, sales.only(rows, view)),
      element(
        "div",
        { class: "tiles" },
        trend(view, months),
        topVendors(view, sales.perVendor(rows, view).map(sales.named)),
        topStates(view, sales.perState(rows, view)),
      ),
    ];
  };
})();

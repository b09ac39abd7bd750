/** Overview: how business is, against a year before. */
(() => {
  "use strict";

  const { element, button, format, columns, table, charts, page, sales } = wholesale;
  let measured = 0;

  /** Twelve months up to the end of the period; all months where the period is everything. */
  function upTo(months, view) {
    const { last } = sales.days(view.period);
    const until = last ? months.filter((row) => row.period_key <= last.slice(0, 7)) : months;
    return last ? until.slice(-12) : until;
  }

  /** The measures of a trend: each with its year before and its growth, which follow it. */
  function measuresOf([month, ...rest]) {
    const now = rest.filter((_, place) => place % 3 === 0);
    return now.map((column, place) => [month, ...rest.slice(3 * place, 3 * place + 3)]);
  }

  function trend(rows, tile) {
    const measures = measuresOf(tile.columns);
    const place = element("div");
    const picker = element(
      "div",
      { class: "picker", role: "group", "aria-label": "What the chart shows" },
      measures.map(([, now], number) => button(now.label, { run: () => show(number), style: "choice" })),
    );

    function show(number) {
      measured = number;
      [...picker.children].forEach((node, other) => node.setAttribute("aria-pressed", String(other === number)));
      const [month, now, before] = measures[number];
      const line = (column, isBefore) =>
        ({ name: column.label, type: "line", isBefore, values: rows.map((row) => row[column.name]) });
      place.replaceChildren(charts.figure({
        label: `${now.label} by month, against a year before`,
        categories: rows.map((row) => columns.written(month, row)),
        series: [line(now), line(before, true)],
        axis: format.axisAmount,
        value: (value) => columns.written(now, { [now.name]: value }, "exact"),
        table: table({
          caption: `${now.label} by month`, columns: measures[number], rows, size: 36, file: `trend-${now.name}`,
        }),
      }));
    }

    show(measured);
    return [picker, place];
  }

  wholesale.pages.overview = async (view, entry) => {
    const [rows, months] = await Promise.all([sales.ofPeriod(view), sales.byMonth(view)]);
    const open = (row, tile) => sales.showOrders(view, row, { title: tile.behind });
    const ranked = (name, key, label) => ({
      isSelected: (row) => row[key] === view[name],
      actions: {
        [name === "vendor" ? "vendor_name" : key]: (row) =>
          ({ label, key: row[key], run: () => wholesale.go({ [name]: row[key] }) }),
        order_count: (row) => ({
          label: "show the orders", key: row[key],
          run: () => sales.showOrders({ ...view, [name]: row[key] }, row),
        }),
      },
    });
    const found = {
      trend: upTo(months, view),
      top_vendors: sales.perVendor(rows, view),
      top_states: sales.perState(rows, view),
    };
    return page.content(entry, (tile) => ({ rows: found[tile.name] ?? [sales.only(rows, view)] }), {
      sales: { open }, orders: { open }, buyers: { open }, average_order_value: { open },
      trend: { draw: trend },
      top_vendors: ranked("vendor", "vendor_id", "filter by this vendor"),
      top_states: ranked("state", "state", "filter by this state"),
    });
  };
})();

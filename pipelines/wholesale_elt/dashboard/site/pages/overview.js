/** Overview: how business is, against a year before. */
(() => {
  "use strict";

  const { element, button, format, decimals, columns, table, charts, sparkline, page, sales, spans, Table, load } = wholesale;
  const MOVERS = 5;
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
          caption: `${now.label} by month`, columns: measures[number], rows, size: 36,
          file: `trend-${now.name}`, follows: ["vendor", "state"],
        }),
      }));
    }

    show(measured);
    return [picker, place];
  }

  /** How much each moved, the largest steps first, all of them or the first `most`. */
  function moved(rows, label, name, { most, empty = "Nothing to compare with a year before." } = {}) {
    const found = rows
      .filter((row) => row.sales_amount_year_before !== null)
      .map((row) => ({
        name: row[name],
        difference: decimals.text(decimals.units(row.sales_amount) - decimals.units(row.sales_amount_year_before)),
        sales_amount: row.sales_amount,
        sales_amount_year_before: row.sales_amount_year_before,
      }))
      .filter((row) => row.difference !== "0")
      .toSorted((left, right) => decimals.compare(size(right), size(left)))
      .slice(0, most);
    return table({
      caption: `${label}s that moved`,
      columns: [
        { name: "name", type: "text", label },
        { name: "difference", type: "difference", label: "Moved by", is_coloured: true },
        { name: "sales_amount", type: "amount", label: "Sales" },
        { name: "sales_amount_year_before", type: "amount", label: "A year before" },
      ],
      rows: found, size: MOVERS, empty, file: `moved-${name}`, follows: ["period", "vendor", "state"],
    });
  }

  function ofProducts({ period }) {
    return { most: MOVERS, ...(spans.chosen(period) && { empty: "Products are told of the periods on offer." }) };
  }

  /** Items and their variants by one name. */
  function named(products) {
    return products.map((row) => ({
      ...row, product_title: [row.item_title, row.variant_title].filter(Boolean).join(" · "),
    }));
  }

  function size({ difference }) {
    return difference.replace("-", "");
  }

  function daily(file, tile) {
    const rows = new Table(file).rows();
    const [day, amount] = tile.columns;
    if (rows.length === 0) return element("p", { class: "empty" }, "Nothing was sold.");
    return charts.figure({
      label: "Sales by day",
      categories: rows.map((row) => columns.written(day, row)),
      series: [{ name: amount.label, type: "bar", values: rows.map((row) => row.sales_amount) }],
      axis: format.axisAmount,
      value: format.exactAmount,
      table: table({ caption: "Sales by day", columns: tile.columns, rows, sort: day.name, size: 14, file: "daily" }),
    });
  }

  wholesale.pages.overview = async (view, entry) => {
    const [rows, months, days, products] = await Promise.all([
      sales.ofPeriod(view), sales.byMonth(view), load("daily"), sales.products(view),
    ]);
    const recent = upTo(months, view).slice(-12);
    const course = (name) => sparkline(recent.map((row) => row[name]));
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
      sales: { open, course: course("sales_amount") },
      orders: { open, course: course("order_count") },
      buyers: { open, course: course("buyer_count") },
      average_order_value: { open, course: course("average_order_value") },
      daily: { draw: (_, tile) => daily(days, tile) },
      moved: {
        draw: () => element(
          "div", { class: "halves" },
          moved(sales.perVendor(rows, view), "Vendor", "vendor_name"),
          moved(sales.perState(rows, view), "State", "state"),
        ),
      },
      moved_products: { draw: () => moved(named(products), "Product", "product_title", ofProducts(view)) },
      trend: { draw: trend },
      top_vendors: ranked("vendor", "vendor_id", "filter by this vendor"),
      top_states: ranked("state", "state", "filter by this state"),
    });
  };
})();

/** Orders to chase: unpaid by age, and orders short of a vendor's minimum. */
(() => {
  "use strict";

  const { element, format, charts, page, sales, load } = wholesale;

  /** Open or short orders are so whenever they were placed: the period does not narrow them. */
  function whenever(view) {
    return { ...view, period: wholesale.meta.everything };
  }

  function showOpen(view, row, title) {
    return sales.showOrders(whenever(view), row, {
      title,
      equal: { is_open: true, age_bucket: row.age_bucket },
      expected: { order_count: row.order_count, open_amount: row.open_amount },
    });
  }

  /** Shows the listed orders for which `test` holds; nothing where the list is cut. */
  function short(view, { rows, cut }, test, count) {
    if (cut.shown < cut.total) return undefined;
    return (row, tile) => sales.showOrders(whenever(view), row, {
      title: tile.behind,
      equal: { order_id: new Set(rows.filter(test).map((order) => order.order_id)) },
      expected: { order_count: row[count] },
    });
  }

  function chart(rows, tile) {
    const amount = tile.columns.find(({ name }) => name === "open_amount");
    return charts.figure({
      label: "Open amount by days since the order",
      categories: rows.map((row) => row.age_bucket),
      series: [{ name: amount.label, type: "bar", values: rows.map((row) => row.open_amount) }],
      axis: format.axisAmount,
      value: format.exactAmount,
    });
  }

  wholesale.pages.chase = async (view, entry) => {
    const read = page.reader(await load(entry.name), view);
    const minimum = read(entry.tiles.find(({ name }) => name === "below_minimum"));
    const open = (row, tile) => showOpen(view, row, tile.behind);
    return page.content(entry, read, {
      open: { open },
      open_over_90_days: { open },
      short_orders: { open: short(view, minimum, () => true, "order_count") },
      near_misses: { open: short(view, minimum, (row) => row.is_near_miss, "near_miss_count") },
      open_by_age: {
        frame: (rows, listed, tile) => element("div", { class: "beside" }, rows.length > 0 && chart(rows, tile), listed),
        actions: {
          order_count: (row) => ({
            label: "show the orders", key: row.age_bucket,
            run: () => showOpen(view, row, `Open for ${row.age_bucket} days`),
          }),
        },
      },
    });
  };
})();

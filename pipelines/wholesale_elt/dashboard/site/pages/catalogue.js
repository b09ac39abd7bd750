/** Catalogue: what sells, what does not, what should not, and what costs something else now. */
(() => {
  "use strict";

  const { element, charts, columns, drill, page, load } = wholesale;

  /** The orders with a line of the item; what is published without its lines cannot tell. */
  const ofItem = {
    item_title: (row) => wholesale.meta.has_items && row.item_id !== null && {
      label: "show the orders", key: `${row.item_id} ${row.sku}`,
      run: () => drill({
        title: `Orders of ${row.item_title}, any variant`,
        criteria: { equal: {}, item: row.item_id },
        expected: {},
      }),
    },
  };

  /** How many products, against how much of the sales. */
  function chart(rows, { columns: listed }) {
    const column = (name) => listed.find((candidate) => candidate.name === name);
    const percents = (name) => rows.map((row) => (row[name] === null ? null : String(100 * Number(row[name]))));
    const series = (name, isBefore) => ({ name: column(name).label, type: "bar", isBefore, values: percents(name) });
    const { label } = column("abc_class");
    return charts.figure({
      label: "Share of products and of sales by class",
      categories: rows.map((row) => `${label} ${columns.written(column("abc_class"), row)}`),
      series: [series("sales_share"), series("product_share", true)],
      axis: (value) => `${value}%`,
      value: (value) => `${Number(value).toFixed(1)}%`,
    });
  }

  wholesale.pages.catalogue = async (view, entry) =>
    page.content(entry, page.reader(await load(entry.name), view), {
      classes: { frame: (rows, listed, tile) => element("div", { class: "beside" }, chart(rows, tile), listed) },
      best_sellers: { actions: ofItem },
      ordered_but_inactive: { actions: ofItem },
    });
})();

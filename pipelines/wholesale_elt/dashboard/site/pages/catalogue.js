/** Catalogue: what sells, what does not, what should not, and what costs something else now. */
(() => {
  "use strict";

  const { element, tile, table, charts, Table, load } = wholesale;
  const { ALL } = wholesale.view;
  const PRODUCT = [
    { name: "item_title", label: "Item", kind: "text", isHeader: true },
    { name: "variant_title", label: "Variant", kind: "text" },
    { name: "sku", label: "SKU", kind: "code" },
    { name: "vendor_name", label: "Vendor", kind: "text" },
  ];
  const CLASS_NAMES = { none: "Unsold" };

  function listing(view, data, name, { columns, sort, descending, size = 12, empty }) {
    return table({
      caption: name.replaceAll("_", " "),
      columns: [...PRODUCT, ...columns],
      rows: new Table(data[name]).rows((row) => view.vendor === ALL || row.vendor_id === view.vendor),
      sort,
      descending,
      size,
      empty,
      file: name.replaceAll("_", "-"),
      limit: wholesale.meta.limits[name],
    });
  }

  /** How many products, against how much of the sales. */
  function chart(rows) {
    const percent = (rate) => (rate === null ? null : String(Number(rate) * 100));
    return charts.figure({
      label: "Share of products and of sales by class",
      categories: rows.map((row) => `Class ${row.abc_class}`),
      series: [
        { name: "Share of sales", kind: "bar", values: rows.map((row) => percent(row.sales_share)) },
        {
          name: "Share of products", kind: "bar", isBefore: true,
          values: rows.map((row) => percent(row.product_share)),
        },
      ],
      axis: (value) => `${value}%`,
      value: (value) => `${Number(value).toFixed(1)}%`,
    });
  }

  function classes(view, data) {
    const rows = new Table(data.classes).rows((row) => row.vendor_id === view.vendor);
    return tile("classes", { wide: true }, element("div", { class: "beside" }, chart(rows), table({
      caption: "ABC classes",
      columns: [
        { name: "abc_class", label: "Class", kind: "code", isHeader: true },
        { name: "product_count", label: "Products", kind: "count" },
        { name: "sales_amount", label: "Sales", kind: "amount" },
        { name: "sales_share", label: "Share", kind: "rate", bar: true },
        { name: "never_ordered_count", label: "Never ordered", kind: "count" },
        { name: "ordered_but_inactive_count", label: "Ordered, inactive", kind: "count" },
      ],
      rows: rows.map((row) => ({ ...row, abc_class: CLASS_NAMES[row.abc_class] ?? row.abc_class })),
      file: "abc-classes",
      empty: "This vendor has no products.",
    })));
  }

  wholesale.pages.catalogue = async (view) => {
    const data = await load("catalogue");
    const price = (name, label) => ({ name, label, kind: "price" });
    return [element(
      "div",
      { class: "tiles" },
      classes(view, data),
      tile("price_changes", { wide: true }, listing(view, data, "price_changes", {
        columns: [
          { name: "price_list", label: "List", kind: "text" },
          { name: "observed_at", label: "Seen", kind: "moment" },
          price("price_before", "Before"),
          price("price", "Now"),
          { name: "change_rate", label: "Change", kind: "change" },
        ],
        sort: "observed_at", size: 8, empty: "No price has changed since the first build.",
      })),
      tile("best_sellers", { wide: true }, listing(view, data, "products", {
        columns: [
          { name: "abc_class", label: "Class", kind: "code" },
          { name: "sales_amount", label: "Sales", kind: "amount", bar: true },
          { name: "unit_count", label: "Units", kind: "count" },
          { name: "order_count", label: "Orders", kind: "count" },
          { name: "buyer_count", label: "Buyers", kind: "count" },
          { name: "repeat_buyer_rate", label: "Buy again", kind: "rate" },
          price("unit_price", "Price"),
          { name: "last_ordered_date", label: "Last order", kind: "date" },
        ],
        sort: "sales_amount", empty: "Nothing was sold.",
      })),
      tile("never_ordered", { wide: true }, listing(view, data, "never_ordered", {
        columns: [{ name: "category_name", label: "Category", kind: "text" }, price("unit_price", "Price")],
        empty: "Every product that can be ordered was ordered.",
      })),
      tile("ordered_but_inactive", { wide: true }, listing(view, data, "ordered_but_inactive", {
        columns: [
          { name: "sales_amount", label: "Sales", kind: "amount", bar: true },
          { name: "order_count", label: "Orders", kind: "count" },
          { name: "unit_count", label: "Units", kind: "count" },
          { name: "last_ordered_date", label: "Last order", kind: "date" },
        ],
        sort: "sales_amount", empty: "All that was sold can still be ordered.",
      })),
    )];
  };
})();

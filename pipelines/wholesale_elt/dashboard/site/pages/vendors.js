/** Vendors: how each does in the period. */
(() => {
  "use strict";

  const { element, format, decimals, tile, tone, table, charts, sales } = wholesale;
  const DRAWN = 12;

  function columns(view) {
    const orders = (options) => (row) => ({
      label: options.label, key: row.vendor_id,
      run: () => sales.showOrders({ ...view, vendor: row.vendor_id }, row, options.drill?.(row)),
    });
    return [
      {
        name: "vendor_name", label: "Vendor", kind: "text", isHeader: true,
        run: (row) => ({
          label: "show this vendor alone", key: row.vendor_id,
          run: () => wholesale.go({ page: "overview", vendor: row.vendor_id }),
        }),
      },
      { name: "sales_amount", label: "Sales", kind: "amount", bar: true },
      { name: "sales_amount_growth", label: "Change", kind: "change", tone: (row) => tone(row.sales_amount_growth) },
      { name: "order_count", label: "Orders", kind: "count", run: orders({ label: "show the orders" }) },
      { name: "buyer_count", label: "Buyers", kind: "count" },
      { name: "average_order_value", label: "Average order", kind: "amount" },
      { name: "discount_rate", label: "Discount", kind: "rate" },
      { name: "below_minimum_rate", label: "Below minimum", kind: "rate" },
      {
        name: "below_minimum_count", label: "Orders below", kind: "count",
        run: orders({
          label: "show the orders below the minimum",
          drill: (row) => ({
            what: "Orders below the minimum",
            equal: { is_below_minimum: true },
            expected: { order_count: row.below_minimum_count },
          }),
        }),
      },
    ];
  }

  function chart(rows) {
    const largest = [...rows]
      .sort((one, other) => decimals.compare(other.sales_amount, one.sales_amount))
      .slice(0, DRAWN);
    return charts.figure({
      label: `Sales of the ${largest.length} largest vendors, against a year before`,
      categories: largest.map((row) => row.vendor_name.replace(/\s+/g, " ")),
      series: [
        { name: "Sales", kind: "bar", values: largest.map((row) => row.sales_amount) },
        {
          name: "A year before", kind: "bar", isBefore: true,
          values: largest.map((row) => row.sales_amount_year_before),
        },
      ],
      axis: format.axisAmount,
      value: format.exactAmount,
      isHorizontal: true,
    });
  }

  wholesale.pages.vendors = async (view) => {
    const rows = sales.perVendor(await sales.ofPeriod(view), view).map(sales.named);
    return [element("div", { class: "tiles" }, tile(
      "vendors",
      { wide: true },
      rows.length > 1 && chart(rows),
      table({
        caption: "Vendors", columns: columns(view), rows, sort: "sales_amount", size: 50, file: "vendors",
        empty: "No vendor sold anything in this period and state.",
        isSelected: (row) => row.vendor_id === view.vendor,
      }),
    ))];
  };
})();

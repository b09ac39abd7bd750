/** Vendors: how each does in the period. */
(() => {
  "use strict";

  const { format, decimals, charts, page, sales } = wholesale;
  const DRAWN = 12;

  function chart(rows, { columns }) {
    const largest = rows
      .toSorted((left, right) => decimals.compare(right.sales_amount, left.sales_amount))
      .slice(0, DRAWN);
    const series = (name, isBefore) => ({
      name: columns.find((column) => column.name === name).label,
      type: "bar",
      isBefore,
      values: largest.map((row) => row[name]),
    });
    return charts.figure({
      label: `Sales of the ${largest.length} largest vendors, against a year before`,
      categories: largest.map((row) => row.vendor_name.replace(/\s+/g, " ")),
      series: [series("sales_amount"), series("sales_amount_year_before", true)],
      axis: format.axisAmount,
      value: format.exactAmount,
      isHorizontal: true,
    });
  }

  function action(view, label, options = () => ({})) {
    return (row) => ({
      label, key: row.vendor_id,
      run: () => sales.showOrders({ ...view, vendor: row.vendor_id }, row, options(row)),
    });
  }

  function below(row) {
    return {
      title: "Orders below the minimum value",
      equal: { is_below_minimum_value: true },
      expected: { order_count: row.below_minimum_value_count },
    };
  }

  wholesale.pages.vendors = async (view, entry) => {
    const rows = sales.perVendor(await sales.ofPeriod(view), view);
    return page.content(entry, () => ({ rows }), {
      vendors: {
        frame: (shown, listed, tile) => [shown.length > 1 && chart(shown, tile), listed],
        isSelected: (row) => row.vendor_id === view.vendor,
        actions: {
          vendor_name: (row) => ({
            label: "show this vendor alone", key: row.vendor_id,
            run: () => wholesale.go({ page: "overview", vendor: row.vendor_id }),
          }),
          order_count: action(view, "show the orders"),
          below_minimum_value_count: action(view, "show the orders below the minimum value", below),
        },
      },
    });
  };
})();

/** Months: what vendors, account managers, places and prices came to in one of them. */
(() => {
  "use strict";

  const { page, sales, load } = wholesale;
  const { ALL } = wholesale.view;

  wholesale.pages.months = async (view, entry) => {
    const period = view.month.slice(0, 7);
    if (!wholesale.meta.spans.has(period)) return page.content(entry, () => ({ rows: [] }));
    const data = await load(`${entry.name}/${period}`);
    return page.content(entry, page.reader(data, view), {
      vendor_scorecard: {
        actions: {
          order_count: (row) => ({
            label: "show the orders", key: row.vendor_id,
            run: () => sales.showOrders({ ...view, period, vendor: row.vendor_id, state: ALL }, row),
          }),
        },
      },
    });
  };
})();

/** Sales of a period, vendor and state: looked up, and the way to the orders behind them. */
(() => {
  "use strict";

  const { Table, load, drill, filters, vendorOf } = wholesale;
  const { ALL } = wholesale.view;
  const NOTHING = {
    order_count: 0, buyer_count: 0, unit_count: 0, sales_amount: "0", billed_amount: "0",
    average_order_value: null, below_minimum_count: 0, below_minimum_rate: null,
  };
  const NOTHING_BEFORE = {
    order_count_year_before: null, buyer_count_year_before: null,
    sales_amount_year_before: null, average_order_value_year_before: null,
    order_count_growth: null, buyer_count_growth: null,
    sales_amount_growth: null, average_order_value_growth: null,
  };

  /** A year before that the data reach only in part compares with nothing. */
  function compared(row, key) {
    const period = wholesale.meta.periods.find((one) => one.period_key === key);
    return period?.is_year_before_covered ? row : { ...row, ...NOTHING_BEFORE };
  }

  /** Rows of a vendor or state; those of both stand in a file of their own, read when asked for. */
  async function ofPeriod({ period, vendor, state }) {
    const names = vendor === ALL && state === ALL ? ["period"] : ["period", "cross"];
    const files = await Promise.all(names.map((name) => load(`${name}/${period}`)));
    return files.flatMap((file) => new Table(file).rows()).map((row) => compared(row, period));
  }

  /** The one row of a vendor and state; where there is none, nothing was sold. */
  function only(rows, view) {
    const row = rows.find((one) => one.vendor_id === view.vendor && one.state === view.state);
    return row ?? { ...NOTHING, ...NOTHING_BEFORE, vendor_id: view.vendor, state: view.state };
  }

  function perVendor(rows, view) {
    return rows.filter((row) => row.vendor_id !== ALL && row.state === view.state);
  }

  function perState(rows, view) {
    return rows.filter((row) => row.vendor_id === view.vendor && row.state !== ALL);
  }

  function named(row) {
    return { ...row, vendor_name: vendorOf(row.vendor_id) };
  }

  /** Months of a vendor in a state, oldest first. */
  async function byMonth(view) {
    const { shard } = wholesale.meta.vendors.find((vendor) => vendor.id === view.vendor);
    const table = new Table(await load(`trend/${shard}`));
    return table
      .rows((row) => row.state === view.state && (row.vendor_id ?? view.vendor) === view.vendor)
      .map((row) => compared(row, row.month))
      .sort((one, other) => (one.month < other.month ? -1 : 1));
  }

  /** First and last day of a period; none for everything, which takes in orders without a date. */
  function days(key) {
    const period = wholesale.meta.periods.find((one) => one.period_key === key);
    return period.period_kind === "all" ? {} : { first: period.first_day, last: period.last_day };
  }

  /** Opens the orders of a view; `row` says what they must add up to. */
  function showOrders(view, row, { what = "Orders", equal = {}, expected } = {}) {
    return drill({
      title: `${what}: ${filters.words(view, wholesale.meta)}`,
      criteria: { ...days(view.period), equal: { vendor_id: view.vendor, state: view.state, ...equal } },
      expected: expected ?? {
        order_count: row.order_count, sales_amount: row.sales_amount, buyer_count: row.buyer_count,
      },
    });
  }

  wholesale.sales = { ofPeriod, only, perVendor, perState, named, byMonth, days, showOrders };
})();

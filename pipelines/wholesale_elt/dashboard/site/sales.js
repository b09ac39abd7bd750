/** Sales: those of a period, vendor and state, looked up, and the way to the orders behind them. */
(() => {
  "use strict";

  const { Table, decimals, load, drill, filters, orders, spans } = wholesale;
  const { ALL } = wholesale.view;
  const NOTHING = { order_count: 0, buyer_count: 0, sales_amount: "0", average_order_value: null };
  const COMPARED = Object.keys(NOTHING);

  function spanOf(key) {
    return spans.of(key, wholesale.meta);
  }

  /** A year before that the data reach only in part compares with nothing. */
  function compared(row, key) {
    if (spanOf(key)?.is_year_before_covered) return row;
    return Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, name.endsWith("_year_before") ? null : value]),
    );
  }

  /** Rows of a vendor or state; those of both stand in a file of their own, read when asked for. */
  async function ofPeriod({ period, vendor, state }) {
    if (spans.chosen(period)) return ofChosenDays(period);
    const names = vendor === ALL && state === ALL ? ["period"] : ["period", "cross"];
    const files = await Promise.all(names.map((name) => load(`${name}/${period}`)));
    return files
      .flatMap((file) => new Table(file).rows())
      .map((row) => ({ ...compared(row, period), vendor_name: filters.labelOf("vendor", row.vendor_id) }));
  }

  /**
   * The same of chosen days, counted from their orders.
   *
   * Growth is told of all vendors together: when each began, orders do not tell.
   */
  async function ofChosenDays(period) {
    const span = spanOf(period);
    const now = await orders.sold({ first: span.first_day, last: span.last_day });
    const before = span.is_year_before_covered
      ? await orders.sold({ first: span.year_before_first_day, last: span.year_before_last_day })
      : new Map();
    return [...new Map([...before, ...now])].map(([key, { vendor_id, state }]) => {
      const sold = { ...NOTHING, vendor_id, state, ...now.get(key) };
      const vendor_name = filters.labelOf("vendor", vendor_id);
      return { ...sold, vendor_name, ...against(sold, before.get(key), vendor_id === ALL) };
    });
  }

  /** The measures of a year before, and how much each grew since, if that is told. */
  function against(now, before, isTold) {
    return Object.fromEntries(COMPARED.flatMap((name) => {
      const [is, was] = [now[name], before?.[name] ?? null];
      return [[`${name}_year_before`, was], [`${name}_growth`, isTold ? decimals.growth(is, was) : null]];
    }));
  }

  /** The one row of a vendor and state; where there is none, nothing was sold. */
  function only(rows, view) {
    const row = rows.find((candidate) => candidate.vendor_id === view.vendor && candidate.state === view.state);
    return row ?? NOTHING;
  }

  function perVendor(rows, view) {
    return rows.filter((row) => row.vendor_id !== ALL && row.state === view.state);
  }

  function perState(rows, view) {
    return rows.filter((row) => row.vendor_id === view.vendor && row.state !== ALL);
  }

  /** Products whose sales moved most, of a vendor or of all, in all states; none of chosen days. */
  async function products({ period, vendor }) {
    if (spans.chosen(period)) return [];
    return new Table(await load(`products/${period}`))
      .rows((row) => vendor === ALL || row.vendor_id === vendor)
      .map((row) => compared(row, period));
  }

  /** Months of a vendor in a state, oldest first. */
  async function byMonth(view) {
    const shard = wholesale.meta.shards[view.vendor];
    if (shard === undefined) return [];
    return new Table(await load(`trend/${shard}`))
      .rows((row) => row.state === view.state && row.vendor_id === view.vendor)
      .map((row) => compared(row, row.period_key))
      .toSorted((left, right) => (left.period_key < right.period_key ? -1 : 1));
  }

  /** First and last day of a period; none for everything, which takes in orders without a date. */
  function days(key) {
    const span = spanOf(key);
    return span.period_kind === "all" ? {} : { first: span.first_day, last: span.last_day };
  }

  /** Opens the orders of a view; `row` says what they must add up to. */
  function showOrders(view, row, { title = "Orders", equal = {}, expected } = {}) {
    return drill({
      title: `${title}: ${filters.words(view)}`,
      criteria: { ...days(view.period), equal: { vendor_id: view.vendor, state: view.state, ...equal } },
      expected: expected ?? {
        order_count: row.order_count, sales_amount: row.sales_amount, buyer_count: row.buyer_count,
      },
    });
  }

  wholesale.sales = { ofPeriod, only, perVendor, perState, products, byMonth, days, showOrders };
})();

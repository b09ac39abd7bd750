/** List: the orders of a view, of which a page reads what it shows: the newest first, the rest when it is asked for. */
(() => {
  "use strict";

  const { days, decimals, facts, orders, prepared, sorting } = wholesale;
  const { BRIEF, CHOICES, columnsOf, filterOf, months, placesIn, rowsAt } = orders;
  /** What is summed of them, besides the total of what is to be paid. */
  const SUMMED = ["orders", "sales", "orders_with_an_amount", "buyer", "is_deleted"];
  /** What a list shows of them. */
  const LISTED = [
    ...BRIEF,
    "order_status",
    "payment_status",
    "order_id",
    "order_number",
    "payment_standing",
    "sub_total",
    "total",
    "unit_count",
    "is_deleted",
    "is_overdue",
    "value_shortfall",
    "quantity_shortfall",
  ];
  const OF_SALES = ["orders", "sales", "orders_with_an_amount", "active_buyers", "orders_placed"];

  /** Lets the page draw, and take what is pressed. */
  const pause = () => new Promise((resolve) => setTimeout(resolve));

  const nothing = () => ({ listed: 0, orders: 0, cancelled: 0, deleted: 0, unpriced: 0, untotaled: 0, buyers: 0 });

  /** The sums of a view whose orders nobody chose; null where they are not prepared. */
  async function preparedSum({ period, where = {}, own = {} }, isTotaled) {
    const span = days.period(period, wholesale.meta.figures_up_to);
    const filter = await filterOf({ period, where, own });
    if (!span || isTotaled || Object.keys(filter.where).length || CHOICES.some((name) => own[name])) return null;
    const wanted = OF_SALES.map((name) => ({ name }));
    const found = await prepared.counted({ fact: facts.ORDERS, wanted, by: [], where: {}, grain: null, span });
    if (!found) return null;
    const { total, listed } = found;
    return {
      ...nothing(),
      listed,
      orders: total.orders,
      cancelled: total.orders_placed - total.orders,
      deleted: listed - total.orders_placed,
      unpriced: total.orders - total.orders_with_an_amount,
      buyers: total.active_buyers,
      sales: total.sales ?? "0",
      toPay: "0",
    };
  }

  /** A sum to which the orders of months are added. */
  function adding(scale, isTotaled) {
    const sum = nothing();
    const buyers = new Set();
    let [sales, toPay] = [0n, 0n];
    const add = (places, { orders: is, sales: amount, orders_with_an_amount: has, buyer, is_deleted: gone, total }) => {
      let inMonth = 0;
      for (const place of places) {
        sum.listed += 1;
        if (is(place) !== 1) {
          sum[gone(place) ? "deleted" : "cancelled"] += 1;
          continue;
        }
        sum.orders += 1;
        if (has(place) !== 1) sum.unpriced += 1;
        else if (typeof amount(place) === "number") inMonth += amount(place);
        else sales += BigInt(amount(place));
        if (buyer(place) !== null) buyers.add(buyer(place));
        if (!isTotaled) continue;
        if (total(place) === null) sum.untotaled += 1;
        else toPay += decimals.units(total(place));
      }
      sales += BigInt(inMonth);
    };
    return {
      add,
      told: () => ({
        ...sum,
        buyers: buyers.size,
        sales: decimals.shifted(sales, scale),
        toPay: decimals.text(toPay),
      }),
    };
  }

  /** The rows of some orders, `{month, place}`, with these columns, in their order. */
  async function rowsOf(entries, columns) {
    const byMonth = Map.groupBy(entries, ({ month }) => month);
    const rows = new Map();
    for (const [month, own] of byMonth) {
      const places = own.map(({ place }) => place).toSorted((left, right) => left - right);
      for (const row of await rowsAt(month, places, columns)) rows.set(row.key, row);
      if (byMonth.size > 1) await pause();
    }
    return entries.map(({ month, place }) => rows.get(`${month}/${place}`));
  }

  /**
   * The orders of a view: `sum` of those that were looked at, or of all once `isWhole`; `rows(most)` the first ones,
   * in the order of the list, which `sort` changes; `whole` looks at all. `follow` is told how far it is.
   */
  async function list(view, { isTotaled = false, follow = () => {} } = {}) {
    const filter = await filterOf(view);
    const names = await months(filter);
    const known = await preparedSum(view, isTotaled);
    const { scale } = await facts.measureOf("sales");
    const counted = adding(scale, isTotaled);
    const found = [];
    let sorted = null;
    let looked = 0;
    let turn = Promise.resolve();

    async function next() {
      const month = names[looked];
      const places = await placesIn(month, filter);
      if (!known) {
        const columns = await columnsOf(month, isTotaled ? [...SUMMED, "total"] : SUMMED, places);
        counted.add(places, columns);
      }
      for (const place of places.toReversed()) found.push({ month, place });
      looked += 1;
      follow(looked, names.length);
      await pause();
    }

    /** Looks at months, one after the other, until there are so many. */
    function upTo(most) {
      turn = turn
        .catch(() => {})
        .then(async () => {
          while (looked < names.length && found.length < most) await next();
        });
      return turn;
    }

    return {
      sum: () => known ?? counted.told(),
      isWhole: () => Boolean(known) || looked === names.length,
      whole: () => upTo(Infinity),
      async rows(most) {
        await upTo(sorted ? Infinity : most);
        return rowsOf((sorted ?? found).slice(0, most), LISTED);
      },
      /** Sorts all by what `valueOf` says of rows with these columns; null takes the newest first again. */
      async sort(columns, valueOf, isAscending) {
        await upTo(Infinity);
        const rows = columns && (await rowsOf(found, [...BRIEF, ...columns]));
        sorted = columns && sorting.sorted(found, rows.map(valueOf), isAscending);
      },
    };
  }

  orders.list = list;
  wholesale.receive("orders/list", null);
})();

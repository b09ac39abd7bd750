/** Orders: those behind a number, found in the monthly files, counted and summed exactly. */
(() => {
  "use strict";

  const { Table, decimals, load, release } = wholesale;
  const { ALL } = wholesale.view;
  const UNDATED = "undated";

  /** The files that may hold orders between two days, newest first; without days, all of them. */
  function files({ first, last }) {
    const names = Object.keys(wholesale.meta.orders);
    const months = names.filter((name) => name !== UNDATED).toSorted().toReversed();
    const within = months.filter((month) =>
      (!first || month >= first.slice(0, 7)) && (!last || month <= last.slice(0, 7)));
    const isUndatedToo = !first && !last && names.includes(UNDATED);
    return isUndatedToo ? [...within, UNDATED] : within;
  }

  /** How many orders must be read to answer. */
  function cost(criteria) {
    return files(criteria).reduce((sum, name) => sum + wholesale.meta.orders[name], 0);
  }

  /** A test of row numbers: days, and every column that `equal` names, with a value or a set. */
  function matcher(table, { first, last, equal }) {
    const wanted = Object.entries(equal)
      .filter(([, value]) => value !== ALL && value !== undefined)
      .map(([column, value]) => [table.reader(column), value]);
    const day = table.reader("ordered_date");
    return (row) =>
      wanted.every(([read, value]) => (value instanceof Set ? value.has(read(row)) : read(row) === value))
      && (!first || (day(row) !== null && day(row) >= first))
      && (!last || (day(row) !== null && day(row) <= last));
  }

  /**
   * Reads file after file, as long as `observe`, called after each, says true or promises it.
   *
   * `criteria`: `{first, last, equal, item}`, days inclusive, `equal` from column to value or set,
   * `item` one that a line of the order is of. What is found: `{rows, count, sales, billed, buyers, read, of, isDone}`, amounts in units of
   * `decimals`; only the first `keep` rows are kept, all are counted.
   */
  async function find(criteria, { keep, observe }) {
    const names = files(criteria);
    const found = {
      rows: [], count: 0, sales: 0n, billed: 0n, buyers: new Set(),
      read: 0, of: names.length, isDone: names.length === 0,
    };
    if (found.isDone) observe(found);
    for (const name of names) {
      const table = new Table(await load(`orders/${name}`));
      const places = criteria.item === undefined ? null : await placesOf(criteria.item, name);
      release(`orders/${name}`);
      add(found, table, criteria, keep, places);
      found.read += 1;
      found.isDone = found.read === names.length;
      if (!(await observe(found))) return;
    }
  }

  /** Which rows of a month's orders have a line of this item. */
  async function placesOf(item, name) {
    const table = new Table(await load(`items/${name}`));
    release(`items/${name}`);
    return new Set(table.rows((row) => row.item_id === item).map(({ place }) => place));
  }

  function add(found, table, criteria, keep, places) {
    const matches = matcher(table, criteria);
    const [sales, billed, buyer] = ["sub_total", "total", "buyer_id"].map((name) => table.reader(name));
    const readers = Object.keys(table.columns).map((name) => [name, table.reader(name)]);
    for (let row = 0; row < table.length; row += 1) {
      if ((places && !places.has(row)) || !matches(row)) continue;
      found.count += 1;
      found.sales += decimals.units(sales(row));
      found.billed += decimals.units(billed(row));
      if (buyer(row) !== null) found.buyers.add(buyer(row));
      if (found.rows.length < keep) {
        found.rows.push(Object.fromEntries(readers.map(([name, read]) => [name, read(row)])));
      }
    }
  }

  /**
   * What was sold on days that no report sums up: rows by vendor and state, with `all` for either.
   *
   * The files of the months are read one after the other; line discounts are in none of them.
   */
  async function sold(days) {
    const groups = new Map();
    for (const name of files(days)) {
      const table = new Table(await load(`orders/${name}`));
      release(`orders/${name}`);
      group(groups, table, { ...days, equal: {} });
    }
    return new Map([...groups].map(([key, found]) => [key, measured(found)]));
  }

  function group(groups, table, criteria) {
    const matches = matcher(table, criteria);
    const [vendor, state, buyer, sales, isBelow] =
      ["vendor_id", "state", "buyer_id", "sub_total", "is_below_minimum_value"].map((name) => table.reader(name));
    for (let row = 0; row < table.length; row += 1) {
      if (!matches(row)) continue;
      for (const vendorId of [ALL, vendor(row)]) {
        for (const place of [ALL, state(row)]) {
          const key = JSON.stringify([vendorId, place]);
          if (!groups.has(key)) {
            groups.set(key, { vendor_id: vendorId, state: place, count: 0, priced: 0, sales: 0n, below: 0, buyers: new Set() });
          }
          const found = groups.get(key);
          found.count += 1;
          found.priced += sales(row) === null ? 0 : 1;
          found.sales += decimals.units(sales(row));
          found.below += isBelow(row) ? 1 : 0;
          if (buyer(row) !== null) found.buyers.add(buyer(row));
        }
      }
    }
  }

  function measured({ vendor_id, state, count, priced, sales, below, buyers }) {
    const orders = decimals.units(count);
    return {
      vendor_id,
      state,
      order_count: count,
      buyer_count: buyers.size,
      sales_amount: decimals.text(sales),
      average_order_value: decimals.ratio(sales, decimals.units(priced)),
      discount_rate: null,
      below_minimum_value_count: below,
      below_minimum_value_rate: decimals.ratio(decimals.units(below), orders),
    };
  }

  wholesale.orders = { find, cost, sold };
})();

/** Tasks: what waits for somebody, by kind, and how its sentences and lists name what it is about. */
(() => {
  "use strict";

  const { load, objects, rowsOf } = wholesale;
  const { h, Link, Name } = wholesale.elements;
  /** How urgent a line is. */
  const [LATE, SOON, SOME_TIME] = [2, 1, 0];
  const GROUPS = { buyers: "Buyers", orders: "Orders", money: "Money", prices: "Prices" };

  /** Whom or what a row is about, and for which reason: a later reason is another task. */
  const MEMBERS = {
    unknown_state: (row) => `unknown_state/${row.field_name}/${row.state}`,
    due: (row) => `due/${row.buyer_id}/${row.last_ordered_date}`,
    silent: (row) => `silent/${row.buyer_id}/${row.last_ordered_date}`,
    unusual: (row) => `unusual/${row.first_day}/${row.dimension}/${row.member}/${row.amount}`,
    unconfirmed: (row) => `unconfirmed/${row.order_id}`,
    old: (row) => `old/${row.order_id}`,
    overdue: (row) => `overdue/${row.order_id}`,
    near_misses: (row) => `near_misses/${row.order_id}/${row.amount}`,
    below_list: (row) => `below_list/${row.order_line_id}`,
  };

  /** The kinds of tasks with their rows, read once, each with what all of it come to. */
  let found = null;
  function read() {
    found ??= load("tasks").then((tables) => {
      const totals = new Map(rowsOf(tables.totals).map((row) => [row.kind, row]));
      const kinds = Object.fromEntries(
        Object.keys(MEMBERS).map((kind) => [
          kind,
          {
            rows: rowsOf(tables[kind]),
            largest: rowsOf(tables.largest[kind])[0],
            ...totals.get(kind),
          },
        ]),
      );
      return { kinds, usual: rowsOf(tables.usual)[0] ?? {}, receivables: rowsOf(tables.receivables) };
    });
    return found;
  }

  const product = (row) => objects.productName(row);
  const buyer = (row) => h`<${Name} of="buyer" id=${row.buyer_id} name=${row.buyer_name} class="a" />`;
  /** What sales are of: all, or a vendor, buyer or product by its name, an account manager by its id. */
  function memberOf({ dimension, member, member_name: name }) {
    if (dimension === "sales") return "all sales";
    if (dimension === "account_manager") return name ?? member;
    return h`<${Name} of=${dimension} id=${member} name=${name} class="a" />`;
  }

  /** Where to see why: the sales of seven days beside those before, the orders of one, or the product. */
  function whyOf({ dimension, member, first_day: first, last_day: last }) {
    const isProduct = dimension === "product";
    return wholesale.view.linkTo(wholesale.shown, {
      ...(isProduct ? { page: dimension, id: member } : { page: first === last ? "orders" : "sales" }),
      period: `${first}..${last}`,
      compare: "period",
      where: isProduct || dimension === "sales" ? {} : { [dimension]: [member] },
    });
  }

  const order = (row, text) => h`<${Link} to="order" id=${row.order_number ?? row.order_id} class="a">${text}<//>`;
  const list = (kind) => wholesale.view.linkTo(wholesale.shown, { page: "today", id: kind });

  const FIELDS = {
    order_status: "Orders",
    payment_status: "Payments",
    order_terms: "Terms of vendors",
    order_processing_time: "Processing times",
    order_processing_on: "Processing days",
    order_processing_cut_off_time: "Cut-off times",
    order_shipping_days: "Shipping days",
  };
  const isOfVendors = (row) => !row.field_name.endsWith("_status");
  const inState = (row) =>
    wholesale.view.linkTo(
      wholesale.shown,
      isOfVendors(row)
        ? { page: "vendors" }
        : { page: "orders", period: "all_time", where: { [row.field_name]: [row.state] } },
    );

  wholesale.todo = {
    GROUPS,
    MEMBERS,
    FIELDS,
    read,
    product,
    buyer,
    memberOf,
    whyOf,
    order,
    list,
    isOfVendors,
    inState,
    LATE,
    SOON,
    SOME_TIME,
  };
})();

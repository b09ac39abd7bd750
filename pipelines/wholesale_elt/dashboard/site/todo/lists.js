/** Lists: the whole list of each kind of task. */
(() => {
  "use strict";

  const { age, format, todo } = wholesale;
  const { h, useLoaded, Loaded, Name, OrderNumber, Section, State } = wholesale.elements;
  const { FIELDS, product, order, isOfVendors, inState } = todo;

  /** A number of days with its unit, which a phone shows without a heading. */
  const days = (name) => (row) => (row[name] === null ? format.NONE : format.plural(row[name], "day"));

  /** Columns of the whole list of a kind. */
  const shown = {
    silent: {
      name: "days_since_last_order",
      label: "Silent for",
      type: "count",
      phrase: "silent for {}",
      show: days("days_since_last_order"),
    },
    last: {
      name: "last_ordered_date",
      label: "Last order",
      type: "date",
      drop: 3,
      show: (row) => order(row, format.date(row.last_ordered_date)),
    },
    basket: { name: "basket_amount", label: "Last amount", type: "amount", drop: 4, phrase: "{}" },
    buyer: {
      name: "buyer_name",
      label: "Buyer",
      show: (row) => h`<${Name} of="buyer" id=${row.buyer_id} name=${row.buyer_name} />`,
    },
    vendor: {
      name: "vendor_name",
      label: "Vendor",
      drop: 3,
      show: (row) => h`<${Name} of="vendor" id=${row.vendor_id} name=${row.vendor_name} />`,
    },
    order: {
      name: "order_number",
      label: "Order",
      style: "narrow",
      show: (row) => h`<${OrderNumber} number=${row.order_number} id=${row.order_id} />`,
    },
    state: {
      name: "order_status",
      label: "Status",
      show: (row) => h`<${State} code=${row.order_status} />`,
    },
    day: { name: "ordered_date", label: "Ordered", type: "date", drop: 4 },
    waiting: { name: "waiting_days", label: "Age", type: "count", phrase: "{} old", show: days("waiting_days") },
    amount: { name: "amount", label: "Amount", type: "amount" },
    product: {
      name: "item_title",
      label: "Product",
      drop: 2,
      value: product,
      show: (row) => h`<${Name} of="product" id=${row.product_id}>${product(row)}<//>`,
    },
  };
  const orderColumns = [shown.order, shown.buyer, shown.vendor, shown.state, shown.day, shown.waiting, shown.amount];
  const LISTS = {
    unknown_state: {
      title: "States and words without a meaning",
      sort: null,
      note: () =>
        "The settings do not say what these mean. Until they do, orders in these states count neither as waiting nor " +
        "as owed nor as done, and when orders on these terms are due is not known.",
      columns: [
        {
          name: "state",
          label: "State or words",
          show: (row) =>
            h`<a class="name" href=${inState(row)}>${isOfVendors(row) ? row.state : format.word(row.state)}</a>`,
        },
        { name: "field_name", label: "Of", drop: 5, show: (row) => FIELDS[row.field_name] },
        { name: "order_count", label: "Orders", type: "count" },
        shown.amount,
      ],
    },
    due: {
      title: "Due within seven days",
      sort: null,
      note: () =>
        "Of buyers with about as many purchases, silent for as long, at least half ordered within seven days.",
      columns: [
        shown.buyer,
        {
          name: "order_in_week_share",
          label: "Orders in 7 days",
          type: "share",
          phrase: "{} within seven days",
        },
        shown.silent,
        shown.last,
        shown.basket,
        { ...shown.amount, label: "Usual amount" },
      ],
    },
    silent: {
      title: "Silent buyers",
      sort: null,
      note: () => "They have not ordered for longer than they usually leave between two orders.",
      columns: [
        shown.buyer,
        {
          name: "median_days_between_orders",
          label: "Buys every",
          type: "count",
          drop: 5,
          phrase: "buys every {}",
          show: days("median_days_between_orders"),
        },
        shown.silent,
        shown.last,
        shown.basket,
        { ...shown.product, label: "Mainly bought", drop: 2, phrase: "mainly {}" },
        { ...shown.amount, label: "Spends a month" },
      ],
    },
    unusual: {
      title: "Out of the ordinary",
      sort: null,
      note: () =>
        "Sales of seven days, or of one, outside those of all like them of the year before, in shares of the twelve " +
        "weeks before each. By chance alone 2 of 53 are, more where less than a year is known.",
      columns: [
        { name: "member_name", label: "Sales of", show: todo.memberOf, value: (row) => row.member_name ?? row.member },
        { name: "low_amount", label: "From", type: "amount", drop: 3 },
        { name: "high_amount", label: "To", type: "amount", drop: 2 },
        { ...shown.amount, label: "Sold" },
        {
          name: "last_day",
          label: "Days",
          show: (row) => h`<a class="a" href=${todo.whyOf(row)}>${format.days(row.first_day, row.last_day)}</a>`,
        },
      ],
    },
    overdue: {
      title: "Shipped and unpaid",
      note: () =>
        "Shipped, not paid, and past the due day; where that is not known, ordered over " +
        `${format.count(wholesale.meta.overdue_days)} days ${age.ago()}. What has not shipped is not owed yet.`,
      columns: orderColumns,
      sort: "waiting_days",
    },
    unconfirmed: {
      title: "Orders to confirm",
      note: () => "They have waited to be confirmed for longer than usual.",
      columns: orderColumns,
      sort: "waiting_days",
    },
    old: {
      title: "Old orders",
      note: () =>
        `Ordered over ${format.count(wholesale.meta.old_order_days)} days ${age.ago()}, and never sent: ` +
        "send or cancel them.",
      columns: orderColumns,
      sort: "waiting_days",
    },
    near_misses: {
      title: "One carton short",
      note: () => "Open orders that one more carton would take over their vendor’s minimum.",
      sort: "amount",
      columns: [
        shown.order,
        shown.buyer,
        shown.vendor,
        { name: "value_shortfall", label: "Short by", type: "amount" },
        { name: "minimum_order_value", label: "Minimum", type: "amount", drop: 1 },
        { ...shown.product, label: "A carton of", drop: 4, phrase: "a carton of {}" },
        { name: "carton_amount", label: "Costs", type: "amount", drop: 2 },
        shown.amount,
      ],
    },
    below_list: {
      title: "Sold below the list price",
      note: () =>
        `Lines of the last ${format.plural(wholesale.meta.recent_days, "day")} at a price below the buyer’s price ` +
        "list of that day.",
      sort: "amount",
      columns: [
        shown.order,
        shown.buyer,
        { ...shown.product, drop: undefined },
        { name: "quantity", label: "Pieces", type: "count", drop: 1 },
        { name: "unit_price", label: "Price", type: "exact", drop: 5 },
        { name: "list_price", label: "List price", type: "exact", drop: 3 },
        { ...shown.amount, label: "Lost" },
      ],
    },
  };

  /** A box for each row: the line that tells all of them in one is ticked once all of them are. */
  function doneColumn(kind, kinds, ticked) {
    const at = (row) => ticked.get(todo.MEMBERS[kind](row)) ?? null;
    const line = (row) => ({ members: [todo.MEMBERS[kind](row)] });
    return {
      name: "done",
      label: "Done",
      isBox: true,
      value: at,
      show: (row) =>
        h`<input type="checkbox" class="tick" checked=${at(row) !== null} aria-label=${`Done: ${calledBy(row)}`}
            title=${at(row) ? `Ticked ${age.said(at(row))}` : undefined}
            onChange=${() => todo.tick(kinds, line(row), at(row) === null)} />`,
    };
  }

  /** What tells a row from the others. */
  const calledBy = (row) =>
    [row.state, row.order_number ?? row.order_id, row.buyer_name, row.sku].filter(Boolean).slice(0, 2).join(", ");

  /** The whole list of one kind of task. */
  function List({ kind }) {
    const of = useLoaded(todo.read, "tasks");
    const ticked = todo.useTicks(of.value?.kinds);
    const { title, note, columns, sort } = todo.LISTS[kind];
    const each = kind === "silent" ? " a month" : "";
    const sumOf = ({ amount }) => (amount === null ? "" : `, ${format.amount(amount)}${each}`);
    return h`<${Loaded} of=${of}>
      ${({ kinds }) =>
        h`<${Section} title=${title}
            note=${`${format.count(kinds[kind].row_count)}${sumOf(kinds[kind])}`}>
          <p class="lead">${note()}</p>
          <${wholesale.Table} caption=${title} columns=${[...columns, doneColumn(kind, kinds, ticked)]}
              rows=${kinds[kind].rows}
              total=${kinds[kind].row_count} sort=${sort} file=${kind} size=${50} empty="Nothing is waiting here." />
        <//>`}
    <//>`;
  }

  Object.assign(todo, { LISTS, List });
})();

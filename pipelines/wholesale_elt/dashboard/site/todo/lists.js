/** Lists: the whole list of each kind of task. */
(() => {
  "use strict";

  const { age, format, todo } = wholesale;
  const { h, useLoaded, Loaded, Name, OrderNumber, Section, State } = wholesale.elements;
  const { FIELDS, product, order, isOfVendors, inState } = todo;

  /** Columns of the whole list of a kind. */
  const shown = {
    buyer: {
      name: "buyer_name",
      label: "Buyer",
      show: (row) => h`<${Name} of="buyer" id=${row.buyer_id} name=${row.buyer_name} />`,
    },
    vendor: {
      name: "vendor_name",
      label: "Vendor",
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
    day: { name: "ordered_date", label: "Ordered", type: "date" },
    waiting: { name: "waiting_days", label: "Days", type: "count" },
    amount: { name: "amount", label: "Amount", type: "amount" },
    product: {
      name: "item_title",
      label: "Product",
      value: product,
      show: (row) => h`<${Name} of="product" id=${row.product_id}>${product(row)}<//>`,
    },
  };
  const orderColumns = [shown.order, shown.buyer, shown.vendor, shown.state, shown.day, shown.waiting, shown.amount];
  const LISTS = {
    unknown_state: {
      title: "Without a meaning",
      sort: null,
      note: () =>
        "No setting says what they mean: until one does, orders in these states are not told to wait, to be owed or " +
        "to be done, and of orders under these terms it is not known when they are due.",
      columns: [
        {
          name: "state",
          label: "State or words",
          show: (row) =>
            h`<a class="name" href=${inState(row)}>${isOfVendors(row) ? row.state : format.word(row.state)}</a>`,
        },
        { name: "field_name", label: "Of", show: (row) => FIELDS[row.field_name] },
        { name: "order_count", label: "Orders", type: "count" },
        shown.amount,
      ],
    },
    silent: {
      title: "Silent buyers",
      sort: null,
      note: () => "Silent beyond their own rhythm: for longer than the gaps between their orders let expect.",
      columns: [
        shown.buyer,
        { name: "median_days_between_orders", label: "Buys every", type: "count" },
        { name: "days_since_last_order", label: "Silent for", type: "count" },
        {
          name: "last_ordered_date",
          label: "Last basket",
          type: "date",
          show: (row) => order(row, format.date(row.last_ordered_date)),
        },
        { name: "basket_amount", label: "Its amount", type: "amount" },
        { ...shown.product, label: "Mostly" },
        { ...shown.amount, label: "A month" },
      ],
    },
    overdue: {
      title: "Shipped and unpaid",
      note: () =>
        "Sent, not paid, and past the due day; where that is not known, ordered over " +
        `${format.count(wholesale.meta.overdue_days)} days ${age.ago()}. What was not sent is not owed.`,
      columns: orderColumns,
      sort: "waiting_days",
    },
    unconfirmed: {
      title: "Orders to confirm",
      note: () => "Waiting to be accepted for longer than usual.",
      columns: orderColumns,
      sort: "waiting_days",
    },
    old: {
      title: "Old orders",
      note: () => `Ordered over ${format.count(wholesale.meta.old_order_days)} days ${age.ago()}, and never sent.`,
      columns: orderColumns,
      sort: "waiting_days",
    },
    near_misses: {
      title: "One carton short",
      note: () => "Open orders that one more carton lifts over the minimum of their vendor.",
      sort: "amount",
      columns: [
        shown.order,
        shown.buyer,
        shown.vendor,
        { name: "value_shortfall", label: "Short by", type: "amount" },
        { name: "minimum_order_value", label: "Minimum", type: "amount" },
        { ...shown.product, label: "A carton of" },
        { name: "carton_amount", label: "costs", type: "amount" },
        shown.amount,
      ],
    },
    below_list: {
      title: "Sold below the list price",
      note: () =>
        `Lines of the last ${format.count(wholesale.meta.recent_days)} days whose price is below that of the buyer’s ` +
        "price list on that day.",
      sort: "amount",
      columns: [
        shown.order,
        shown.buyer,
        shown.product,
        { name: "quantity", label: "Pieces", type: "count" },
        { name: "unit_price", label: "Price", type: "exact" },
        { name: "list_price", label: "List price", type: "exact" },
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
    return h`<${Loaded} of=${of}>
      ${({ kinds }) =>
        h`<${Section} title=${title}
            note=${`${format.count(kinds[kind].row_count)}, ${format.amount(kinds[kind].amount)}${each}`}>
          <p class="lead">${note()}</p>
          <${wholesale.Table} caption=${title} columns=${[...columns, doneColumn(kind, kinds, ticked)]} rows=${kinds[kind].rows}
              total=${kinds[kind].row_count} sort=${sort} file=${kind} size=${50} empty="Nothing is waiting here." />
        <//>`}
    <//>`;
  }

  Object.assign(todo, { LISTS, List });
})();

/** To do: what waits for somebody, as lines with a reason in words, and the ticks of this reader. */
(() => {
  "use strict";

  const { age, decimals, format, load, objects, rowsOf } = wholesale;
  const { h, Link, Name, OrderNumber } = wholesale.elements;
  const MOST_LINES = 8;
  const [LATE, SOON, SOME_TIME] = [2, 1, 0];
  const GROUPS = { buyers: "Buyers", orders: "Orders", money: "Money", prices: "Prices" };

  /** Whom or what a row is about, and for which reason: a later reason is another task. */
  const MEMBERS = {
    unknown_state: (row) => `unknown_state/${row.field_name}/${row.state}`,
    silent: (row) => `silent/${row.buyer_id}/${row.last_ordered_date}`,
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
  const order = (row, text) => h`<${Link} to="order" id=${row.order_number ?? row.order_id} class="a">${text}<//>`;
  const list = (kind) => wholesale.view.linkTo(wholesale.shown, { page: "today", id: kind });
  const page = (of, id) => wholesale.view.linkTo(wholesale.shown, { page: of, id, where: {} });
  /** An amount without decimals that are none. */
  const plain = (value) => (/^-?\d{1,5}$/.test(value ?? "") ? format.compact(value) : format.amount(value));
  const sum = (rows) => decimals.text(rows.reduce((total, row) => total + decimals.units(row.amount), 0n));
  const days = ({ least_days: least, most_days: most }) =>
    least === most ? format.plural(least, "day") : `${format.count(least)} to ${format.plural(most, "day")}`;
  const called = (row, of = "buyer") => objects.nameOf(row[`${of}_id`], row[`${of}_name`]);

  const fields = {
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

  /** A state that no setting names: what is in it waits for nobody, and is owed by nobody, until it is known. */
  function unknownState(row) {
    if (isOfVendors(row)) return unknownWords(row);
    return {
      group: "orders",
      icon: "inbox",
      urgency: LATE,
      href: inState(row),
      money: row.amount,
      unit: "in doubt",
      title: `Say what “${format.word(row.state)}” means`,
      reason: h`
        ${format.plural(row.order_count, "order")} ${row.order_count === 1 ? "has" : "have"}${" "}
        ${row.field_name === "payment_status" ? "this state of payment" : "this state"}, and no setting says what${" "}
        it means: until one does, they are not told to wait, to be owed or to be done.
      `,
    };
  }

  /** Words of vendors that neither say what they mean nor are given a meaning: terms, and when it ships. */
  function unknownWords(row) {
    const areTerms = row.field_name === "order_terms";
    return {
      group: areTerms ? "money" : "orders",
      icon: areTerms ? "card" : "inbox",
      urgency: SOON,
      href: inState(row),
      money: row.amount,
      unit: areTerms ? "in doubt" : "ordered",
      title: areTerms ? `Say when “${row.state}” is due` : `Say what “${row.state}” means`,
      reason: h`
        ${format.plural(row.order_count, areTerms ? "unpaid order" : "order")}${" "}
        ${row.order_count === 1 ? "has" : "have"} these ${areTerms ? "terms" : "words"} of the vendor, and no${" "}
        setting says ${areTerms ? "after how many days" : "what they mean"}: until one does, it is not known when${" "}
        ${areTerms ? "the money is due" : "it promises to ship"}.
      `,
    };
  }

  function unknownStates({ rows }, count, amount) {
    return {
      group: "orders",
      icon: "inbox",
      urgency: LATE,
      href: list("unknown_state"),
      money: amount,
      unit: "in doubt",
      title: `Say what ${format.count(count)} more states and words of vendors mean`,
      reason: h`
        No setting says what they mean: ${rows
          .slice(0, 3)
          .map((row) => `“${format.word(row.state)}”`)
          .join(", ")}
        ${count > 3 ? " and others" : ""}.
      `,
    };
  }

  /** One silent buyer: its rhythm, how long it has been silent, and what it bought last. */
  function silentBuyer(row) {
    const every = row.median_days_between_orders;
    const title = row.item_title || row.product_id ? `, ${product(row)}` : "";
    return {
      group: "buyers",
      icon: "phone",
      urgency: LATE,
      href: page("buyer", row.buyer_id),
      title: `Call ${called(row)}`,
      money: row.amount,
      unit: "a month",
      reason: h`
        Buys every ${every === 1 ? "day" : format.plural(every, "day")}, silent for${" "}
        ${format.count(row.days_since_last_order)}${age.counted()}.${" "}
        ${
          row.order_id &&
          h`Last basket ${order(row, format.day(row.last_ordered_date))}: ${format.amount(row.basket_amount)}${title}.`
        }
      `,
    };
  }

  function silentBuyers({ rows }, count, amount) {
    const others = rows.length > 2 || count > rows.length ? " and others" : "";
    return {
      group: "buyers",
      icon: "phone",
      urgency: SOON,
      href: list("silent"),
      title: `Look at ${format.count(count)} more silent ${count === 1 ? "buyer" : "buyers"}`,
      money: amount,
      unit: "a month",
      reason: h`
        Beyond their own rhythm too: ${buyer(rows[0])}${rows[1] && h`${others ? "," : " and"} ${buyer(rows[1])}`}
        ${others}.
      `,
    };
  }

  function overdue({ largest: most, buyer_count: buyers }, count, amount) {
    return {
      group: "money",
      icon: "card",
      urgency: LATE,
      href: list("overdue"),
      money: amount,
      unit: "owed",
      title:
        count === 1
          ? `Remind ${called(most)} of a bill`
          : `Remind ${buyers === 1 ? called(most) : `${format.count(buyers)} buyers`} of ${format.count(count)} bills`,
      reason: h`
        Sent, not paid, and past ${count === 1 ? "its due day" : "their due days"}; where none is known, ordered${" "}
        over ${wholesale.meta.overdue_days} days ${age.ago()}. ${count === 1 ? "Order" : "Largest:"}${" "}
        ${count === 1 ? order(most, most.order_number ?? most.order_id) : h`${buyer(most)},`}${" "}
        ${count === 1 ? "from" : `${format.amount(most.amount)}, from`} ${format.date(most.ordered_date)}.
      `,
    };
  }

  function unconfirmed(kind, count, amount, { usual_days_to_confirm: usual }) {
    const most = kind.largest;
    return {
      group: "orders",
      icon: "inbox",
      urgency: SOON,
      href: count === 1 ? page("order", most.order_number ?? most.order_id) : list("unconfirmed"),
      money: amount,
      unit: "waiting",
      title: count === 1 ? `Confirm order ${most.order_number ?? ""}` : `Confirm ${format.count(count)} orders`,
      reason: h`
        Waiting ${days(kind)}${age.counted()}${usual === null ? "" : `, usually ${format.count(usual)}`}.${" "}
        ${count === 1 ? "From" : "Largest:"} ${buyer(most)}${count === 1 ? "" : `, ${format.amount(most.amount)}`}.
      `,
    };
  }

  function old(kind, count, amount) {
    return {
      group: "orders",
      icon: "clock",
      urgency: SOME_TIME,
      href: list("old"),
      money: amount,
      unit: "in doubt",
      title:
        count === 1
          ? `Decide on order ${kind.rows[0].order_number ?? ""}`
          : `Decide on ${format.count(count)} old orders`,
      reason: h`
        Ordered ${days(kind)} ${age.ago()}, never sent: send or cancel.
        ${count > 1 && h` Oldest: ${buyer(kind.rows[0])}.`}
      `,
    };
  }

  function nearMiss(row) {
    const short =
      row.value_shortfall !== null && decimals.compare(row.value_shortfall, 0) > 0
        ? `${format.amount(row.value_shortfall)} below the ${plain(row.minimum_order_value)} minimum`
        : `${format.plural(row.quantity_shortfall, "piece")} below the minimum of ` +
          format.count(row.minimum_order_quantity);
    return {
      group: "orders",
      icon: "box",
      urgency: SOME_TIME,
      href: page("order", row.order_number ?? row.order_id),
      money: row.amount,
      unit: "order",
      title: `Offer ${called(row)} one more carton`,
      reason: h`
        Order ${order(row, row.order_number ?? row.order_id)} is ${short} of${" "}
        <${Name} of="vendor" id=${row.vendor_id} name=${row.vendor_name} class="a" />; a carton of ${product(row)}${" "}
        is ${format.amount(row.carton_amount)}.
      `,
    };
  }

  function nearMisses({ rows }, count, amount) {
    return {
      group: "orders",
      icon: "box",
      urgency: SOME_TIME,
      href: list("near_misses"),
      money: amount,
      unit: "orders",
      title: `Offer ${format.count(count)} more ${count === 1 ? "buyer" : "buyers"} one more carton`,
      reason: h`
        One carton lifts each order over the minimum of its vendor. Largest: ${buyer(rows[0])},${" "}
        ${format.amount(rows[0].amount)}.
      `,
    };
  }

  function belowList({ largest: most }, count, amount) {
    return {
      group: "prices",
      icon: "tag",
      urgency: SOME_TIME,
      href: list("below_list"),
      money: decimals.text(-decimals.units(amount)),
      unit: "lost",
      title: `Check ${format.plural(count, "line")} sold below the list price`,
      reason: h`
        In ${format.count(wholesale.meta.recent_days)} days. Largest: ${buyer(most)}, ${product(most)},${" "}
        ${format.exact(most.unit_price)} for ${format.exact(most.list_price)}.
      `,
    };
  }

  /** How many of a kind stand on lines of their own, and how the others are told in one. */
  const KINDS = {
    unknown_state: { single: unknownState, many: unknownStates, singles: 2 },
    silent: { single: silentBuyer, many: silentBuyers, singles: 2 },
    overdue: { many: overdue },
    unconfirmed: { many: unconfirmed },
    old: { many: old },
    near_misses: { single: nearMiss, many: nearMisses, singles: 1 },
    below_list: { many: belowList },
  };

  /** The lines, the late ones first, then by money: at most eight, as more of a kind are told in one. */
  function linesOf({ kinds, usual }) {
    const lines = [];
    for (const [kind, { single, many, singles = 0 }] of Object.entries(KINDS)) {
      const { rows, row_count: count, amount } = kinds[kind];
      if (rows.length === 0) continue;
      const own = single ? rows.slice(0, count === singles + 1 ? singles + 1 : singles) : [];
      const rest = rows.slice(own.length);
      for (const row of own)
        lines.push({ key: MEMBERS[kind](row), kind, ...single(row), members: [MEMBERS[kind](row)] });
      if (rest.length) {
        const left = amount === null ? null : decimals.text(decimals.units(amount) - decimals.units(sum(own)));
        const told = many({ ...kinds[kind], rows: rest }, count - own.length, left, usual);
        lines.push({ key: kind, kind, ...told, members: rest.map(MEMBERS[kind]) });
      }
    }
    const size = ({ money }) => (money?.startsWith("-") ? money.slice(1) : (money ?? 0));
    return lines
      .toSorted((one, other) => other.urgency - one.urgency || decimals.compare(size(other), size(one)))
      .slice(0, MOST_LINES);
  }

  const store = () => `wholesale.ticks.${wholesale.meta.company}`;
  /** What is ticked where the browser keeps nothing: it lasts as long as the page. */
  let unkept = {};

  function stored() {
    try {
      const kept = JSON.parse(localStorage.getItem(store()) ?? "{}");
      return { ...unkept, ...kept };
    } catch {
      return unkept;
    }
  }

  /** Whether this browser keeps ticks. */
  function isKept() {
    try {
      const kept = localStorage.getItem(store());
      localStorage.setItem(store(), kept ?? "{}");
      return true;
    } catch {
      return false;
    }
  }

  const membersOf = (kinds) => new Set(Object.entries(kinds).flatMap(([kind, { rows }]) => rows.map(MEMBERS[kind])));

  /** What this reader ticked, by member, with when; a tick goes when its reason is gone. */
  function ticks(kinds) {
    const present = membersOf(kinds);
    return new Map(Object.entries(stored()).filter(([member]) => present.has(member)));
  }

  /**
   * Ticks all members of a line, or takes their ticks back, beside what other windows ticked meanwhile.
   *
   * What is gone since this version is forgotten; what a window with another version ticked is not.
   */
  function tick(kinds, { members }, isDone) {
    const present = membersOf(kinds);
    const isNeeded = ([member, at]) => present.has(member) || at > wholesale.meta.published_at;
    const changed = Object.fromEntries(Object.entries(stored()).filter(isNeeded));
    const now = new Date().toISOString();
    for (const member of members) {
      if (isDone) changed[member] = now;
      else delete changed[member];
    }
    try {
      localStorage.setItem(store(), JSON.stringify(changed));
      unkept = {};
    } catch {
      unkept = changed;
    }
    return ticks(kinds);
  }

  /** Calls `follow` whenever another window ticks; gives the way to end that. */
  function watch(follow) {
    const changed = ({ key }) => (key === null || key === store()) && follow();
    window.addEventListener("storage", changed);
    return () => window.removeEventListener("storage", changed);
  }

  /** When a line was ticked: when the last of its members was; null while one is open. */
  function tickedAt(ticked, { members }) {
    const times = members.map((member) => ticked.get(member));
    return times.every(Boolean) ? times.toSorted().at(-1) : null;
  }

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
      show: (row) => h`<${wholesale.elements.State} code=${row.order_status} />`,
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
        { name: "field_name", label: "Of", show: (row) => fields[row.field_name] },
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
        `${format.count(wholesale.meta.overdue_days)} days ago. What was not sent is not owed.`,
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
      note: () => `Ordered over ${format.count(wholesale.meta.old_order_days)} days ago, and never sent.`,
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

  wholesale.todo = { read, linesOf, ticks, tick, isKept, watch, tickedAt, GROUPS, LISTS };
})();

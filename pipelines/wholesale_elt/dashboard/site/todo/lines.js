/** Lines: each task as a line with a reason in words, or several of a kind as one. */
(() => {
  "use strict";

  const { age, decimals, format } = wholesale;
  const { h, Name } = wholesale.elements;
  const { MEMBERS, product, buyer, order, list, isOfVendors, inState, LATE, SOON, SOME_TIME } = wholesale.todo;
  const { called, dueBuyers, silentBuyer, silentBuyers, unusualSales } = wholesale.todo.buyers;

  const page = (of, id) => wholesale.view.linkTo(wholesale.shown, { page: of, id, where: {} });
  /** An amount without decimals that are none. */
  const plain = (value) => (/^-?\d{1,5}$/.test(value ?? "") ? format.compact(value) : format.amount(value));
  const sum = (rows) => decimals.text(rows.reduce((total, row) => total + decimals.units(row.amount), 0n));
  const days = ({ least_days: least, most_days: most }) =>
    least === most ? format.plural(least, "day") : `${format.count(least)} to ${format.plural(most, "day")}`;

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
        ${row.field_name === "payment_status" ? "this state of payment" : "this state"}, and nobody has said${" "}
        what it means. Until the settings do, they count neither as waiting nor as owed nor as done.
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
        ${row.order_count === 1 ? "has" : "have"} these ${areTerms ? "terms" : "words"} of the vendor, and the${" "}
        settings do not say ${areTerms ? "how many days they give" : "what they mean"}. Until they do, it is not${" "}
        known when ${areTerms ? "the money is due" : "the vendor promises to ship"}.
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
      title: `Say what ${format.count(count)} more states or words of vendors mean`,
      reason: h`
        The settings do not say what these mean: ${rows
          .slice(0, 3)
          .map((row) => `“${format.word(row.state)}”`)
          .join(", ")}
        ${count > 3 ? " and others" : ""}.
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
        Shipped, not paid, and past ${count === 1 ? "its due day" : "their due days"}, or where none is known,${" "}
        ordered over ${wholesale.meta.overdue_days} days ${age.ago()}. ${count === 1 ? "Order" : "Largest:"}${" "}
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
        Waiting ${days(kind)}${age.counted()}${usual === null ? "" : `; usual is ${format.plural(usual, "day")}`}.${" "}
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
          ? `Send or cancel order ${kind.rows[0].order_number ?? ""}`
          : `Send or cancel ${format.count(count)} old orders`,
      reason: h`
        Ordered ${days(kind)} ${age.ago()}, and never sent.
        ${count > 1 && h` Oldest: that of ${buyer(kind.rows[0])}.`}
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
        costs ${format.amount(row.carton_amount)}.
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
        One more carton takes each order over its vendor’s minimum. Largest: ${buyer(rows[0])},${" "}
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
      money: amount === null ? null : decimals.text(-decimals.units(amount)),
      unit: "lost",
      title: `Check ${format.plural(count, "line")} sold below the list price`,
      reason: h`
        In the last ${format.plural(wholesale.meta.recent_days, "day")}. Largest: ${buyer(most)},${" "}
        ${product(most)}, at ${format.exact(most.unit_price)} instead of ${format.exact(most.list_price)}.
      `,
    };
  }

  /** How many of a kind stand on lines of their own, and how the others are told in one. */
  const KINDS = {
    unknown_state: { single: unknownState, many: unknownStates, singles: 2 },
    due: { many: dueBuyers },
    silent: { single: silentBuyer, many: silentBuyers, singles: 2 },
    unusual: { many: unusualSales },
    overdue: { many: overdue },
    unconfirmed: { many: unconfirmed },
    old: { many: old },
    near_misses: { single: nearMiss, many: nearMisses, singles: 1 },
    below_list: { many: belowList },
  };

  /** Who is due comes among what is late, as long as figures are not too old to tell. */
  const rankOf = ({ kind, urgency }) => (kind === "due" ? LATE : urgency);
  const isUntold = (kind) => kind === "due" && age.isOutdated(wholesale.meta.figures_up_to ?? age.day());

  /** The lines, the late ones first, then by money; more than two of a kind are told in one. */
  function linesOf({ kinds, usual }) {
    const lines = [];
    for (const [kind, { single, many, singles = 0 }] of Object.entries(KINDS)) {
      const { rows, row_count: count, amount } = kinds[kind];
      if (rows.length === 0 || isUntold(kind)) continue;
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
    return lines.toSorted((one, other) => rankOf(other) - rankOf(one) || decimals.compare(size(other), size(one)));
  }

  wholesale.todo.linesOf = linesOf;
})();

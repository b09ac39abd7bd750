/** Buyers: the lines of whom to call or offer something, and of sales that are out of the ordinary. */
(() => {
  "use strict";

  const { age, format, objects } = wholesale;
  const { h } = wholesale.elements;
  const { product, buyer, memberOf, order, list, LATE, SOON, SOME_TIME } = wholesale.todo;

  const onSheet = ({ buyer_id: at }) =>
    wholesale.view.linkTo(wholesale.shown, { page: "calls", where: {}, own: { at } });
  const called = (row, of = "buyer") => objects.nameOf(row[`${of}_id`], row[`${of}_name`]);

  /** How many of ten a share is, no more than are counted. */
  const ofTen = (share) => `${Math.floor(Number(share) * 10 + 1e-9)} in 10`;

  /** Who is due, in one. */
  function dueBuyers({ largest: most }, count, amount) {
    return {
      group: "buyers",
      icon: "phone",
      urgency: SOON,
      href: wholesale.view.linkTo(wholesale.shown, { page: "next", where: {}, own: { show: "due" } }),
      money: amount,
      unit: "usually",
      title: `Offer ${format.count(count)} due ${count === 1 ? "buyer" : "buyers"} what they usually have`,
      reason: h`
        At least 5 in 10 like ${count === 1 ? "it" : "them"} ordered within seven days${age.counted()}.${" "}
        Largest: ${buyer(most)}, ${ofTen(most.order_in_week_share)}.
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
      href: onSheet(row),
      title: `Call ${called(row)}`,
      money: row.amount,
      unit: "a month",
      reason: h`
        Buys every ${wholesale.silence.everyText(every)}, silent for${" "}
        ${format.plural(row.days_since_last_order, "day")}${age.counted()}.${" "}
        ${
          row.order_id &&
          h`Last order ${order(row, format.day(row.last_ordered_date))}: ${format.amount(row.basket_amount)}${title}.`
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
      href: onSheet(rows[0]),
      title: `Call ${format.count(count)} more silent ${count === 1 ? "buyer" : "buyers"}`,
      money: amount,
      unit: "a month",
      reason: h`
        Silent for longer than usual too: ${buyer(rows[0])}${rows[1] && h`${others ? "," : " and"} ${buyer(rows[1])}`}
        ${others}.
      `,
    };
  }

  /** What is out of the ordinary, in one: the largest by name. */
  function unusualSales({ largest: most }, count) {
    return {
      group: "orders",
      icon: "inbox",
      urgency: SOME_TIME,
      href: list("unusual"),
      money: null,
      unit: "",
      title: `See why ${format.plural(count, "sales figure")} ${count === 1 ? "is" : "are"} out of the ordinary`,
      reason: h`
        Largest: ${memberOf(most)}, ${format.amount(most.amount)}${" "}
        ${most.first_day < most.last_day ? "in seven days to" : "on"} ${format.day(most.last_day)}, outside${" "}
        ${format.amount(most.low_amount)} to ${format.amount(most.high_amount)},${" "}
        as weeks of the year before would have it.
      `,
    };
  }

  wholesale.todo.buyers = { called, dueBuyers, silentBuyer, silentBuyers, unusualSales };
})();

/** Silence: what is said of a buyer that has not ordered for long, and whom somebody called. */
(() => {
  "use strict";

  const { age, format } = wholesale;

  /** After which gap a buyer is late, and what that gap is. */
  function gapText({ late_after_days: gap, has_late_percentile: isTold }) {
    const text = format.plural(gap, "day");
    const share = `${format.number(wholesale.meta.late_percentile * 100)}%`;
    return isTold ? `${share} of the time it orders again within ${text}` : `its longest gap so far was ${text}`;
  }

  /** What stands after `every`: `day`, or `3 days`. */
  const everyText = (days) => (days === 1 ? "day" : format.plural(days, "day"));

  /** How long a buyer has been silent, if it has. */
  function silentText(days) {
    if (days === 0) return age.isOtherDay() ? `last order on ${format.date(age.day())}` : "ordered today";
    return `silent for ${format.plural(days, "day")}${age.counted()}`;
  }

  /** What to say of a buyer that is silent, in words. */
  function reasonOf(buyer) {
    const silent = `${format.plural(buyer.days_since_last_order, "day")}${age.counted()}`;
    if (buyer.median_days_between_orders !== null && buyer.is_late) {
      const every = everyText(buyer.median_days_between_orders);
      return `Buys every ${every}, silent for ${silent}; ${gapText(buyer)}.`;
    }
    return `No order for ${silent}, after ${format.plural(buyer.purchase_count, "order")} in all.`;
  }

  const member = (buyer) => wholesale.todo.MEMBERS[buyer.call_reason ?? "silent"](buyer);
  /** Whether and when somebody called a buyer: the tick of its task, which goes when it orders again. */
  const called = {
    at: (buyer) => wholesale.todo.markedAt(member(buyer)),
    set: (buyer, is) => wholesale.todo.mark(member(buyer), is),
  };

  wholesale.silence = { gapText, everyText, silentText, reasonOf, called };
})();

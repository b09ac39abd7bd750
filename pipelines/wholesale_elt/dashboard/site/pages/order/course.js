/** Course: the states that an order went through, those that follow, and what is wrong with it. */
(() => {
  "use strict";

  const { age, format } = wholesale;
  const { h } = wholesale.elements;

  const USUAL = ["waiting", "accepted", "sent", "done"];
  const A_DAY = 86_400_000;

  const ago = (row) => `${format.plural(row.age, "day")} ${age.ago()}`;

  /** Whether it waits for so long that it is among what there is to do. */
  function isLate({ age: days }) {
    const { old_order_days: old, unconfirmed_days: unconfirmed } = wholesale.meta;
    return days > old || (unconfirmed !== null && days > unconfirmed);
  }

  function badgeOf(row) {
    if (row.is_deleted) return { text: "Deleted", tone: "gone" };
    if (row.is_cancelled) return { text: "Cancelled", tone: "gone" };
    if (row.is_owed) {
      const since = row.age > 0 ? `Not paid, ordered ${ago(row)}` : "Not paid";
      return {
        text: row.due_date ? `Not paid, due ${format.date(row.due_date)}` : since,
        tone: row.is_overdue ? "late" : "soon",
      };
    }
    if (format.standing(row.order_status) === USUAL[0] && isLate(row))
      return { text: `${format.word(row.order_status)} ${ago(row)}`, tone: "soon" };
    return null;
  }

  /** The first state: an order waits from its own day on; any other is as old as it was first seen. */
  function firstOf(row, { state_before: state, entered_state_before_at: seenAt }) {
    if (format.standing(state) === USUAL[0] && row.ordered_at) return { state, at: row.ordered_at };
    return { state, at: seenAt, note: seenAt ? `First seen ${format.moment(seenAt)}` : null };
  }

  /** When a vendor's orders usually come to a state, as days after the order; nothing if that was never seen. */
  function usuallyIn(took, standing) {
    const found = took.find(({ step }) => step === standing);
    if (!found) return null;
    return found.median_days === 0
      ? "usually on the day of the order"
      : `usually ${format.plural(found.median_days, "day")} after the order`;
  }

  /** The states that an order went through, as they were seen, and those that usually follow. */
  function courseOf(row, steps, seenAt) {
    const seen = steps.filter(({ field_name: field }) => field === "order_status" || field === "status");
    const course = [];
    const reached = USUAL.indexOf(format.standing(row.order_status));
    const usual = USUAL.map((standing) => format.stateOf(standing));
    if (seen.length) {
      course.push(firstOf(row, seen[0]));
      for (const step of seen) course.push({ state: step.state_after, at: step.observed_at });
    } else {
      for (const [place, state] of usual.slice(0, Math.max(reached, 0)).entries())
        if (state) course.push({ state, at: place === 0 ? row.ordered_at : null, isSupposed: true });
      course.push({
        state: row.order_status,
        at: reached === 0 ? row.ordered_at : null,
        note: reached !== 0 && seenAt ? `so when first seen, ${format.moment(seenAt)}` : null,
      });
    }
    if (reached >= 0 && !row.is_deleted)
      for (const state of usual.slice(reached + 1)) if (state) course.push({ state, isAhead: true });
    const paid = steps.findLast(({ field_name: field }) => field === "payment_status");
    if (row.is_sale) course.push({ ...payment(row, paid?.observed_at ?? null), isPayment: true });
    return course;
  }

  /** The payment of an order, and when it was seen to be as it is. */
  function payment(row, at) {
    if (row.payment_standing === "open")
      return {
        state: format.stateOf("settled", "payment_status") ?? "payment",
        isAhead: true,
        note: row.total === null ? "not yet" : `not yet; ${format.amount(row.total)} open`,
      };
    if (!row.payment_status) return { state: "payment", isAhead: true, isUntold: true, note: "not known" };
    return { state: row.payment_status, at, note: at ? null : "day not known" };
  }

  function lasted(from, to) {
    if (!from || !to) return null;
    const days = Math.round((Date.parse(to) - Date.parse(from)) / A_DAY);
    return days < 1 ? "within a day" : format.plural(days, "day");
  }

  /** How long an order has waited for what comes next, if it is told since when. */
  function soFar(row, { isAhead }, next, course) {
    const isNext = !isAhead && next?.isAhead && course.filter((step) => step.isAhead)[0] === next;
    return isNext && row.is_sale && row.age > 0 && row.age !== null
      ? `${format.plural(row.age, "day")} since the order`
      : null;
  }

  function Course({ row, steps, seenAt, took }) {
    const course = courseOf(row, steps, seenAt);
    return h`<ol class="steps-line" aria-label="States">
      ${course.map((step, place) => {
        const { state, at, isAhead, note, isPayment, isUntold } = step;
        const next = course[place + 1];
        const style = [
          isAhead && "open",
          next?.isAhead && "dashed",
          row.is_cancelled && format.standing(state) === "cancelled" && "stopped",
        ]
          .filter(Boolean)
          .join(" ");
        const word =
          note ?? (at ? `${place ? "seen " : ""}${format.moment(at)}` : isAhead ? "not yet" : "day not known");
        const usual = usuallyIn(took, isPayment ? "settled" : format.standing(state));
        return h`<li key=${place} class=${style}>
          ${next && h`<span class="took">${lasted(at, next.at) ?? soFar(row, step, next, course)}</span>`}
          <b>${format.word(state)}</b>
          <small class=${isUntold ? "unknown" : ""}>${word}</small>
          ${place > 0 && usual && h`<small class="usual">${usual}</small>`}
        </li>`;
      })}
    </ol>`;
  }

  wholesale.receive("pages/order/course", { badgeOf, Course });
})();

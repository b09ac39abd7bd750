/** Goals: what figures are to come to in a month, where a file says it. */
(() => {
  "use strict";

  const { days, format, load, rowsOf } = wholesale;
  const { useLoaded } = wholesale.elements;
  const SCOPES = { vendor: "vendor_key", account_manager: "account_manager_id" };

  const read = () => (wholesale.meta.has_goals ? load("goals").then(rowsOf) : Promise.resolve([]));

  /** The goals of what is counted: of all, or of one vendor or account manager; none of anything else. */
  function goalsIn(goals, where) {
    const chosen = Object.entries(where).filter(([, keys]) => keys?.length);
    if (chosen.some(([name, keys]) => !SCOPES[name] || keys.length !== 1)) return [];
    const wanted = Object.fromEntries(chosen.map(([name, keys]) => [SCOPES[name], keys[0]]));
    return goals.filter(
      (goal) =>
        Object.values(SCOPES).every((column) => goal[column] === (wanted[column] ?? null)) &&
        // The goal of a vendor that is nowhere is that of nobody.
        (goal.vendor_name === null || goal.vendor_key !== null),
    );
  }

  /** A function from a metric and the first day of a month to its goal; of none it gives nothing. */
  function useGoals(where) {
    const of = useLoaded(read, "goals");
    const found = new Map(
      goalsIn(of.value ?? [], where).map((goal) => [`${goal.goal_metric}/${goal.month_start}`, goal]),
    );
    return (metric, month) => found.get(`${metric}/${month}`);
  }

  /** How far a goal is: `$207 k of $480 k, 43% with 45% of the month gone`. */
  function lineOf({ goal_metric: metric, target, so_far: now, target_share: share, month_share: gone, ...goal }) {
    if (now === null) return `not known of ${format.dense(metric, target)}`;
    const reached = `${format.dense(metric, now)} of ${format.dense(metric, target)}, ${format.wholeShare(share)}`;
    return goal.seen_day_count === goal.day_count
      ? reached
      : `${reached} with ${format.wholeShare(gone)} of the month gone`;
  }

  /** The first day of the month that a period is, or that is over of it; null for any other period. */
  function monthOf(period) {
    const { first, months } = days.period(period, wholesale.meta.figures_up_to) ?? {};
    return months === 1 && days.truncated(first, "month") === first ? days.text(first) : null;
  }

  wholesale.goals = { goalsIn, useGoals, lineOf, monthOf };
})();

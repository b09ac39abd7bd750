/** Why: in one line, why the figure of a tile is another one than in the days before. */
(() => {
  "use strict";

  const { days, explained, format } = wholesale;
  const { h, useFigures } = wholesale.elements;

  /** Letters and marks that are written to the left, or turn what follows them. */
  const TURNING = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/u;
  /** What was found, with a name that turns nothing of the line around it. */
  const apart = ({ largest, ...found }) => ({
    ...found,
    largest: largest && TURNING.test(largest.name) ? { ...largest, name: `\u2068${largest.name}\u2069` } : largest,
  });

  /** What to say of a metric, given an answer by a member that is compared; null if there is nothing. */
  function lineOf(name, answer, by) {
    const found = explained.explain(name, answer, by);
    return found ? explained.lineOf(apart(found)) : null;
  }

  /** The question whose answer explains these metrics; null where nothing is compared, or not all days are known. */
  function questionOf({ metrics, period, compare, where = {} }) {
    const span = days.period(period, wholesale.meta.figures_up_to);
    const before = span && days.compared(span, compare);
    const names = explained.asked(metrics);
    if (!before || !days.isCovered(before, wholesale.meta.figures_from) || names.length === 0) return null;
    return { metrics: names, by: [explained.memberOf(where)], period, compare, where };
  }

  /**
   * What to say of each metric, by its name: a line, empty until it is known; null where there will be none.
   *
   * One question is asked for all of them, or none where nothing is `asked`.
   */
  function useWhy(asked) {
    const question = asked && questionOf(asked);
    const of = useFigures(question);
    return (name) => {
      if (!question || of.error || !explained.explainable([name]).length) return null;
      if (!of.value || of.isOld) return "";
      return lineOf(name, of.value, question.by[0]);
    };
  }

  /** In a tile: how far a goal is, and why the figure is another one; a line on its way keeps its place. */
  function Told({ goal, why }) {
    return h`
      ${goal && h`<span class="goal">${goal}</span>`}
      ${why !== undefined && why !== null && h`<span class="why" dir="auto">${format.together(why)}</span>`}
    `;
  }

  wholesale.why = { questionOf, lineOf, useWhy, Told };
})();

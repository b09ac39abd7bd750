/** Age: how old the figures are by the reader's own clock, and from when on they are old. */
(() => {
  "use strict";

  const { days, format } = wholesale;
  const AN_HOUR = 3_600_000;
  const A_DAY = 24;
  const EVERY = 60_000;

  /** Hours since everything was read, or else since these pages were made; below nothing where the clock is behind. */
  function hours() {
    const { as_of: asOf, built_at: builtAt } = wholesale.meta;
    return (Date.now() - Date.parse(asOf ?? builtAt)) / AN_HOUR;
  }

  /** `53 days old`; null where the clock is behind the figures, and so says nothing of their age. */
  function text() {
    const passed = hours();
    if (!(passed >= 0)) return null;
    if (passed < 1) return "less than an hour old";
    const [count, unit] = passed < 2 * A_DAY ? [passed, "hour"] : [passed / A_DAY, "day"];
    return `${format.plural(Math.floor(count), unit)} old`;
  }

  /** Whether newer figures should have come by now. */
  const isOld = () => hours() > wholesale.meta.old_after_hours;

  /** The last day that the figures know of: silence, waiting and lateness are counted to it on all pages. */
  function day() {
    const { as_of_date: known, as_of: asOf, built_at: builtAt } = wholesale.meta;
    return known ?? (asOf ?? builtAt).slice(0, 10);
  }

  /** Whether days are counted to another day than the reader's: figures are old, or nothing changed lately. */
  function isOtherDay() {
    const { as_of: asOf, built_at: builtAt } = wholesale.meta;
    return isOld() || days.number((asOf ?? builtAt).slice(0, 10)) - days.number(day()) > 1;
  }

  /** What a count of days ends with: the day that it counts to, if that is not the reader's own. */
  const counted = () => (isOtherDay() ? ` by ${format.date(day())}` : "");

  /** What follows a number of days back from the day that they are counted to. */
  const ago = () => (isOtherDay() ? `before ${format.date(day())}` : "ago");

  /** What a page is called: none is of today once the figures are old. */
  const titleOf = ({ name, title }) => (name === "today" && isOld() ? format.date(day()) : title);

  /** Calls `follow` as time passes, and whenever somebody comes back to the page. */
  function watch(follow) {
    const timer = setInterval(follow, EVERY);
    document.addEventListener("visibilitychange", follow);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", follow);
    };
  }

  wholesale.age = { text, isOld, isOtherDay, today: () => days.number(day()), day, counted, ago, titleOf, watch };
})();

/**
 * Age: how old the figures are by the reader's own clock, from when on they are late and old, and how moments are said.
 *
 * Late are figures after twice the usual time between readings; old after as many days as the settings say.
 */
(() => {
  "use strict";

  const { days, format } = wholesale;
  const AN_HOUR = 3_600_000;
  const A_DAY = 24;
  const A_WEEK = 7;
  const EVERY = 60_000;
  /** Clocks that are apart by less are taken for right. */
  const MOST_APART = 1;

  /** When everything was read, or else when these pages were made. */
  const readAt = () => Date.parse(wholesale.meta.as_of ?? wholesale.meta.built_at);

  /** Hours since then; below nothing where the clock is behind. */
  const hours = () => (Date.now() - readAt()) / AN_HOUR;

  /** Whether the reader's clock stands so far before the figures that it tells nothing of their age. */
  const isUnknown = () => hours() < -MOST_APART;

  /** `53 days old`. */
  function text() {
    if (isUnknown()) return "age not known";
    const passed = Math.max(0, hours());
    if (passed < 1) return "less than an hour old";
    const [count, unit] = passed < 2 * A_DAY ? [passed, "hour"] : [passed / A_DAY, "day"];
    return `${format.plural(Math.floor(count), unit)} old`;
  }

  /** Whether a newer version should have come by now. */
  const isLate = () => hours() > wholesale.meta.late_after_hours;

  /** Whether figures are so old that each page begins with it. */
  const isOld = () => hours() > wholesale.meta.old_after_days * A_DAY;

  /** Whether the figures are as new as they usually are. */
  const isFresh = () => !isUnknown() && !isLate() && !isOld();

  /** When a version was due, once it is late; nothing where it is not known how often they come. */
  function due() {
    const { usual_hours: usual } = wholesale.meta;
    if (usual === null || !isLate()) return null;
    return `a version was due ${said(new Date(readAt() + usual * AN_HOUR).toISOString())}`;
  }

  /** The number of the day of a moment by the reader's calendar. */
  function ownDay(at) {
    const date = new Date(at);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / (A_DAY * AN_HOUR);
  }

  /** A moment as short as it can be said by the reader's clock: `today, 08:05`. */
  function said(at) {
    if (at === null || at === undefined) return format.NONE;
    const [now, then] = [ownDay(Date.now()), ownDay(at)];
    if (then === now || then === now - 1) return `${then === now ? "today" : "yesterday"}, ${format.clock(at)}`;
    const isOfYear = new Date(at).getFullYear() === new Date(Date.now()).getFullYear();
    return `${(isOfYear ? format.ownDay : format.ownDate)(at)}, ${format.clock(at)}`;
  }

  /** The last day that the figures know of: silence, waiting and lateness are counted to it on all pages. */
  function day() {
    const { as_of_date: known, as_of: asOf, built_at: builtAt } = wholesale.meta;
    return known ?? (asOf ?? builtAt).slice(0, 10);
  }

  /** Whether days are counted to another day than the reader's own: midnight is not at once everywhere. */
  const isOtherDay = () => Math.abs(ownDay(Date.now()) - days.number(day())) > 1;

  /** The number of the reader's own day; where its clock tells nothing, the first after the last that is known. */
  const ownToday = (upTo) => (isUnknown() ? days.number(upTo) + 1 : ownDay(Date.now()));

  /** How many days ago a day was, by the reader's own; and whether what was foreseen from it says nothing any more. */
  const daysSince = (then) => ownToday(then) - days.number(then);
  const isOutdated = (then) => daysSince(then) > A_WEEK;

  /** What a count of days ends with: the day that it counts to, if that is not the reader's own. */
  const counted = () => (isOtherDay() ? ` by ${format.date(day())}` : "");

  /** What follows a number of days back from the day that they are counted to. */
  const ago = () => (isOtherDay() ? `before ${format.date(day())}` : "ago");

  /** When something is as it is told, where that is not of any period. */
  const now = () => (isOtherDay() ? `on ${format.date(day())}` : "now");

  /** Whether everything was read on the reader's own day, or on the one before. */
  const isOfToday = () => Math.abs(ownDay(Date.now()) - ownDay(readAt())) <= 1;

  /** What a page is called: none is of today unless it was read today or yesterday. */
  const titleOf = ({ name, title }, write = format.ownDate) =>
    name === "today" && !isOfToday() ? write(new Date(readAt()).toISOString()) : title;

  /** Calls `follow` as time passes, and whenever somebody comes back to the page. */
  function watch(follow) {
    const timer = setInterval(follow, EVERY);
    document.addEventListener("visibilitychange", follow);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", follow);
    };
  }

  wholesale.age = {
    text,
    isUnknown,
    isLate,
    isOld,
    isFresh,
    due,
    said,
    today: () => days.number(day()),
    day,
    isOtherDay,
    ownToday,
    daysSince,
    isOutdated,
    counted,
    ago,
    now,
    isOfToday,
    titleOf,
    watch,
  };
})();

/** Fleet: what a page that was written once cannot tell: how old it is by now, and whether there is a newer one. */
(() => {
  "use strict";

  const { newer, theme } = wholesale;

  /** Intervals of an account after which it is late, as in manifest.py. */
  const LATE_AFTER = 2;

  function age(seconds) {
    if (seconds < 90) return `${Math.round(seconds)} s`;
    if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
    if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
    return `${Math.round(seconds / 86_400)} days`;
  }

  for (const cell of document.querySelectorAll("[data-since]")) {
    const seconds = Math.max(0, (Date.now() - Date.parse(cell.dataset.since)) / 1000);
    const isLate = seconds > LATE_AFTER * cell.dataset.every * 3_600;
    cell.textContent = `${age(seconds)}${isLate ? ", late" : ""}`;
    cell.classList.toggle("late", isLate);
  }

  const button = document.getElementById("theme");
  button.hidden = false;
  button.addEventListener("click", theme.toggle);
  wholesale.meta = { version: document.documentElement.dataset.version };
  newer.check();
  newer.watch();
})();

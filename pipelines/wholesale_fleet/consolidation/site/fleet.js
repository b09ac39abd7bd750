/** Fleet: what a page that was written once cannot tell: how old it is by now, and whether there is a newer one. */
(() => {
  "use strict";

  const { newer, format } = wholesale;

  for (const cell of document.querySelectorAll("[data-since]")) {
    const seconds = (Date.now() - Date.parse(cell.dataset.since)) / 1000;
    cell.textContent = format.duration(Math.max(0, seconds));
  }

  wholesale.meta = { version: document.documentElement.dataset.version };
  newer.check();
  newer.watch();
})();

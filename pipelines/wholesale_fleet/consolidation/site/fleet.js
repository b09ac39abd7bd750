/** Fleet: what a page that was written once cannot tell: how old it is by now, and whether there is a newer one. */
(() => {
  "use strict";

  const { newer, theme } = wholesale;

  function age(seconds) {
    if (seconds < 90) return `${Math.round(seconds)} s`;
    if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
    if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
    return `${Math.round(seconds / 86_400)} days`;
  }

  for (const cell of document.querySelectorAll("[data-since]")) {
    cell.textContent = age(Math.max(0, (Date.now() - Date.parse(cell.dataset.since)) / 1000));
  }

  const button = document.getElementById("theme");
  button.hidden = false;
  button.addEventListener("click", theme.toggle);
  wholesale.meta = { version: document.documentElement.dataset.version };
  newer.check();
  newer.watch();
})();

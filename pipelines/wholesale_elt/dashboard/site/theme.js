/** Theme: dark or light, what the reader chose, or else what the system prefers. */
(() => {
  "use strict";

  const KEY = "wholesale.theme";
  const root = document.documentElement;
  const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)");

  /** Storage may be forbidden, as in a private window or a sandboxed frame. */
  function remembered() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }

  function remember(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // The choice then lasts as long as the page.
    }
  }

  function current() {
    return root.dataset.theme ?? (systemIsDark.matches ? "dark" : "light");
  }

  const chosen = remembered();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;

  /** The other one, until the reader chooses again. */
  function toggle() {
    root.dataset.theme = current() === "dark" ? "light" : "dark";
    remember(root.dataset.theme);
  }

  window.theme = { toggle };
})();

/** Places: where each entry of the history was scrolled to, and what had the focus: Back finds both again. */
(() => {
  "use strict";

  const STORE = "wholesale.places";
  /** A list that is still read may grow for so long. */
  const LONGEST = 30_000;
  const INPUTS = ["wheel", "touchstart", "pointerdown", "keydown"];
  const places = new Map();
  let entry = null;
  let arrivals = 0;
  let isKnown = false;
  let stop = () => {};

  const here = () => ({ top: window.scrollY, href: document.activeElement?.closest?.("main a")?.getAttribute("href") });

  /** The entry that is in force from now on, and whether it was before. */
  function enter() {
    entry = history.state?.entry ?? null;
    isKnown = entry !== null;
    arrivals += 1;
    if (isKnown) return;
    entry = `${Date.now().toString(36)}-${arrivals}`;
    try {
      history.replaceState({ entry }, "");
    } catch {
      // Then Back leads to the top.
    }
  }

  /** Goes to a place as soon as the page is long enough, unless the reader moves first. */
  function reach({ top, href }) {
    const main = document.getElementById("main");
    const isDone = () => Math.abs(window.scrollY - top) < 2 && main?.getAttribute("aria-busy") === "false";
    const go = () => {
      window.scrollTo(0, top);
      if (document.activeElement === document.body && href)
        main?.querySelector(`a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
      if (isDone()) stop();
    };
    const observer = new ResizeObserver(go);
    const timer = setInterval(go, 100);
    const end = setTimeout(() => stop(), LONGEST);
    stop = () => {
      observer.disconnect();
      clearInterval(timer);
      clearTimeout(end);
      for (const input of INPUTS) window.removeEventListener(input, stop);
      stop = () => {};
    };
    for (const input of INPUTS) window.addEventListener(input, stop, { passive: true });
    observer.observe(document.getElementById("app"));
    go();
  }

  /** Called once what the address asks for is drawn: back to where it was left, or else to the top of a new page. */
  function arrive(isOther) {
    stop();
    const place = isKnown ? places.get(entry) : null;
    isKnown = false;
    if (place) reach(place);
    else if (isOther) window.scrollTo(0, 0);
  }

  function restore() {
    try {
      for (const [key, place] of JSON.parse(sessionStorage.getItem(STORE)) ?? []) places.set(key, place);
    } catch {
      // Where nothing is kept, places last as long as the page.
    }
  }

  function save() {
    places.set(entry, here());
    try {
      sessionStorage.setItem(STORE, JSON.stringify([...places].slice(-100)));
    } catch {
      // See above.
    }
  }

  /** Follows the history: an entry is left when another one is in force. */
  function watch() {
    history.scrollRestoration = "manual";
    restore();
    enter();
    window.addEventListener("popstate", () => {
      places.set(entry, here());
      enter();
    });
    window.addEventListener("pagehide", save);
  }

  wholesale.places = { watch, arrive, arrivals: () => arrivals };
})();

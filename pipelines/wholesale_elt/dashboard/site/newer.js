/** Newer: whether a later version is in force than the one that this page shows, and the way to it. */
(() => {
  "use strict";

  const { base, format, readAgain } = wholesale;
  const EVERY = 5 * 60_000;

  /** The page of the version in force, which stands above the folders of all versions. */
  function take() {
    if (base) location.reload();
    else location.assign(`../index.html${location.hash}`);
  }

  function show({ published_at: publishedAt }) {
    const notice = document.getElementById("newer");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Show them";
    button.addEventListener("click", take);
    notice.replaceChildren(`Newer figures were published ${format.moment(publishedAt)}. `, button);
    notice.hidden = false;
  }

  /** Says so if there are newer figures; without an answer the page stays as it is. */
  async function check() {
    const latest = await readAgain("latest", "../latest.js").catch(() => null);
    const isNewer = Boolean(latest && latest.version > wholesale.meta.version);
    if (isNewer) show(latest);
    return isNewer;
  }

  /** Looks from time to time, and whenever somebody comes back to the page. */
  function watch() {
    setInterval(check, EVERY);
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") check();
    });
  }

  wholesale.newer = { check, watch };
})();

/** Paper: what stands at the foot of each sheet: whose figures, of which version, and when they were printed. */
(() => {
  "use strict";

  const { format } = wholesale;

  /** The words of the foot, as CSS takes a text; control characters say nothing. */
  function foot() {
    const { company, published_at: publishedAt } = wholesale.meta;
    const printed = format.moment(new Date(Date.now()).toISOString());
    return JSON.stringify(
      `${company}, version of ${format.moment(publishedAt)}, printed ${printed}`.replaceAll(/\p{Cc}+/gu, " "),
    );
  }

  window.addEventListener("beforeprint", () => document.documentElement.style.setProperty("--paper-foot", foot()));
})();

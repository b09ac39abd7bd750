/** Buyers: who buys, and who is about to be lost. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Buyers ${view.id}</p>`;
  }

  wholesale.pages.buyers = { Page };
})();

/** Buyer: one buyer. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Buyer ${view.id}</p>`;
  }

  wholesale.pages.buyer = { Page };
})();

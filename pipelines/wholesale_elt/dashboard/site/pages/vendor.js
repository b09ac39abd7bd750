/** Vendor: one vendor. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Vendor ${view.id}</p>`;
  }

  wholesale.pages.vendor = { Page };
})();

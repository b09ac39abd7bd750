/** Vendors: how each vendor does. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Vendors ${view.id}</p>`;
  }

  wholesale.pages.vendors = { Page };
})();

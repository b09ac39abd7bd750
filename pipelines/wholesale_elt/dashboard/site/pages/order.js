/** Order: one order. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Order ${view.id}</p>`;
  }

  wholesale.pages.order = { Page };
})();

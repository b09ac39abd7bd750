/** Orders: a list of orders. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Orders ${view.id}</p>`;
  }

  wholesale.pages.orders = { Page };
})();

/** Product: one product. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Product ${view.id}</p>`;
  }

  wholesale.pages.product = { Page };
})();

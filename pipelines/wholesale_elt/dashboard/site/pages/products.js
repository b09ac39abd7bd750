/** Products: what sells, and what does not. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Products ${view.id}</p>`;
  }

  wholesale.pages.products = { Page };
})();

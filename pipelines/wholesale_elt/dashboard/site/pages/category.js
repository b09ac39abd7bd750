/** Category: one category. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Category ${view.id}</p>`;
  }

  wholesale.pages.category = { Page };
})();

/** Search: one field for orders, buyers, products, vendors and pages. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Search() {
    return h`<div class="search" role="search"></div>`;
  }

  wholesale.Search = Search;
})();

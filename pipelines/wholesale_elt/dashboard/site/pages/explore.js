/** Explore: any figure by anything. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Explore ${view.id}</p>`;
  }

  wholesale.pages.explore = { Page };
})();

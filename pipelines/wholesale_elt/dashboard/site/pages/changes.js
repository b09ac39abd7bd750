/** Changes: what changed, and why a figure moved. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Changes ${view.id}</p>`;
  }

  wholesale.pages.changes = { Page };
})();

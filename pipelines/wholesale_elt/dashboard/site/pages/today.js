/** Today: what is new, and what there is to do. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Today ${view.id}</p>`;
  }

  wholesale.pages.today = { Page };
})();

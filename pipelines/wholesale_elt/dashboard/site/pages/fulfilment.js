/** Fulfilment: which orders wait, and for how long. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Fulfilment ${view.id}</p>`;
  }

  wholesale.pages.fulfilment = { Page };
})();

/** Health: whether these figures can be trusted. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Health ${view.id}</p>`;
  }

  wholesale.pages.health = { Page };
})();

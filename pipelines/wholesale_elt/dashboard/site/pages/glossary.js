/** Glossary: what the words mean. */
(() => {
  "use strict";

  const { h } = wholesale.elements;

  function Page({ view }) {
    return h`<p>Glossary ${view.id}</p>`;
  }

  wholesale.pages.glossary = { Page };
})();

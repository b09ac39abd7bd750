/** Shell: what stands around every page: the rail, the line at the top, and the bar of a phone. */
(() => {
  "use strict";

  const { format } = wholesale;
  const { h, Icon, Link, Menu } = wholesale.elements;
  const OF_PHONES = ["today", "sales", "buyers", "orders"];
  const PARENTS = { buyer: "buyers", vendor: "vendors", product: "products", category: "products", order: "orders" };

  function Rail({ view }) {
    const current = PARENTS[view.page] ?? view.page;
    return h`<nav class="rail" aria-label="Pages">
      <${Link} to="today" class="brand">${wholesale.meta.company}<//>
      <${wholesale.Search} />
      <div class="nav">${wholesale.meta.pages.map(({ name, title }) => h`<${Link} key=${name} to=${name} where=${view.where}
        aria-current=${name === current ? "page" : undefined}><${Icon} name=${name} /><span>${title}</span><//>`)}</div>
      <${wholesale.Recent} />
    </nav>`;
  }

  function Top({ title, parent }) {
    const { verdict, as_of: asOf, published_at: publishedAt } = wholesale.meta;
    const isComplete = verdict === "complete";
    return h`<header class="top">
      <h1>${parent && h`<${Link} to=${parent.name}>${parent.title}<//><span class="quiet"> / </span>`}<span dir="auto">${title}</span></h1>
      <div class="end">
        <${Link} to="health"><i class=${isComplete ? "dot" : "dot partial"}></i>${format.word(verdict)} as of ${format.moment(asOf)}<//>
        <span class="quiet wide">Version ${format.moment(publishedAt)}</span>
        <button type="button" class="icon-button" aria-label="Light or dark" onClick=${wholesale.theme.toggle}><${Icon} name="theme" /></button>
      </div>
    </header>`;
  }

  function Bottom({ view }) {
    const current = PARENTS[view.page] ?? view.page;
    return h`<nav class="bottom" aria-label="Main pages">${wholesale.meta.pages.filter(({ name }) => OF_PHONES.includes(name)).map(({ name, title }) =>
      h`<${Link} key=${name} to=${name} aria-current=${name === current ? "page" : undefined}><${Icon} name=${name} /><span>${title}</span><//>`)}
      <${Menu} label="More pages" style="" text=${h`<${Icon} name="more" /><span>More</span>`}>${(close) => wholesale.meta.pages.filter(({ name }) => !OF_PHONES.includes(name)).map(({ name, title }) =>
        h`<${Link} key=${name} to=${name} onClick=${close}><${Icon} name=${name} />${title}<//>`)}<//></nav>`;
  }

  wholesale.shell = { Rail, Top, Bottom, PARENTS };
})();

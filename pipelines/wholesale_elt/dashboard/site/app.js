/** App: the page in force, which follows the URL, draws, says what changed, keeps the focus where it was. */
(() => {
  "use strict";

  const { element, format, filters, charts, newer, Table, load } = wholesale;
  const { parse, filtersOf, daysOf } = wholesale.view;
  const main = document.getElementById("main");
  const news = document.getElementById("news");
  let drawn = 0;

  function prepare(meta) {
    const periods = new Table(meta.periods).rows();
    wholesale.meta = {
      ...meta,
      spans: new Map(periods.map((period) => [period.period_key, period])),
      everything: periods.find((period) => period.period_kind === "all").period_key,
      labels: new Map(meta.filters.map(({ name, choices }) =>
        [name, new Map(choices.map(({ value, label }) => [value, label]))])),
    };
    format.useCurrency(meta.currency);
  }

  function scope(page, view) {
    return filters.words(view, filtersOf(page, wholesale.meta));
  }

  function heading(page, view) {
    return element(
      "div",
      { class: "heading" },
      element("h1", {}, page.title),
      element("p", { class: "scope" }, scope(page, view)),
      element("p", { class: "days" }, daysOf(page, view, wholesale.meta)),
      element("p", { class: "question" }, page.question),
    );
  }

  /** A file that cannot be read may have gone with its version: then there are newer figures. */
  async function failure(error) {
    const isNewer = await newer.check();
    const message = isNewer ? "These figures are no longer there, because newer ones are." : error.message;
    return [element("p", { class: "failure", role: "alert" }, message)];
  }

  /** A press on a row draws the page afresh: the same button gets the focus again. */
  function refocus(key) {
    if (!key) return;
    const same = [...main.querySelectorAll("[data-key]")].find((node) => node.dataset.key === key);
    (same ?? main).focus({ preventScroll: true });
  }

  async function draw() {
    const mine = ++drawn;
    const before = wholesale.shown;
    const view = parse(location.hash, wholesale.meta);
    const page = wholesale.meta.pages.find(({ name }) => name === view.page);
    wholesale.shown = view;
    filters.show(view, page, wholesale.meta);
    main.setAttribute("aria-busy", "true");
    const content = await wholesale.pages[view.page](view, page).catch(failure);
    if (mine !== drawn) return;

    const key = main.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    charts.clear();
    main.replaceChildren(heading(page, view), ...content);
    main.removeAttribute("aria-busy");
    document.title = `${page.title} · Wholesale`;
    if (before && before.page !== view.page) {
      window.scrollTo(0, 0);
      main.focus({ preventScroll: true });
    } else refocus(key);
    if (before) news.textContent = [page.title, scope(page, view)].filter(Boolean).join(": ");
  }

  function colophon() {
    const { version, published_at: publishedAt, time_zone: zone } = wholesale.meta;
    document.getElementById("colophon").textContent =
      `Version ${version}, published ${format.moment(publishedAt)}. Days begin at midnight in ${zone}.`;
  }

  async function start() {
    prepare(await load("meta"));
    filters.build(wholesale.meta, () => parse(location.hash, wholesale.meta));
    colophon();
    window.addEventListener("hashchange", draw);
    await draw();
    newer.watch();
  }

  start().catch((error) => {
    main.replaceChildren(element("p", { class: "failure", role: "alert" }, error.message));
    main.removeAttribute("aria-busy");
  });
})();

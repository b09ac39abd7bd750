/** The page in force: follows the URL, draws, says what changed, keeps the focus where it was. */
(() => {
  "use strict";

  const { element, format, filters, charts, Table, load } = wholesale;
  const { parse } = wholesale.view;
  const main = document.getElementById("main");
  const news = document.getElementById("news");
  let drawn = 0;

  function prepare(meta) {
    wholesale.meta = {
      ...meta,
      periods: new Table(meta.periods).rows().sort((one, other) => one.position - other.position),
      defaultPeriod: meta.default_period,
      vendorNames: new Map(meta.vendors.map((vendor) => [vendor.id, vendor.name])),
    };
    wholesale.meta.everything = wholesale.meta.periods.find((one) => one.period_kind === "all").period_key;
    format.useCurrency(meta.currency);
  }

  function scope(page, view) {
    return filters.words(view, wholesale.meta, filters.used(page));
  }

  function heading(page, view) {
    return element(
      "div",
      { class: "heading" },
      element("h1", {}, page.title),
      element("p", { class: "scope" }, scope(page, view)),
      element("p", { class: "question" }, page.question),
    );
  }

  function failure(error) {
    return [element("p", { class: "failure", role: "alert" }, error.message)];
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
    const page = wholesale.meta.pages.find((one) => one.name === view.page);
    wholesale.shown = view;
    filters.show(view, wholesale.meta);
    main.setAttribute("aria-busy", "true");
    const content = await wholesale.pages[view.page](view).catch(failure);
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
  }

  start().catch((error) => {
    main.replaceChildren(...failure(error));
    main.removeAttribute("aria-busy");
  });
})();

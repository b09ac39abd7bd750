/** The frame of every tile: what it shows, how far it can be trusted, which filters it ignores. */
(() => {
  "use strict";

  const { element, button, freshId, format, decimals } = wholesale;
  const FILTERS = ["period", "vendor", "state"];

  function known(name) {
    const page = wholesale.meta.pages.find((one) => one.name === wholesale.shown.page);
    const tile = page.tiles.find((one) => one.name === name);
    if (!tile) throw new Error(`the registry has no tile ${name} on page ${page.name}`);
    return tile;
  }

  function standing(tile) {
    const { verdict, as_of: asOf } = wholesale.meta;
    const ignored = FILTERS.filter((filter) => !tile.filters.includes(filter));
    const isFiltered = !document.getElementById("filters").hidden;
    return element(
      "footer",
      {},
      element("span", { class: "verdict", "data-verdict": verdict }, verdict),
      ` as of ${format.moment(asOf)}`,
      isFiltered && ignored.length > 0 && element(
        "span", { class: "ignored" }, `Not narrowed by ${ignored.join(", ")}`,
      ),
    );
  }

  /** The explanation of a headline, which has no room for it. */
  function about(entry) {
    return element(
      "details",
      { class: "about" },
      element("summary", { "aria-label": `About ${entry.label}` }, "i"),
      element("p", { class: "explanation" }, entry.explanation),
    );
  }

  /** A tile of the registry with these children; `wide` spans the row, `label` says which part. */
  function tile(name, { wide = false, kind = "", label } = {}, ...children) {
    const entry = known(name);
    const id = freshId("tile");
    return element(
      "section",
      { class: `tile ${kind} ${wide ? "wide" : ""}`, "aria-labelledby": id, "data-tile": name },
      element("h2", { id }, label ?? entry.label),
      kind === "headline" ? about(entry) : element("p", { class: "explanation" }, entry.explanation),
      children,
      standing(entry),
    );
  }

  /**
   * A headline figure; activating it shows the orders behind it.
   *
   * `exact` is the figure in full, `note` what stands below, such as the change on a year before,
   * `label` tells tiles of one name apart.
   */
  function headline(name, { label, short, exact, run, note }) {
    const figure = run
      ? button(short, {
        run, kind: "figure", title: exact, key: `headline ${name} ${label ?? ""}`,
        label: `${label ?? known(name).label}: ${exact}. Show the orders`,
      })
      : element("p", { class: "figure", title: exact }, short);
    figure.dataset.exact = exact;
    return tile(name, { kind: "headline", label }, figure, note);
  }

  /** Whether a growth rate is good or bad news, for its colour; its sign says the same. */
  function tone(rate) {
    if (rate === null) return "";
    return ["down", "", "up"][decimals.compare(rate, "0") + 1];
  }

  /** The change against a year before: a sign, a share and the figure of then. */
  function change(rate, before, written) {
    if (rate === null) {
      return element("p", { class: "change" }, "nothing to compare with a year before");
    }
    const kind = tone(rate);
    const arrow = { down: "▼", up: "▲" }[kind] ?? "■";
    return element(
      "p",
      { class: "change" },
      element(
        "span",
        { "data-tone": kind },
        element("span", { "aria-hidden": "true" }, `${arrow} `),
        format.change(rate),
      ),
      ` on ${written(before)} a year before`,
    );
  }

  Object.assign(wholesale, { tile, headline, tone, change });
})();

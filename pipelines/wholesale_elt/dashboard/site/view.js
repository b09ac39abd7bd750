/** View: the page and the choice of each filter, kept in the URL so that a view can be shared. */
(() => {
  "use strict";

  const { spans } = wholesale;
  const ALL = "all";
  const SPANS = ["period", "month"];
  const MOST_LETTERS = 60;

  /** The view of a hash such as `#/vendors?period=2025&state=US-CA`; unknown values fall back. */
  function parse(hash, { pages, filters }) {
    const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
    const wanted = new URLSearchParams(query);
    const view = { page: (pages.find((page) => page.name === path) ?? pages[0]).name };
    for (const { name, choices, otherwise } of filters) {
      const value = wanted.get(name);
      const isKnown = choices.some((choice) => choice.value === value) || (name === "period" && spans.chosen(value));
      view[name] = isKnown ? value : otherwise;
    }
    return view;
  }

  /** The hash of a view; what is not chosen is not in it. */
  function hashOf(view, { filters }) {
    const chosen = new URLSearchParams();
    for (const { name, otherwise } of filters) {
      if (view[name] !== otherwise) chosen.set(name, view[name]);
    }
    const query = chosen.toString();
    return `#/${view.page}${query && `?${query}`}`;
  }

  /** The filters that any tile of a page follows. */
  function filtersOf(page, { filters }) {
    return filters.filter(({ name }) => page.tiles.some((tile) => tile.filters?.includes(name)));
  }

  /** A test of rows: those of the choices that the tile follows. */
  function within(tile, view, { filters }) {
    const columns = filters
      .filter(({ name, column }) => column && tile.filters?.includes(name))
      .filter(({ name }) => tile.has_totals || view[name] !== ALL);
    return (row) => columns.every(({ name, column }) => row[column] === view[name]);
  }

  /** The days that a page is about, and those that they are compared with. */
  function daysOf(page, view, meta) {
    const { filters, figures_up_to: end } = meta;
    if (!end || page.tiles.length === 0) return "";
    const offered = new Set(filtersOf(page, { filters }).map(({ name }) => name));
    if (offered.has("month")) return wholeDays(spans.of(view.month.slice(0, 7), meta));
    if (!offered.has("period")) return `Orders up to ${end}`;
    const span = spans.of(view.period, meta);
    const now = wholeDays(span);
    if (span.period_kind === "all") return now;
    return span.is_year_before_covered
      ? `${now}, compared with ${span.year_before_first_day} to ${span.year_before_last_day}`
      : `${now}, with no whole year before to compare with`;
  }

  function wholeDays(span) {
    return span ? `${span.first_day} to ${span.last_day}` : "";
  }

  /** A name for a file: what it is, of which span, and which choices it follows among `follows`. */
  function fileName(file, view, follows, { filters, labels }) {
    const told = filters
      .filter(({ name }) => follows.includes(name))
      .filter(({ name, otherwise }) => SPANS.includes(name) || view[name] !== otherwise)
      .map(({ name }) => (SPANS.includes(name) ? view[name] : `${name}-${labels.get(name)?.get(view[name]) ?? view[name]}`));
    return `${[file, ...told].map(plain).join("_")}.csv`;
  }

  function plain(text) {
    return text.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replaceAll(/^-+|-+$/g, "").slice(0, MOST_LETTERS);
  }

  wholesale.view = { ALL, parse, hashOf, filtersOf, within, daysOf, fileName };
})();

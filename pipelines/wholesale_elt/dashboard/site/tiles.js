/** Tiles: the frame of each, what it shows, how far it can be trusted, which filters it ignores. */
(() => {
  "use strict";

  const { element, button, freshId, columns } = wholesale;
  const ARROWS = { down: "▼", up: "▲" };

  /** The exception only: what holds for all tiles stands at the top of the page. */
  function standing(tile) {
    const { verdict, filters } = wholesale.meta;
    const form = document.getElementById("filters");
    const isOffered = ({ name }) => !form.hidden && !form.elements[name].parentElement.hidden;
    const isChosen = ({ name, otherwise }) => !form.hidden && wholesale.shown[name] !== otherwise;
    const ignored = filters.filter((filter) =>
      !tile.filters?.includes(filter.name) && (isOffered(filter) || isChosen(filter)));
    const isIgnoring = ignored.length > 0;
    if (verdict === "complete" && !isIgnoring) return "";
    return element(
      "footer",
      {},
      verdict !== "complete" && element("span", { class: "verdict", "data-verdict": verdict }, verdict),
      isIgnoring && element(
        "span", { class: "ignored" }, `Not narrowed by ${ignored.map(({ name }) => name).join(", ")}`,
      ),
    );
  }

  /** The explanation of a headline, which has no room for it. */
  function about(tile) {
    return element(
      "details",
      { class: "about" },
      element("summary", { "aria-label": `About ${tile.label}` }, "i"),
      element("p", { class: "explanation" }, tile.explanation, " ", definition(tile)),
    );
  }

  function definition({ name, label }) {
    return element(
      "a", { href: `#/definitions?tile=${name}`, "aria-label": `Definitions of ${label}` }, "Definitions",
    );
  }

  /** The frame of a tile of the registry around these children. */
  function frame(tile, ...children) {
    const id = freshId("tile");
    const isHeadline = tile.type === "headline";
    const width = isHeadline ? "headline" : !tile.is_half && "wide";
    return element(
      "section",
      { class: ["tile", width].filter(Boolean).join(" "), "aria-labelledby": id, "data-tile": tile.name },
      element("h2", { id }, tile.label),
      isHeadline ? about(tile) : element("p", { class: "explanation" }, tile.explanation, " ", definition(tile)),
      children,
      standing(tile),
    );
  }

  /** A part of a note; news has its colour, and an arrow that says the same. */
  function news(part, row) {
    if (typeof part === "string" || !part.column.is_coloured) return part.text ?? part;
    const tone = columns.toneOf(part.column, row);
    return element(
      "span",
      { "data-tone": tone },
      element("span", { "aria-hidden": "true" }, `${ARROWS[tone] ?? "■"} `),
      part.text,
    );
  }

  function note(tile, row) {
    const found = columns.parts(tile.note, tile.columns, row, "short");
    const isTold = !tile.otherwise
      || found.every((part) => typeof part === "string" || !columns.isMissing(row[part.column.name]));
    return element("p", { class: "change" }, isTold ? found.map((part) => news(part, row)) : tile.otherwise);
  }

  /** What is not known of the figure, if there is anything: its first column counts it. */
  function doubt(tile, row) {
    const found = columns.parts(tile.doubt ?? "", tile.columns, row, "short");
    const counted = found.find((part) => typeof part !== "string");
    const isAny = counted && row[counted.column.name] > 0;
    return isAny && element("p", { class: "doubt" }, found.map((part) => part.text ?? part));
  }

  function isUnknown(tile, row) {
    return columns.parts(tile.figure, tile.columns, row, "short")
      .some((part) => typeof part !== "string" && columns.isMissing(row[part.column.name]));
  }

  /** A headline with its figure of a row; with `run`, activating it shows the orders behind it. */
  function headline(tile, row, run, course = "") {
    const short = columns.filled(tile.figure, tile.columns, row, "short");
    const exact = columns.filled(tile.figure, tile.columns, row, "exact");
    const doubted = doubt(tile, row);
    const isTold = !(doubted && isUnknown(tile, row));
    const figure = run && isTold
      ? button(short, {
        run, style: "figure", title: exact, key: `headline ${tile.name}`,
        label: `${tile.label}: ${exact}. Show the orders`,
      })
      : element("p", { class: "figure", title: exact }, short);
    figure.dataset.exact = exact;
    return frame(tile, figure, isTold && note(tile, row), doubted, course);
  }

  wholesale.tiles = { frame, headline };
})();

/** Definitions: what each figure of the other pages means, in the words of the models. */
(() => {
  "use strict";

  const { element, load } = wholesale;

  function entries(tile, meanings) {
    return tile.columns
      .filter(({ name, label }) => (label || tile.type === "headline") && meanings[name])
      .flatMap(({ name, label }) => [
        element("dt", {}, label || name.replaceAll("_", " ")),
        element("dd", {}, words(meanings[name]), " ", element("code", {}, `${tile.model}.${name}`)),
      ]);
  }

  /** Names in backticks, as the models write them, are code. */
  function words(text) {
    return text.split("`").map((part, place) => (place % 2 ? element("code", {}, part) : part));
  }

  function section(tile, definitions) {
    const id = `definition-${tile.name}`;
    return element(
      "section",
      { class: "tile wide", "aria-labelledby": id, "data-definition": tile.name },
      element("h3", { id, tabindex: "-1" }, tile.label),
      element("p", { class: "explanation" }, tile.explanation),
      element("dl", {}, entries(tile, definitions[tile.model] ?? {})),
    );
  }

  /** A tile links to its own entry: `#/definitions?tile=sales`. */
  function show() {
    const tile = new URLSearchParams(location.hash.split("?")[1] ?? "").get("tile");
    const found = tile && document.getElementById(`definition-${tile}`);
    found?.scrollIntoView({ block: "center" });
    found?.focus({ preventScroll: true });
  }

  wholesale.pages.definitions = async () => {
    const definitions = await load("definitions");
    setTimeout(show, 0);
    return wholesale.meta.pages.filter(({ tiles }) => tiles.length > 0).map(({ title, tiles }) => element(
      "div",
      { class: "definitions" },
      element("h2", {}, title),
      element("div", { class: "tiles" }, tiles.map((tile) => section(tile, definitions))),
    ));
  };
})();

/** Page: the tiles that the registry names, each with its rows, headlines first. */
(() => {
  "use strict";

  const { element, tiles, table, Table } = wholesale;
  const { within } = wholesale.view;
  const NOTHING = { count: 0, amount: "0" };

  /** The row of what has none: no orders, no sales, and no more to say. */
  function nothing(columns) {
    return Object.fromEntries(columns.map(({ name, type }) => [name, NOTHING[type] ?? null]));
  }

  /** With a row for each value that a column is said to take. */
  function completed(tile, rows) {
    const column = tile.columns.find(({ values }) => values);
    if (!column || rows.length === 0) return rows;
    return column.values.map((value) =>
      rows.find((row) => row[column.name] === value) ?? { ...nothing(tile.columns), [column.name]: value });
  }

  function headline(tile, { rows: [row = nothing(tile.columns)] }, { open, course }) {
    return tiles.headline(tile, row, open && (() => open(row, tile)), course);
  }

  function listing(tile, { rows: found, cut }, { actions, isSelected, frame = (_, listed) => listed }) {
    const rows = completed(tile, found);
    const listed = table({
      caption: tile.label, columns: tile.columns, sort: tile.sort, size: tile.size, empty: tile.empty,
      file: tile.name.replaceAll("_", "-"), follows: tile.filters, rows, cut, actions, isSelected,
    });
    return tiles.frame(tile, frame(rows, listed, tile));
  }

  function picture(tile, { rows }, { draw }) {
    return tiles.frame(tile, draw(rows, tile));
  }

  const DRAWN = { headline, table: listing, picture };

  /**
   * The content of a page.
   *
   * `read(tile)` gives `{rows, cut}`. `parts` is what only the page itself knows of a tile, by its
   * name: `open` shows the orders behind a headline's row, `course` is drawn below it, `draw` makes a picture of rows,
   * `actions`, `isSelected` and `frame` are those of a table and what it stands in.
   */
  function content({ tiles: entries }, read, parts = {}) {
    const draw = (tile) => DRAWN[tile.type](tile, read(tile), parts[tile.name] ?? {});
    const heads = entries.filter(({ type }) => type === "headline");
    return [
      heads.length > 0 && element("div", { class: "tiles headlines" }, heads.map(draw)),
      element("div", { class: "tiles" }, entries.filter((tile) => !heads.includes(tile)).map(draw)),
    ].filter(Boolean);
  }

  /** Reads tiles from the data file of a page, narrowed down by what the view says. */
  function reader(data, view) {
    return (tile) => {
      const file = new Table(data[tile.name]);
      return {
        rows: file.rows(within(tile, view, wholesale.meta)),
        cut: { shown: file.length, total: file.total },
      };
    };
  }

  wholesale.page = { content, reader };
})();

/** Tables: sorted by any column, in pages, narrowed by a search, downloadable. */
(() => {
  "use strict";

  const { element, button, format, decimals, freshId, csv } = wholesale;

  const byText = (one, other) => one.localeCompare(other, "en", { numeric: true });
  const bySize = (one, other) => decimals.compare(one, other);

  /**
   * Each kind of column: how a value is written, and how two are put in order.
   *
   * Amounts are read to the cent, and exact on hover and in CSV; their currency is in the heading.
   */
  const KINDS = {
    amount: { write: format.cents, exact: format.exactAmount, compare: bySize, isNumber: true },
    price: { write: format.price, compare: bySize, isNumber: true },
    number: { write: format.number, compare: bySize, isNumber: true },
    count: { write: format.count, compare: (one, other) => one - other, isNumber: true },
    rate: { write: format.rate, compare: bySize, isNumber: true },
    change: { write: format.change, compare: bySize, isNumber: true },
    duration: { write: format.duration, compare: (one, other) => one - other, isNumber: true },
    date: { write: format.date, compare: byText },
    moment: { write: format.moment, compare: byText },
    month: { write: format.month, compare: byText },
    code: { write: format.text, compare: byText },
    id: { write: format.text, compare: byText },
    flag: { write: format.flag, compare: (one, other) => Number(one) - Number(other) },
    text: { write: format.text, compare: byText },
  };

  function heading(column) {
    const { currency } = wholesale.meta;
    const hasCurrency = /^(amount|price)$/.test(column.kind) && currency !== "XXX";
    return hasCurrency ? `${column.label} (${currency})` : column.label;
  }

  function sorted(rows, column, isDescending) {
    const { compare } = KINDS[column.kind];
    const missing = (value) => value === null || value === undefined;
    return [...rows].sort((one, other) => {
      const [first, second] = [one[column.name], other[column.name]];
      if (missing(first) || missing(second)) return Number(missing(first)) - Number(missing(second));
      return isDescending ? compare(second, first) : compare(first, second);
    });
  }

  /** How long a bar is: the share of the largest value, in percent. */
  function shares(rows, column) {
    const largest = Math.max(...rows.map((row) => Number(row[column.name] ?? 0)), 0);
    return (row) => (largest > 0 ? Math.max(0, (100 * Number(row[column.name] ?? 0)) / largest) : 0);
  }

  function cell(column, row, share) {
    const { write, exact, isNumber } = KINDS[column.kind];
    const value = row[column.name];
    const text = write(value);
    const action = column.run && value !== null && column.run(row);
    const content = action
      ? button(text, { run: action.run, label: `${text}: ${action.label}`, key: `${column.name} ${action.key}` })
      : text;
    const made = element(
      column.isHeader ? "th" : "td",
      {
        class: isNumber ? "number" : column.kind,
        scope: column.isHeader && "row",
        "data-column": column.name,
        title: exact?.(value),
      },
      content,
    );
    if (column.kind === "flag") made.dataset.flag = String(value);
    if (column.tone) made.dataset.tone = column.tone(row) ?? "";
    if (share) {
      made.classList.add("bar");
      made.style.setProperty("--share", `${share(row).toFixed(1)}%`);
    }
    return made;
  }

  /**
   * A table of row objects.
   *
   * `columns`: `{name, label, kind, isHeader, bar, tone, run}`, where `run(row)` gives
   * `{run, label, key}` for a cell that leads somewhere. `limit` is `{shown, of}` where the rows
   * are not all there are.
   */
  function table({ caption, columns, rows, sort, descending = true, size = 25, empty, file, limit, isSelected }) {
    if (rows.length === 0) return element("p", { class: "empty" }, empty ?? "Nothing here.");
    let order = sort && columns.find((column) => column.name === sort);
    let isDescending = descending;
    let page = 0;
    let sought = "";

    const body = element("tbody");
    const headings = columns.map((column) => {
      const sorter = button(heading(column), { run: () => sortBy(column), kind: "sort" });
      const isNumber = KINDS[column.kind].isNumber;
      return element("th", { scope: "col", class: isNumber ? "number" : null }, sorter);
    });
    const position = element("span", { class: "position", role: "status" });
    const previous = button("Previous", { run: () => turn(-1), kind: "quiet" });
    const next = button("Next", { run: () => turn(1), kind: "quiet" });
    const bars = new Map(columns.filter((one) => one.bar).map((one) => [one, shares(rows, one)]));

    function found() {
      if (sought === "") return rows;
      const texts = columns.filter((column) => /^(text|code|id)$/.test(column.kind));
      return rows.filter((row) =>
        texts.some((column) => String(row[column.name] ?? "").toLowerCase().includes(sought)));
    }

    function draw() {
      const kept = order ? sorted(found(), order, isDescending) : found();
      const first = page * size;
      body.replaceChildren(...kept.slice(first, first + size).map((row) =>
        element(
          "tr",
          { class: isSelected?.(row) ? "selected" : null },
          columns.map((column) => cell(column, row, bars.get(column))),
        )));
      headings.forEach((node, place) => {
        if (columns[place] === order) node.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
        else node.removeAttribute("aria-sort");
      });
      const last = Math.min(first + size, kept.length);
      position.textContent = kept.length === 0
        ? "none found"
        : `${format.count(first + 1)}–${format.count(last)} of ${format.count(kept.length)}`;
      previous.disabled = page === 0;
      next.disabled = last >= kept.length;
    }

    function sortBy(column) {
      isDescending = order === column ? !isDescending : Boolean(KINDS[column.kind].isNumber);
      order = column;
      page = 0;
      draw();
    }

    function turn(by) {
      page += by;
      draw();
    }

    function search(event) {
      sought = event.target.value.trim().toLowerCase();
      page = 0;
      draw();
    }

    function save() {
      const kept = order ? sorted(found(), order, isDescending) : found();
      const values = kept.map((row) => columns.map((column) => row[column.name]));
      csv.download(`${file}.csv`, csv.encode(columns.map((column) => column.name), values));
    }

    const id = freshId("search");
    const isLong = rows.length > size;
    draw();
    return element(
      "div",
      { class: "listing" },
      element(
        "div",
        { class: "scroller", role: "region", tabindex: "0", "aria-label": caption },
        element(
          "table",
          {},
          element("caption", { class: "hidden" }, caption),
          element("thead", {}, element("tr", {}, headings)),
          body,
        ),
      ),
      element(
        "div",
        { class: "pager" },
        isLong && element("label", { for: id, class: "hidden" }, `Search in ${caption}`),
        isLong && element("input", { id, type: "search", placeholder: "Search", input: search }),
        isLong && position,
        isLong && previous,
        isLong && next,
        file && button("CSV", { run: save, label: `Download ${caption} as CSV`, kind: "quiet" }),
      ),
      limit && limit.shown < limit.of && element(
        "p",
        { class: "limit" },
        `The first ${format.count(limit.shown)} of ${format.count(limit.of)} are listed here; `
          + "the published database has all.",
      ),
    );
  }

  wholesale.table = table;
})();

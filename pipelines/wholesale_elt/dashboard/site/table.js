/** Tables: sorted by any column, in pages, narrowed by a search, downloadable. */
(() => {
  "use strict";

  const { element, button, format, columns: { typeOf, written, toneOf, sorted, beginsWithLargest }, freshId, csv } =
    wholesale;

  const { fileName } = wholesale.view;
  const LONG = 24;
  const BEGINNING = 8;
  const ON_A_PHONE = 5;
  const phone = window.matchMedia("(max-width: 40rem)");

  function heading(column) {
    const { currency } = wholesale.meta;
    const hasCurrency = /^(amount|price)$/.test(column.type) && currency !== "XXX";
    return hasCurrency ? `${column.label} (${currency})` : column.label;
  }

  /** The heading of a column in a file, where also those without a label are. */
  function titled(column) {
    const words = column.name.replaceAll("_", " ");
    return column.label ? heading(column) : words[0].toUpperCase() + words.slice(1);
  }

  /** How long a bar is: the share of the largest value, in percent. */
  function shares(rows, column) {
    const largest = Math.max(...rows.map((row) => Number(row[column.name] ?? 0)), 0);
    return (row) => (largest > 0 ? Math.max(0, (100 * Number(row[column.name] ?? 0)) / largest) : 0);
  }

  /** A text in its own direction and within its cell; of a long code the beginning, to be copied. */
  function contained(column, text) {
    const { isText, isCode } = typeOf(column);
    if (!isText) return text;
    if (!isCode || text.length <= LONG) return element("bdi", { class: "contained" }, text);
    return element(
      "span", { class: "handle" }, element("bdi", {}, `${text.slice(0, BEGINNING)}…`), copier(text),
    );
  }

  function copier(text) {
    const copy = async (event) => {
      const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
      event.target.textContent = copied ? "Copied" : "Not allowed";
    };
    return button("Copy", { run: copy, label: `Copy ${text}`, style: "copy" });
  }

  function cell(column, row, { isHeader, action, share }) {
    const { exact, isNumber, isText } = typeOf(column);
    const value = row[column.name];
    const text = written(column, row);
    const lead = value !== null && action?.(row);
    const content = lead
      ? button(contained(column, text), {
        run: lead.run, label: `${text}: ${lead.label}`, key: `${column.name} ${lead.key}`,
      })
      : contained(column, text);
    const made = element(
      isHeader ? "th" : "td",
      {
        class: isNumber ? "number" : (column.type ?? "text"),
        scope: isHeader && "row",
        "data-column": column.name,
        "data-label": column.label,
        "data-flag": column.type === "flag" && String(value),
        "data-tone": toneOf(column, row) || null,
        title: exact ? written(column, row, "exact") : isText && text.length > LONG && text,
      },
      content,
    );
    if (share) {
      made.classList.add("bar");
      made.style.setProperty("--share", `${share(row).toFixed(1)}%`);
    }
    return made;
  }

  /**
   * A table of row objects.
   *
   * `columns` are those of the registry; the first one with a label names the row, and
   * those without are in the CSV only, whose name tells of the filters that it `follows`. `actions` gives,
   * by column, a function from a row to `{run, label, key}` for a cell that leads somewhere. `cut` is
   * `{shown, total}` where the rows come from a list that is not whole.
   */
  function table({ caption, columns, rows, sort, size = 12, empty, file, follows = [], cut, isSelected, actions = {} }) {
    if (rows.length === 0) return element("p", { class: "empty" }, empty ?? "Nothing here.");
    const shown = columns.filter((column) => column.label);
    let order = sort && shown.find((column) => column.name === sort);
    let isDescending = Boolean(order) && beginsWithLargest(order);
    const atOnce = phone.matches ? Math.min(size, ON_A_PHONE) : size;
    let page = 0;
    let sought = "";

    const body = element("tbody");
    const headings = shown.map((column) => {
      const sorter = button(heading(column), { run: () => sortBy(column), style: "sort" });
      return element("th", { scope: "col", class: typeOf(column).isNumber ? "number" : null }, sorter);
    });
    const position = element("span", { class: "position", role: "status" });
    const previous = button("Previous", { run: () => turn(-1), style: "quiet" });
    const next = button("Next", { run: () => turn(1), style: "quiet" });
    const cells = shown.map((column, place) => {
      const options = {
        isHeader: place === 0,
        action: actions[column.name],
        share: column.has_bar && shares(rows, column),
      };
      return (row) => cell(column, row, options);
    });

    function found() {
      if (sought === "") return rows;
      const texts = shown.filter((column) => typeOf(column).isText);
      return rows.filter((row) => texts.some((column) => written(column, row).toLowerCase().includes(sought)));
    }

    function kept() {
      return order ? sorted(found(), order, isDescending) : found();
    }

    function draw() {
      const all = kept();
      const first = page * atOnce;
      const last = Math.min(first + atOnce, all.length);
      body.replaceChildren(...all.slice(first, last).map((row) =>
        element("tr", { class: isSelected?.(row) ? "selected" : null }, cells.map((made) => made(row)))));
      headings.forEach((node, place) => {
        if (shown[place] === order) node.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
        else node.removeAttribute("aria-sort");
      });
      position.textContent = all.length === 0
        ? "none found"
        : `${format.count(first + 1)}–${format.count(last)} of ${format.count(all.length)}`;
      previous.disabled = page === 0;
      next.disabled = last >= all.length;
    }

    function sortBy(column) {
      isDescending = order === column ? !isDescending : beginsWithLargest(column);
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
      const name = fileName(file, wholesale.shown, follows, wholesale.meta);
      const lines = kept().map((row) => columns.map((column) => row[column.name]));
      csv.download(name, csv.encode(columns.map(titled), lines));
    }

    const id = freshId("search");
    const isLong = rows.length > atOnce;
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
        file && button("CSV", { run: save, label: `Download ${caption} as CSV`, style: "quiet" }),
      ),
      cut && cut.shown < cut.total && element(
        "p",
        { class: "limit" },
        `The first ${format.count(cut.shown)} of ${format.count(cut.total)} are listed here; `
          + "the published database has all.",
      ),
    );
  }

  wholesale.table = table;
})();

/** Fit: which columns a list has at which width, and where their values stand once a row takes two lines. */
(() => {
  "use strict";

  const { format } = wholesale;
  const FIGURES = new Set(["bar", "amount", "exact", "count", "number", "share"]);
  /** Columns of a table that ranks none of its own: so many always stand, so many more at the largest width. */
  const [ALWAYS, MOST_RANKED] = [3, 5];
  /** Columns of a full list, whose ranks hold as they are. */
  const FULL = 8;
  /** As many columns may stand beside a bar where a list is narrow. */
  const FEW = 4;
  /** What the grey line of a row has besides the change. */
  const MOST_IN_LINE = 2;

  /**
   * Columns with a rank each in which they go: later where there are fewer of them than a full list has. Tables of
   * unknown columns lose those at their end first.
   */
  function ranked(columns) {
    const spare = Math.max(0, FULL - columns.length);
    if (columns.some(({ drop }) => drop !== undefined))
      return columns.map((column) =>
        column.drop === undefined ? column : { ...column, drop: Math.min(MOST_RANKED, column.drop + spare) },
      );
    if (columns.length <= ALWAYS + 1) return columns;
    const most = columns.length - ALWAYS;
    return columns.map((column, place) =>
      place < ALWAYS ? column : { ...column, drop: Math.max(0, Math.min(MOST_RANKED, most) - (place - ALWAYS)) },
    );
  }

  /** What the longest figure beside a bar takes, in digits: bars of all rows then begin and end alike. */
  function digitsOf(texts) {
    const written = texts.filter((text) => typeof text === "string");
    return Math.max(0, ...written.map((text) => text.length - (text.match(/[,.\s]/g)?.length ?? 0) / 2));
  }

  const isOfChange = ({ type, name }) => type === "change" || name === "change";

  /** The figure that leads a row: what the list is sorted by, or its bar, or the amount that always stands. */
  function leading(columns, sort) {
    const figures = columns.filter(({ type }) => FIGURES.has(type));
    const is = (wanted) => figures.find(wanted);
    return (
      is((column) => column.name === sort && !isOfChange(column)) ??
      is(({ type }) => type === "bar") ??
      is(({ type, drop }) => type === "amount" && drop === undefined) ??
      is(({ type, drop }) => type === "exact" && drop === undefined) ??
      figures.at(-1)
    );
  }

  const lowered = (text) => text.charAt(0).toLowerCase() + text.slice(1);

  /** What stands before and after a value without its heading: `{}` in `phrase` is the value. */
  function phraseOf({ phrase, label, type }) {
    if (phrase !== undefined) return phrase;
    const name = lowered(label ?? "");
    if (type === "count") return `{} ${name}`;
    return !type || type === "text" || !name || name === "amount" ? "{}" : `${name} {}`;
  }

  /**
   * Columns with `drop`, `part`, `before` and `after` of their place in a row of two lines.
   *
   * `part` is `name`, `figure`, `aside` (at the right of the second line), `line` (in it), `box` (before the
   * name, for what is ticked), or `extra` (not there).
   */
  function fitted(columns, sort) {
    const all = ranked(columns);
    const name = all.find(({ style, type }) => style !== "narrow" && (type === undefined || type === "text")) ?? all[0];
    const figure = leading(all, sort);
    const aside = [isOfChange, ({ style }) => style === "narrow", ({ type }) => type === "share"]
      .map((is) => all.find((column) => is(column) && column !== name && column !== figure))
      .find(Boolean);
    const others = all.filter(
      (column) => ![name, figure, aside].includes(column) && column.type !== "course" && !column.isBox,
    );
    const kept = new Set(
      others.toSorted((left, right) => (right.drop ?? Infinity) - (left.drop ?? Infinity) || 0).slice(0, MOST_IN_LINE),
    );
    const partOf = (column) => {
      if (column === name) return "name";
      if (column === figure) return "figure";
      if (column.isBox) return "box";
      return column === aside ? "aside" : kept.has(column) ? "line" : "extra";
    };
    return all.map((column) => {
      const part = partOf(column);
      const isPlain = part === "name" || part === "aside" || (part === "figure" && column.type !== "count");
      const [lead, unit] = (isPlain ? "{}" : phraseOf(column)).split("{}");
      return { ...column, part, lead, unit };
    });
  }

  /** Whether so many columns always stand that the bar goes before the last of them do. */
  const isFull = (columns) =>
    columns.filter(({ drop, type }) => (drop === undefined || drop === MOST_RANKED) && type !== "course").length > FEW;

  /** Whether a cell has nothing to say. */
  const isNothing = (shown) =>
    shown === null || shown === undefined || shown === false || shown === "" || shown === format.NONE;

  /** Names of what is not shown at some width, in the order in which they go; `isExtra` for rows of two lines. */
  function droppable(columns) {
    return columns
      .filter(({ drop, part }) => drop !== undefined || part === "extra")
      .toSorted((left, right) => (left.drop ?? 9) - (right.drop ?? 9))
      .map(({ drop, part, label, type }) => ({
        drop,
        isExtra: part === "extra" && type !== "course",
        text: lowered(label ?? ""),
      }))
      .filter(({ text }) => text);
  }

  /** What a list gives up one by one: texts in one line, the columns of each rank, and figures in one line. */
  const GIVEN_UP = "t012345f";

  /** Gives up what the texts and figures of a list leave no room for. */
  function narrow(list) {
    if (!list) return;
    for (let most = 0; most <= GIVEN_UP.length; most += 1) {
      list.dataset.lost = GIVEN_UP.slice(0, most);
      if (list.scrollWidth <= list.clientWidth + 1) return;
    }
  }

  /** Does so again whenever the width of the list changes. */
  function watch({ current }) {
    if (!current) return undefined;
    const observer = new ResizeObserver(() => narrow(current));
    observer.observe(current);
    return () => observer.disconnect();
  }

  wholesale.fit = { digitsOf, narrow, watch, fitted, isFull, isNothing, droppable };
})();

/** Columns: how the values of each type are written, put in order and coloured. */
(() => {
  "use strict";

  const { format, decimals } = wholesale;

  const bySize = (left, right) => decimals.compare(left, right);
  const byNumber = (left, right) => Number(left) - Number(right);
  const byText = (left, right) => left.localeCompare(right, "en", { numeric: true });

  /**
   * Each type: `write` for a table, `short` for a headline, `exact` for all digits, `compare` for
   * order; numbers stand to the right, and they and times begin with the largest.
   *
   * `tone` is whether a value is good or bad news; a sign or a word says the same as its colour.
   */
  const TYPES = {
    amount: { write: format.cents, short: format.amount, exact: format.exactAmount, compare: bySize, isNumber: true },
    price: { write: format.price, compare: bySize, isNumber: true },
    number: { write: format.number, compare: bySize, isNumber: true },
    count: { write: format.count, compare: byNumber, isNumber: true },
    rate: { write: format.rate, exact: String, compare: bySize, isNumber: true },
    change: { write: format.change, compare: bySize, isNumber: true, tone: toneOfChange },
    difference: { write: format.difference, compare: bySize, isNumber: true, tone: toneOfChange },
    duration: { write: format.duration, compare: byNumber, isNumber: true },
    date: { write: format.date, compare: byText, isTime: true },
    moment: { write: format.moment, compare: byText, isTime: true },
    month: { write: format.month, compare: byText, isTime: true },
    code: { write: format.text, compare: byText, isText: true, isCode: true },
    id: { write: format.text, compare: byText, isText: true, isCode: true },
    flag: { write: format.flag, compare: byNumber, tone: (value) => (value ? "up" : "down") },
    verdict: { write: format.text, compare: byText, tone: (value) => (value === "complete" ? "up" : "down") },
    text: { write: format.text, compare: byText, isText: true },
  };

  function toneOfChange(rate) {
    return ["down", "", "up"][decimals.compare(rate, "0") + 1];
  }

  function typeOf(column) {
    return TYPES[column.type ?? "text"];
  }

  const isMissing = (value) => value === null || value === undefined;

  /** The value of a row in a column as `how` (`write`, `short` or `exact`) has it. */
  function written(column, row, how = "write") {
    const value = row[column.name];
    const word = column.words?.[value];
    const type = typeOf(column);
    return word ?? (isMissing(value) ? format.NONE : (type[how] ?? type.write)(value));
  }

  function toneOf(column, row) {
    const value = row[column.name];
    return column.is_coloured && !isMissing(value) ? typeOf(column).tone(value) : "";
  }

  /** Rows by a column, those without a value last. */
  function sorted(rows, column, isDescending) {
    const { compare } = typeOf(column);
    return rows.toSorted((left, right) => {
      const [first, second] = [left[column.name], right[column.name]];
      if (isMissing(first) || isMissing(second)) return Number(isMissing(first)) - Number(isMissing(second));
      return isDescending ? compare(second, first) : compare(first, second);
    });
  }

  /** Whether rows begin with the largest value when they are first sorted by the column. */
  function beginsWithLargest(column) {
    const { isNumber, isTime } = typeOf(column);
    return Boolean(isNumber || isTime);
  }

  /** A text with the columns that it names in braces, as parts: texts, and `{column, text}`. */
  function parts(template, columns, row, how) {
    return template.split(/\{(\w+)\}/).map((part, place) => {
      if (place % 2 === 0) return part;
      const column = columns.find(({ name }) => name === part);
      return { column, text: written(column, row, how) };
    });
  }

  /** The same as one text. */
  function filled(template, columns, row, how) {
    return parts(template, columns, row, how).map((part) => part.text ?? part).join("");
  }

  wholesale.columns = { TYPES, typeOf, isMissing, written, toneOf, sorted, beginsWithLargest, parts, filled };
})();

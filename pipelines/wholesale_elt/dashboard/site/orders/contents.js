/** Contents: the lines of an order, the steps of its states, and what became of it. */
(() => {
  "use strict";

  const { facts, load, orders, reader } = wholesale;

  /** The lines of an order, as they stand in it. */
  async function linesOf({ month, place }) {
    if (!(await facts.index())[facts.LINES].months[month]) return [];
    const [kinds, lines, details] = await Promise.all([
      facts.kinds(),
      facts.month("lines", month),
      facts.month("line_details", month),
    ]);
    const [further, kind] = [reader(lines, "further"), reader(lines, "kind")];
    const columns = Object.keys(details.columns).map((name) => [name, reader(details, name)]);
    const told = Object.keys(kinds.columns)
      .filter((name) => name !== "code")
      .map((name) => [name, reader(kinds, name)]);
    const found = [];
    for (let line = 0, at = 0; line < lines.length && at <= place; line += 1) {
      at += further(line);
      if (at !== place) continue;
      const row = Object.fromEntries(columns.map(([name, value]) => [name, value(line)]));
      for (const [name, value] of told) row[name] = value(kind(line));
      found.push({ ...row, key: line });
    }
    return found;
  }

  /** What was seen to change in the states of an order, the oldest first. */
  async function stepsOf({ month, place }) {
    const table = await load(`facts/steps-${month}`);
    const at = reader(table, "place");
    return wholesale.rowsOf(table).filter((_, row) => at(row) === place);
  }

  /** What became of an order: when it was first seen, its events, lines that changed, comments: the oldest first. */
  async function historyOf({ month, place }) {
    const tables = await load(`of_orders/${month}`);
    const own = (name) => {
      const at = reader(tables[name], "place");
      return wholesale.rowsOf(tables[name]).filter((_, row) => at(row) === place);
    };
    return {
      seenAt: own("seen")[0]?.at ?? null,
      events: own("events"),
      lines: own("lines"),
      comments: own("comments"),
    };
  }

  Object.assign(orders, { linesOf, stepsOf, historyOf });
  wholesale.receive("orders/contents", null);
})();

/** Contents: the steps of the states of an order; and of those of nobody, what a buyer's part has of others. */
(() => {
  "use strict";

  const { facts, load, objects, orders } = wholesale;

  /** The rows of a table that are of an order, by its place. */
  const ofPlace = (table, place) => {
    const at = wholesale.reader(table, "place");
    return wholesale.rowsOf(table).filter((_, row) => at(row) === place);
  };

  /** What was seen to change in the states of an order, the oldest first. */
  const stepsOf = async ({ month, place }) => ofPlace(await facts.month("steps", month), place);

  /** What there is of an order of nobody. */
  const ofNobody = async (month, place) =>
    objects.told(await load(`of_orders/${month}`), await load("products"), (table) => ofPlace(table, place));

  /**
   * What there is of an order, the oldest first: lines, when it was first seen, events, lines that changed, comments.
   *
   * `all` is what there is of its buyer, if it has one, and `own` the order among these.
   */
  async function contentsOf({ month, place }, all, own) {
    const tables = all ?? (await ofNobody(month, place));
    const wanted = all ? own?.place : place;
    const rows = (name) => tables[name].filter((row) => row.place === wanted);
    return {
      lines: rows("lines"),
      history: {
        seenAt: rows("seen")[0]?.at ?? null,
        events: rows("events"),
        lines: rows("changedLines"),
        comments: rows("comments"),
      },
    };
  }

  Object.assign(orders, { stepsOf, contentsOf });
  wholesale.receive("orders/contents", null);
})();

/** Why: what a figure was and is, and the causes that add up to the difference. */
(() => {
  "use strict";

  const { h, format, rows: tables } = window.figures;
  const MOST_IDS = 24;
  const ADDS_UP = "The causes add up to the difference to the last digit.";

  /** The ids of the orders of a cause, behind a press. */
  function ordersOf({ order_ids: ids = [] }) {
    if (!ids.length) return null;
    const more = ids.length > MOST_IDS ? ` and ${format.number(ids.length - MOST_IDS)} more` : "";
    return h(
      "details",
      null,
      h("summary", null, "Ids"),
      h("p", { class: "ids" }, `${ids.slice(0, MOST_IDS).join(", ")}${more}`),
    );
  }

  /** What the figure was and is, and by how much it moved. */
  function movedTile({ metric, from, to, difference, currency }) {
    const isSame = Number(difference ?? 0) === 0;
    const tone = Number(difference) < 0 ? "down" : "up";
    const [was, is] = [from, to].map(({ value }) => format.full(metric, value, currency));
    const figure = isSame ? is : format.signed(metric, difference, currency);
    return h(
      "div",
      { class: "tiles one" },
      h(
        "div",
        { class: "tile" },
        h("span", { class: "label" }, isSame ? "It did not move" : "Difference"),
        h("span", { class: `figure ${isSame ? "" : tone}` }, figure),
        !isSame && h("span", { class: "before" }, `${was} became ${is}`),
      ),
    );
  }

  /** The causes, and that they add up. */
  function causesOf({ metric, causes, residue, currency }) {
    if (!causes.length) return null;
    const size = ({ amount }) => Math.abs(Number(amount ?? 0));
    const sorted = causes.toSorted((one, other) => size(other) - size(one));
    const parts = sorted.map((cause) => ({
      name: format.capital(format.plain(cause.cause)),
      note: [cause.order_count > 0 && format.counted(cause.order_count, "order"), ...cause.fields.map(format.plain)]
        .filter(Boolean)
        .join(", "),
      amount: cause.amount,
      more: ordersOf(cause),
    }));
    const rest = `${format.signed(metric, residue, currency)} is explained by no cause.`;
    return [
      tables.moved({ parts, metric, currency, label: "By cause" }),
      h("p", { class: "sum" }, Number(residue) === 0 ? ADDS_UP : rest),
    ];
  }

  /** Who made the difference. */
  function membersOf({ metric, rows = [], currency }) {
    if (!rows.length) return null;
    const names = tables.namesOf(rows[0], ["from", "to", "difference", "causes", "residue"]);
    const parts = rows.map((row) => ({ name: tables.nameOf(row, names, null), amount: row.difference }));
    return [h("h2", null, tables.byWords(names)), tables.moved({ parts, metric, currency, label: "By member" })];
  }

  function header({ metric, from, to, period }) {
    const days = period === "all_time" ? "All time" : format.capital(format.plain(period));
    const sides = [from, to].map((side) => (side.as_of ? format.momentText(side.as_of) : side.version)).join(" to ");
    return h(
      "header",
      null,
      h("h1", null, `Why ${format.labelOf(metric).toLowerCase()} moved`),
      h("p", { class: "soft" }, `${days}, from ${sides}`),
    );
  }

  const settingsOf = ({ settings = [] }) =>
    settings.map(({ setting, from, to }) =>
      h("p", { class: "note" }, `${setting}: ${from || "nothing"} became ${to || "nothing"}`),
    );

  const parts = (answer) => [movedTile(answer), causesOf(answer), settingsOf(answer), membersOf(answer)];

  window.figures.why = { header, parts };
})();

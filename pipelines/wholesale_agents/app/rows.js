/** Rows: members with their bars, the largest first; and what made a difference, around one axis. */
(() => {
  "use strict";

  const { h, format } = window.figures;
  const FEW = 10;

  const share = (value, most) => `${(100 * Math.abs(Number(value ?? 0))) / (most || 1)}%`;

  /** A button that shows the rest of some rows, if there are more. */
  function withRest(rows, make, body) {
    body.append(...rows.slice(0, FEW).map(make));
    if (rows.length <= FEW) return null;
    const all = (event) => {
      const next = rows.slice(FEW).map(make);
      body.append(...next);
      next[0].setAttribute("tabindex", -1);
      next[0].focus();
      event.currentTarget.remove();
    };
    return h("button", { type: "button", class: "quiet", onclick: all }, `${format.number(rows.length - FEW)} more`);
  }

  /** The columns that tell rows apart, a name in place of its key. */
  function namesOf(row, metrics) {
    const measured = new Set(
      metrics.flatMap((name) => ["", "_before", "_difference", "_growth"].map((end) => name + end)),
    );
    const told = Object.keys(row).filter(
      (name) => !measured.has(name) && !["is_unfinished", "seen_day_count"].includes(name),
    );
    return told.filter((name) => !told.includes(`${name}_name`));
  }

  const byWords = (names) => `By ${names.map((name) => format.plain(name.replace(/_name$/, ""))).join(" and ")}`;

  /** What a row is of. */
  function nameOf(row, names, grain) {
    const each = (name) => {
      if (name === grain) return format.partText(grain, row[name]);
      const key = name.replace(/_name$/, "");
      return row[name] ?? row[key] ?? `Without a ${format.plain(key)}`;
    };
    return names.map(each).join(" · ");
  }

  function changeOf(row, metric, currency) {
    const by = row[`${metric}_difference`];
    if (by === undefined) return null;
    if (by === null) return h("td", { class: "change soft" }, "");
    const text =
      format.growth(row[`${metric}_growth`]) || (Number(by) > 0 && row[`${metric}_before`] !== null ? "new" : "");
    const title = format.signed(metric, by, currency);
    return h("td", { class: `change ${Number(by) < 0 ? "down" : "up"}`, title }, text);
  }

  /** A bar, and a mark where it was. */
  function track(row, metric, most) {
    const was = row[`${metric}_before`];
    const kind = Number(row[metric]) < 0 ? "bar below" : "bar";
    return h(
      "span",
      null,
      h("span", { class: kind, style: { width: share(row[metric], most) } }),
      was !== undefined && was !== null && h("span", { class: "then", style: { left: share(was, most) } }),
    );
  }

  /** Members with bars; a thin mark is what they are compared with. */
  function bars({ rows, metrics, metric, grain, currency }) {
    const names = namesOf(rows[0], metrics);
    const before = `${metric}_before`;
    const most = Math.max(
      ...rows.flatMap((row) => [row[metric], row[before]]).map((value) => Math.abs(Number(value ?? 0))),
    );
    const body = h("tbody");
    const make = (row) =>
      h(
        "tr",
        null,
        h("th", { scope: "row", dir: "auto" }, nameOf(row, names, grain)),
        h("td", { class: "track" }, track(row, metric, most)),
        h("td", { class: "number" }, format.full(metric, row[metric], currency)),
        changeOf(row, metric, currency),
      );
    const rest = withRest(rows, make, body);
    return [h("table", { class: "bars" }, h("caption", { class: "unseen" }, format.labelOf(metric)), body), rest];
  }

  /** Parts of a difference, falls to the left of one axis, gains to the right; each `{name, note, amount, more}`. */
  function moved({ parts, metric, currency, label }) {
    const most = Math.max(...parts.map(({ amount }) => Math.abs(Number(amount ?? 0))));
    const body = h("tbody");
    const make = ({ name, note, amount, more }) => {
      const isFall = Number(amount) < 0;
      return h(
        "tr",
        null,
        h("th", { scope: "row", dir: "auto" }, h("span", null, name), note && h("span", { class: "note" }, note), more),
        h(
          "td",
          { class: "axis" },
          h("span", {
            class: isFall ? "fall" : "gain",
            style: { width: `${Number.parseFloat(share(amount, most)) / 2}%` },
          }),
        ),
        h("td", { class: `number ${isFall ? "down" : "up"}` }, format.signed(metric, amount, currency)),
      );
    };
    const rest = withRest(parts, make, body);
    return [h("table", { class: "moved" }, h("caption", { class: "unseen" }, label), body), rest];
  }

  window.figures.rows = { bars, moved, namesOf, nameOf, byWords };
})();

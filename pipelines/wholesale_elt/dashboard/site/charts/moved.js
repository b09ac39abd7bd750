/** Moved: what fell and what rose, on one scale, with the share of the whole change. */
(() => {
  "use strict";

  const { decimals, format } = wholesale;
  const { h } = wholesale.elements;
  const MOST = 6;

  function difference(row, metric) {
    return decimals.units(row[metric] ?? "0") - decimals.units(row[`${metric}_before`] ?? "0");
  }

  /** One side: the largest, then all others as one row. */
  function side(found, whole, most) {
    const shown = found.slice(0, most);
    const rest = found.slice(most);
    const sum = rest.reduce((total, { by }) => total + by, 0n);
    return { shown, rest: rest.length ? { count: rest.length, by: sum } : null };
  }

  /** `rows` are figures by one dimension, compared; `nameOf` draws a row's name; `onlyOf` is where its bar leads. */
  function Moved({ rows, metric, nameOf, onlyOf = () => null, most = MOST }) {
    const moved = rows.map((row) => ({ row, by: difference(row, metric) })).filter(({ by }) => by !== 0n);
    if (moved.length === 0) return h`<${wholesale.elements.Empty} title="Nothing moved." />`;
    const whole = moved.reduce((total, { by }) => total + by, 0n);
    const order = (left, right) => (left.by < right.by ? -1 : left.by > right.by ? 1 : 0);
    const fell = side(moved.filter(({ by }) => by < 0n).toSorted(order), whole, most);
    const rose = side(
      moved.filter(({ by }) => by > 0n).toSorted((left, right) => order(right, left)),
      whole,
      most,
    );
    const largest = [...fell.shown, ...rose.shown].reduce(
      (top, { by }) => ((by < 0n ? -by : by) > top ? (by < 0n ? -by : by) : top),
      1n,
    );
    const width = (by) => `${(Number(((by < 0n ? -by : by) * 10_000n) / largest) / 100).toFixed(2)}%`;
    const amount = (by) => format.signed((value) => format.dense(metric, value))(decimals.text(by));
    const write = (value) => format.metric(metric, value ?? "0");
    const bar = ({ row, by }) => {
      const href = onlyOf(row);
      const told = `${amount(by)}: from ${write(row[`${metric}_before`])} to ${write(row[metric])}`;
      const drawn = h`<i style=${{ width: width(by) }}></i>`;
      return href
        ? h`<a class="moved-track" href=${href} aria-label=${`Only this. ${told}`}
            title=${`${told}. Press: only this.`}>
          ${drawn}
        </a>`
        : h`<span class="moved-track" title=${told}>${drawn}</span>`;
    };
    const share = (by) => (whole === 0n ? format.NONE : format.wholeShare(decimals.ratio(by, whole)));
    const one = (entry, style) => h`<li key=${JSON.stringify(entry.row.keys)} class="moved-row">
      <span class="moved-name">${nameOf(entry.row)}</span>
      <span class="moved-share">${share(entry.by)}</span>
      <b class=${style === "fell" ? "down" : "up"}>${amount(entry.by)}</b>
      ${bar(entry)}
    </li>`;
    const others = (rest, text, style) =>
      rest &&
      h`<li class="moved-row rest">
        <span class="moved-name">${`${format.count(rest.count)} other ${text}`}</span>
        <span class="moved-share">${share(rest.by)}</span>
        <b class=${style === "fell" ? "down" : "up"}>${amount(rest.by)}</b>
        <span class="moved-track"></span>
      </li>`;
    const none = (text) => h`<li class="moved-row rest"><span class="moved-name">${text}</span></li>`;
    return h`
      <div class="moved">
        <div class="moved-side fell">
          <h3 class="down">Fell</h3>
          <ul>
            ${fell.shown.length === 0 && none("Nothing fell")}
            ${fell.shown.map((entry) => one(entry, "fell"))}
            ${others(fell.rest, "falls", "fell")}
          </ul>
        </div>
        <div class="moved-side rose">
          <h3 class="up">Rose</h3>
          <ul>
            ${rose.shown.length === 0 && none("Nothing rose")}
            ${rose.shown.map((entry) => one(entry, "rose"))}
            ${others(rose.rest, "gains", "rose")}
          </ul>
        </div>
      </div>
      <p class="quiet">Share of the whole change; all rows together are 100%.</p>
    `;
  }

  wholesale.charts.Moved = Moved;
})();

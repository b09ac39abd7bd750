/** Moved: what fell and what rose, on one scale, with the share of the whole change. */
(() => {
  "use strict";

  const { decimals, format } = wholesale;
  const { h } = wholesale.elements;
  const MOST = 6;

  function difference(row, metric) {
    return decimals.units(row[metric] ?? "0") - decimals.units(row[`${metric}_before`] ?? "0");
  }

  const sizeOf = (by) => (by < 0n ? -by : by);

  /** One side: its largest, then all others as one row. */
  function side(moved, most) {
    const found = moved.toSorted((left, right) =>
      sizeOf(left.by) > sizeOf(right.by) ? -1 : sizeOf(left.by) < sizeOf(right.by) ? 1 : 0,
    );
    const rest = found.slice(most);
    const sum = rest.reduce((total, { by }) => total + by, 0n);
    return { shown: found.slice(0, most), rest: rest.length ? { count: rest.length, by: sum } : null };
  }

  /** A row: what moved, its share, by how much, and its bar. */
  function Row({ style = "moved-row", name, by, share: part, scale: { metric }, children }) {
    const share = part === null ? format.NONE : format.wholeShare(part / 100);
    return h`<li class=${style}>
      <span class="moved-name">${name}</span>
      <span class="moved-share">${share}</span>
      <b class=${by < 0n ? "down" : "up"}>${amountOf(by, metric)}</b>
      ${children}
    </li>`;
  }

  const amountOf = (by, metric) => format.signed((value) => format.dense(metric, value))(decimals.text(by));

  /** The bar of a row; it leads to `href` if there is one. */
  function Bar({ row, by, href, scale: { largest, metric } }) {
    const write = (value) => format.metric(metric, value ?? "0");
    const told = `${amountOf(by, metric)}: from ${write(row[`${metric}_before`])} to ${write(row[metric])}`;
    const width = `${(Number((sizeOf(by) * 10_000n) / largest) / 100).toFixed(2)}%`;
    const drawn = h`<i style=${{ width }}></i>`;
    return href
      ? h`<a class="moved-track" href=${href} aria-label=${`Show only this. ${told}`}
          title=${`${told}. Press to show only this.`}>
        ${drawn}
      </a>`
      : h`<span class="moved-track" title=${told}>${drawn}</span>`;
  }

  /** One side with its heading; `texts` are those of the heading, of nothing, and of the others. */
  function Side({ style, tone, label, texts: [heading, none, others], of: { shown, rest }, scale, nameOf, onlyOf }) {
    return h`<div class=${`moved-side ${style}`}>
      <div class="moved-row moved-head">
        <span class="moved-name">${label}</span>
        <span class="moved-share">Share</span>
        <b>Change</b>
        <h3 class=${tone}>${heading}</h3>
      </div>
      <ul>
        ${shown.length === 0 && h`<li class="moved-row rest"><span class="moved-name">${none}</span></li>`}
        ${shown.map(
          ({ row, by, share }) =>
            h`<${Row} key=${JSON.stringify(row.keys)} name=${nameOf(row)} by=${by} share=${share} scale=${scale}>
              <${Bar} row=${row} by=${by} href=${onlyOf(row)} scale=${scale} />
            <//>`,
        )}
        ${
          rest &&
          h`<${Row} style="moved-row rest" name=${`${format.count(rest.count)} other ${others}`} by=${rest.by}
              share=${rest.share} scale=${scale}>
            <span class="moved-track"></span>
          <//>`
        }
      </ul>
    </div>`;
  }

  /** `rows` are figures by one dimension, which is called `label`, compared; `nameOf` draws a row's name; `onlyOf` is
   * where its bar leads. */
  function Moved({ rows, metric, label, nameOf, onlyOf = () => null, most = MOST }) {
    const moved = rows.map((row) => ({ row, by: difference(row, metric) })).filter(({ by }) => by !== 0n);
    if (moved.length === 0) return h`<${wholesale.elements.Empty} title="Nothing moved." />`;
    const fell = side(
      moved.filter(({ by }) => by < 0n),
      most,
    );
    const rose = side(
      moved.filter(({ by }) => by > 0n),
      most,
    );
    const scale = {
      metric,
      whole: moved.reduce((total, { by }) => total + by, 0n),
      largest: [...fell.shown, ...rose.shown].reduce((top, { by }) => (sizeOf(by) > top ? sizeOf(by) : top), 1n),
    };
    const all = [...fell.shown, fell.rest, ...rose.shown, rose.rest].filter(Boolean);
    const shares = decimals.sharesOf(
      all.map(({ by }) => by),
      scale.whole,
    );
    for (const [place, each] of all.entries()) each.share = shares[place];
    const of = { scale, label, nameOf, onlyOf };
    return h`
      <div class="moved">
        <${Side} style="fell" tone="down" texts=${["Fell", "Nothing fell", "falls"]} of=${fell} ...${of} />
        <${Side} style="rose" tone="up" texts=${["Rose", "Nothing rose", "gains"]} of=${rose} ...${of} />
      </div>
      <p class="quiet">Share of the whole change; all rows together are 100%.</p>
    `;
  }

  wholesale.charts.Moved = Moved;
  wholesale.receive("charts/moved", null);
})();

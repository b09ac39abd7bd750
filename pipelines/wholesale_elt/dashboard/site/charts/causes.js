/** Causes: steps on a way, causes between two figures, and shares by month. */
(() => {
  "use strict";

  const { format } = wholesale;
  const { h } = wholesale.elements;
  const { percent, useWidth } = wholesale.charts;
  /** What the first two columns of a table of shares take, and each further one. */
  const [HEAD, SHARE] = [140, 49];

  /** Steps on a way, each with how many stand there: `{label, count, amount, note, href, tone}`. */
  function Funnel({ steps }) {
    const most = Math.max(1, ...steps.map(({ count }) => Number(count)));
    return h`<ol class="funnel">
      ${steps.map(
        ({ label, count, amount, note, href, tone = "pine" }) =>
          h`<li key=${label}>
            <span class="funnel-name">${label}</span>
            <a class="funnel-track" href=${href} tabindex="-1" aria-hidden="true">
              <i class=${tone} style=${{ width: percent(Number(count), most) }}></i>
            </a>
            <a class="name" href=${href}>
              <b>${format.count(count)}</b>
              ${amount !== undefined && h` <span class="quiet">${format.compact(amount)}</span>`}
            </a>
            <span class="quiet">${note}</span>
          </li>`,
      )}
    </ol>`;
  }

  /** From one figure to another by `steps` `{label, amount, href, note}`: what each added or took away. */
  function Waterfall({ from, to, steps, metric }) {
    let at = Number(from.value ?? 0);
    const bars = steps.map((step) => {
      const start = at;
      at += Number(step.amount);
      return { ...step, low: Math.min(start, at), high: Math.max(start, at) };
    });
    const ends = [Number(from.value ?? 0), Number(to.value ?? 0)];
    const [low, high] = [
      Math.min(...ends, ...bars.map((bar) => bar.low)),
      Math.max(...ends, ...bars.map((bar) => bar.high)),
    ];
    // What moved is mostly small beside the figure: the scale begins near the lowest, and says so.
    const reach = high - low || Math.abs(high) || 1;
    const begin = low > reach * 4 ? low - reach * 0.5 : Math.min(0, low);
    const place = (value) => `${(((value - begin) / (high - begin || 1)) * 100).toFixed(2)}%`;
    const size = (bar) => `${(((bar.high - bar.low) / (high - begin || 1)) * 100).toFixed(2)}%`;
    const whole = ({ label, value }) =>
      h`<li class="waterfall-end">
        <span class="waterfall-name">${label}</span>
        <span class="waterfall-track">
          <i class=${begin > 0 ? "grey cut" : "grey"} style=${{ left: 0, width: place(Number(value ?? 0)) }}></i>
        </span>
        <b>${format.metric(metric, value)}</b>
      </li>`;
    return h`
      <ol class="waterfall">
        ${whole(from)}
        ${bars.map(
          (bar) =>
            h`<li key=${bar.label}>
              <span class="waterfall-name">
                ${bar.href ? h`<a class="name" href=${bar.href}>${bar.label}</a>` : bar.label}
                ${bar.note && h` <span class="quiet">${bar.note}</span>`}
              </span>
              <a class="waterfall-track" href=${bar.href} tabindex="-1" aria-hidden="true">
                <i class=${Number(bar.amount) < 0 ? "clay" : "pine"}
                    style=${{ left: place(bar.low), width: size(bar) }}></i>
              </a>
              <b class=${Number(bar.amount) < 0 ? "down" : "up"}>
                ${format.signed((value) => format.metric(metric, value))(bar.amount)}
              </b>
            </li>`,
        )}
        ${whole(to)}
      </ol>
      ${begin > 0 && h`<p class="quiet small">${`The bars start at ${format.metric(metric, begin.toFixed(2))}.`}</p>`}
    `;
  }

  /** A table of shares, the largest darkest: `rows` `{key, label, size, shares}`, a share or null for each column. */
  function Heat({ caption, rows, columns }) {
    const [ref, width] = useWidth();
    const shown = columns.slice(0, Math.max(1, Math.floor((width - HEAD) / SHARE)));
    const most = Math.max(1e-9, ...rows.flatMap(({ shares }) => shares.map((share) => Number(share ?? 0))));
    const shade = (share) => Math.ceil((Number(share) / most) * 8);
    return h`<div class="heat" ref=${ref}>
      <table>
        <caption class="hidden">${caption}</caption>
        <thead>
          <tr>
            <th scope="col">First order</th>
            <th scope="col" class="numeric">Buyers</th>
            ${shown.map((column) => h`<th scope="col" key=${column} class="numeric">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ key, label, size, shares }) =>
              h`<tr key=${key}>
                <th scope="row">${label}</th>
                <td class="numeric">${format.count(size)}</td>
                ${shares.slice(0, shown.length).map(
                  (share, number) =>
                    h`<td key=${number} class=${share === null ? "" : `numeric shade-${shade(share)}`}>
                      ${share === null ? "" : format.wholeShare(share)}
                    </td>`,
                )}
              </tr>`,
          )}
        </tbody>
      </table>
      ${
        shown.length < columns.length &&
        h`<p class="quiet small">Not shown at this width: ${columns.slice(shown.length).join(", ")}</p>`
      }
    </div>`;
  }

  Object.assign(wholesale.charts, { Funnel, Waterfall, Heat });
  wholesale.receive("charts/causes", null);
})();

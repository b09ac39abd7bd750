/** Shares: parts of a whole, as one plain bar. */
(() => {
  "use strict";

  const { format } = wholesale;
  const { h } = wholesale.elements;
  const percent = (part, whole) => `${(whole > 0 ? (Math.max(0, part) / whole) * 100 : 0).toFixed(2)}%`;

  /** One bar of parts `{label, value, tone, href, text}`, with a line for each below. */
  function Stacked({ parts }) {
    const whole = parts.reduce((total, { value }) => total + Math.max(0, Number(value)), 0);
    return h`<div class="stacked">
      <div class="stacked-bar" aria-hidden="true">
        ${parts.map(
          ({ label, value, tone }) =>
            h`<i key=${label} class=${tone} style=${{ width: percent(Number(value), whole) }}></i>`,
        )}
      </div>
      <ul>
        ${parts.map(
          ({ label, value, tone, href, text }) =>
            h`<li key=${label}>
              <i class=${`swatch ${tone}`} aria-hidden="true"></i>
              ${href ? h`<a href=${href}>${label}</a>` : label}
              <b>${text ?? format.compact(value)}</b>
            </li>`,
        )}
      </ul>
    </div>`;
  }

  Object.assign(wholesale.charts, { percent, Stacked });
})();

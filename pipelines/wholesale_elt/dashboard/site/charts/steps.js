/** Steps: a price that holds until it changes, as a line of steps; the days before it was first read are not drawn. */
(() => {
  "use strict";

  const { axes, days, format } = wholesale;
  const { h } = wholesale.elements;
  const { useWidth, widthOf, roomFor } = wholesale.charts;
  const [TOP, BOTTOM, LEAST_LEFT] = [24, 26, 56];
  const HEIGHT = 168;

  const told = ({ day, price }) => `${day ? `${format.date(day)} ` : ""}${format.exact(price)}`;

  /** `steps` are `{day, price}`, the oldest first, which may have no day; from `first` to `until` they are drawn. */
  function Steps({ steps, first, until, label }) {
    const [ref, width] = useWidth();
    const [start, end] = [days.number(first), Math.max(days.number(until), days.number(first) + 1)];
    const most = Math.max(1e-9, ...steps.map(({ price }) => Number(price))) * 1.08;
    const left = roomFor(
      axes.ticks(most).map((value) => format.exact(value)),
      LEAST_LEFT,
    );
    const right = 12 + Math.ceil(widthOf(format.exact(steps.at(-1).price)));
    const x = (day) =>
      left +
      ((Math.max(start, day === null ? start : days.number(day)) - start) / (end - start)) * (width - left - right);
    const y = (price) => HEIGHT - BOTTOM - (Math.max(0, Number(price)) / most) * (HEIGHT - TOP - BOTTOM);
    const drawn = steps.map((step, place) => ({
      ...step,
      from: x(step.day),
      to: place + 1 < steps.length ? x(steps[place + 1].day) : width - right,
    }));
    const course = drawn
      .map(
        ({ from, to, price }, place) =>
          `${place ? "L" : "M"}${from.toFixed(1)} ${y(price).toFixed(1)}L${to.toFixed(1)} ${y(price).toFixed(1)}`,
      )
      .join("");
    const last = drawn.at(-1);
    const tick = (value) =>
      h`<g key=${value}>
        <line class=${value ? "grid" : "base"} x1=${left} x2=${width - right} y1=${y(value)} y2=${y(value)} />
        <text x=${left - 10} y=${y(value) + 4} text-anchor="end">${format.exact(value)}</text>
      </g>`;
    const change = ({ from, price, day }) =>
      h`<circle class="end" key=${`${day} ${price}`} cx=${from} cy=${y(price)} r="4">
        <title>${format.date(day)}</title>
      </circle>`;
    const written = ({ price, from, to }, place) =>
      place < drawn.length - 1 &&
      to - from > 48 &&
      h`<text class="soft" key=${place} x=${from} y=${y(price) - 8}>${format.exact(price)}</text>`;
    return h`<figure class="chart" ref=${ref}>
      <svg viewBox="0 0 ${width} ${HEIGHT}" height=${HEIGHT} role="img"
          aria-label=${`${label}: ${steps.map(told).join(", ")}`}>
        ${axes.ticks(most).map(tick)}
        <path class="wash" d="${course}L${last.to} ${y(0)}L${drawn[0].from} ${y(0)}Z" />
        <path class="line now" d=${course} />
        ${drawn.slice(1).map(change)}
        ${drawn.map(written)}
        <text class="strong" x=${width - right + 8} y=${y(last.price) + 4}>${format.exact(last.price)}</text>
        <text x=${left} y=${HEIGHT - 6}>${format.date(first)}</text>
        <text x=${width - right} y=${HEIGHT - 6} text-anchor="end">${format.date(until)}</text>
      </svg>
    </figure>`;
  }

  wholesale.charts.Steps = Steps;
  wholesale.receive("charts/steps", null);
})();

/** Lines: several series over the same days; the first is the one that is meant, the others are grey. */
(() => {
  "use strict";

  const { format } = wholesale;
  const { h } = wholesale.elements;
  const { useWidth, ticks, path } = wholesale.charts;
  const [TOP, BOTTOM, LEFT] = [12, 36, 56];
  const NARROW = 560;
  const APART = 16;
  const MOST_LETTERS = 18;

  /** Names at the ends of lines, moved apart so that none covers another. */
  function placed(ends, bottom) {
    const sorted = ends.toSorted((left, right) => left.y - right.y);
    for (let place = 1; place < sorted.length; place += 1) {
      sorted[place].y = Math.max(sorted[place].y, sorted[place - 1].y + APART);
    }
    for (let place = sorted.length - 1, most = bottom; place >= 0; place -= 1, most -= APART) {
      sorted[place].y = Math.min(sorted[place].y, most);
    }
    return sorted;
  }

  /** `series` have `{name, values, href}`, a value for each of `labels`; the last step is dashed if it is not over. */
  function Lines({ series, labels, metric, isUnfinished = false }) {
    const [ref, width] = useWidth();
    const isNarrow = width < NARROW;
    const [height, right] = [isNarrow ? 240 : 312, isNarrow ? 8 : 140];
    const values = series.map((one) => one.values.map((value) => Number(value ?? 0)));
    const most = Math.max(1e-9, ...values.flat()) * 1.04;
    const count = Math.max(1, labels.length - 1);
    const x = (place) => LEFT + 8 + (place * (width - LEFT - right - 16)) / count;
    const y = (value) => height - BOTTOM - (Math.max(0, value) / most) * (height - TOP - BOTTOM);
    const every = Math.ceil(64 / ((width - LEFT - right) / labels.length));
    const ends = placed(values.map((one, number) => ({ number, y: y(one.at(-1) ?? 0) })), height - BOTTOM);
    return h`<figure class="chart" ref=${ref}>
      <svg viewBox="0 0 ${width} ${height}" height=${height} role="group" aria-label=${wholesale.meta.metrics[metric].label}>
        ${ticks(most).map((value) => h`<g key=${value}><line class=${value ? "grid" : "base"} x1=${LEFT} x2=${width - right} y1=${y(value)} y2=${y(value)} /><text x=${LEFT - 10} y=${y(value) + 4} text-anchor="end">${format.dense(metric, value)}</text></g>`)}
        ${labels.map((label, place) => (labels.length - 1 - place) % every === 0 && h`<text key=${label} x=${x(place)} y=${height - 16} text-anchor="middle">${label}</text>`)}
        ${values.map((one, number) => {
          const points = one.map((value, place) => [x(place), y(value)]);
          const solid = isUnfinished ? points.slice(0, -1) : points;
          return h`<g key=${series[number].name} class=${number === 0 ? "series first" : "series"}>
            <path class="line" d=${path(solid)} />
            ${isUnfinished && points.length > 1 && h`<path class="line dashed" d=${path(points.slice(-2))} />`}
            ${points.length > 0 && h`<circle class="end" cx=${points.at(-1)[0]} cy=${points.at(-1)[1]} r="3" />`}</g>`;
        }).toReversed()}
        ${!isNarrow && ends.map(({ number, y: at }) => h`<a key=${number} href=${series[number].href}><text class=${number === 0 ? "strong" : "soft"} x=${width - right + 10} y=${at + 4}>${short(series[number].name)}</text></a>`)}
      </svg>
    </figure>`;
  }

  function short(name) {
    return name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name;
  }

  wholesale.charts.Lines = Lines;
})();

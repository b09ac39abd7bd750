/** Lines: several series over the same days; the first is the one that is meant, the others are grey. */
(() => {
  "use strict";

  const { format } = wholesale;
  const { h } = wholesale.elements;
  const { ticks } = wholesale.axes;
  const { useWidth, widthOf, within, roomFor, path, Tip, useMarks } = wholesale.charts;
  const [TOP, BOTTOM, LEAST_LEFT] = [12, 36, 56];
  const NARROW = 560;
  const [LEAST_RIGHT, MOST_RIGHT] = [180, 0.3];
  const APART = 16;

  /** What names and last values take at the ends of the lines; null where that is too much: they stand below then. */
  function roomAtEnds(series, lastOf, width) {
    const room = Math.max(
      LEAST_RIGHT,
      ...series.map(({ name }, number) => 28 + widthOf(name) + widthOf(lastOf(number))),
    );
    return width < NARROW || room > width * MOST_RIGHT ? null : room;
  }

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

  /** The sizes of the chart, and where a place and a value stand in it. */
  function scaled({ values, labels, width, metric, room }) {
    const [height, right] = [width < NARROW ? 240 : 312, room ?? 8];
    const most = Math.max(1e-9, ...values.flat()) * 1.04;
    const least = Math.min(0, ...values.flat());
    const left = roomFor(
      ticks(most, least).map((value) => format.short(metric, value)),
      LEAST_LEFT,
    );
    const step = (width - left - right - 16) / Math.max(1, labels.length - 1);
    const x = (place) => left + 8 + place * step;
    const y = (value) => height - BOTTOM - ((value - least) / (most - least)) * (height - TOP - BOTTOM);
    return { width, height, right, most, least, left, step, x, y };
  }

  const styleOf = (number) => (number === 0 ? "series first" : "series");

  /** The scale at the left, and the names of places below. */
  function Axes({ scale: { width, height, right, most, least, left, step, x, y }, labels, metric }) {
    const every = Math.ceil((12 + Math.max(60, ...labels.map(widthOf))) / step);
    return h`
      ${ticks(most, least).map(
        (value) =>
          h`<g key=${value}>
            <line class=${value ? "grid" : "base"} x1=${left} x2=${width - right} y1=${y(value)} y2=${y(value)} />
            <text x=${left - 10} y=${y(value) + 4} text-anchor="end">${format.short(metric, value)}</text>
          </g>`,
      )}
      ${labels.map(
        (text, place) =>
          (labels.length - 1 - place) % every === 0 &&
          h`<text key=${text} ...${within(x(place), text, width)} y=${height - 16}>${text}</text>`,
      )}
    `;
  }

  /**
   * One series: its line, its end, and where it is pointed at. A step to a part that has not all of its days is dashed;
   * its end is a ring only if it is not over.
   */
  function Line({ values, scale: { x, y }, number, isUnfinished, isCut: [isFirstCut, isLastCut], hovered }) {
    const points = values.map((value, place) => [x(place), y(value)]);
    const isEndDashed = isUnfinished || isLastCut;
    const solid = points.slice(isFirstCut ? 1 : 0, isEndDashed ? -1 : undefined);
    const end = points.at(-1);
    return h`<g class=${styleOf(number)}>
      <path class="line" d=${path(solid)} />
      ${isFirstCut && points.length > 1 && h`<path class="line dashed" d=${path(points.slice(0, 2))} />`}
      ${isEndDashed && points.length > 1 && h`<path class="line dashed" d=${path(points.slice(-2))} />`}
      ${end && h`<circle class=${isUnfinished ? "end open" : "end"} cx=${end[0]} cy=${end[1]} r="3" />`}
      ${hovered !== null && h`<circle class="end" cx=${points[hovered][0]} cy=${points[hovered][1]} r="4" />`}
    </g>`;
  }

  /** Names and last values at the ends of the lines. */
  function Ends({ series, values, scale: { width, height, right, y }, lastOf }) {
    const ends = values.map((one, number) => ({ number, y: y(one.at(-1) ?? 0) }));
    return placed(ends, height - BOTTOM).map(
      ({ number, y: at }) =>
        h`<a key=${number} class="line-name" href=${series[number].href}>
          <text class=${number === 0 ? "strong" : "soft"} x=${width - right + 10} y=${at + 4}>
            ${series[number].name}
          </text>
          <text x=${width - 2} y=${at + 4} text-anchor="end">${lastOf(number)}</text>
        </a>`,
    );
  }

  /** The same below the chart, where it is narrow. */
  function Names({ series, lastOf }) {
    return h`<ul class="line-names">
      ${series.map(
        ({ name, href }, number) =>
          h`<li key=${name} class=${styleOf(number)}>
            <i class=${number === 0 ? "swatch" : "swatch line"} aria-hidden="true"></i>
            <a href=${href} dir="auto">${name}</a>
            <b>${lastOf(number)}</b>
          </li>`,
      )}
    </ul>`;
  }

  /** All values at a place, the largest first. */
  function Values({ series, values, place, write }) {
    const sorted = values
      .map((one, number) => ({ number, value: one[place] }))
      .toSorted((left, rest) => rest.value - left.value);
    return h`<dl>
      ${sorted.map(
        ({ number }) =>
          h`
            <dt key=${number}>
              <i class=${number === 0 ? "swatch" : "swatch line"}></i>
              <span class="cut" dir="auto">${series[number].name}</span>
            </dt>
            <dd>${write(number, place)}</dd>
          `,
      )}
    </dl>`;
  }

  /**
   * `series` have `{name, values, href}`, a value for each of `labels`; the last step is dashed if it is not over, and
   * so are those that `isCut`, `[the first, the last]`, tells not to be whole.
   *
   * With `parts` of a period by a `grain`, and the `view`, a press or a drag chooses days, as in bars.
   */
  function Lines({ series, labels, metric, isUnfinished = false, isCut = [], parts = labels, grain, view }) {
    const [ref, width] = useWidth();
    const values = series.map((one) => one.values.map((value) => Number(value ?? 0)));
    const lastOf = (number) => format.short(metric, series[number].values.at(-1));
    const room = roomAtEnds(series, lastOf, width);
    const scale = scaled({ values, labels, width, metric, room });
    const { height, step, x } = scale;
    const marks = useMarks({ parts, grain, view });
    const { label } = wholesale.meta.metrics[metric];
    const write = (number, place) => format.metric(metric, series[number].values[place]);
    const told = (place) => series.map(({ name }, number) => `${name} ${write(number, place)}`).join(", ");
    const { hovered } = marks;
    return h`<figure class="chart" ref=${ref}>
      <svg viewBox="0 0 ${width} ${height}" height=${height} role="group"
          aria-label=${`${label}: ${series.map(({ name }) => name).join(", ")}`} ...${marks.svg}>
        <${Axes} scale=${scale} labels=${labels} metric=${metric} />
        ${values
          .map(
            (one, number) =>
              h`<${Line} key=${series[number].name} values=${one} scale=${scale} number=${number}
                  isUnfinished=${isUnfinished} isCut=${isCut} hovered=${hovered} />`,
          )
          .toReversed()}
        ${labels.map(
          (text, place) =>
            h`<g key=${`mark ${text}`} class=${marks.isDragged(place) ? "mark dragged" : "mark"}
                aria-label=${`${text}: ${told(place)}`} ...${marks.mark(place)}>
              <rect class="band" x=${x(place) - step / 2} y=${TOP - 8}
                  width=${Math.min(step, width - x(place) + step / 2)} height=${height - TOP - BOTTOM + 8} />
            </g>`,
        )}
        ${room !== null && h`<${Ends} series=${series} values=${values} scale=${scale} lastOf=${lastOf} />`}
      </svg>
      ${room === null && h`<${Names} series=${series} lastOf=${lastOf} />`}
      ${
        hovered !== null &&
        h`<${Tip} x=${x(hovered)} step=${step} width=${width}>
          <b>${labels[hovered]}</b>
          <${Values} series=${series} values=${values} place=${hovered} write=${write} />
          ${view && parts.length > 1 && h`<span class="quiet">Press for these days alone, drag for several.</span>`}
        <//>`
      }
    </figure>`;
  }

  wholesale.charts.Lines = Lines;
  wholesale.receive("charts/lines", null);
})();

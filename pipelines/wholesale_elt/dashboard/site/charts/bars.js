/** Bars: a figure by day, week or month, before wider grey bars of what it is compared with. */
(() => {
  "use strict";

  const { days, format, outlook } = wholesale;
  const { h } = wholesale.elements;
  const { ticks, daysOf, partsOf, isUnderWay, outliersOf, shortName, longName, beforeOf } = wholesale.axes;
  const { useWidth, within, widthOf, roomFor, Tip, Values, useMarks } = wholesale.charts;
  const [TOP, BOTTOM, LEAST_LEFT, RIGHT] = [36, 38, 56, 4];
  /** What `28 of 31 days` takes below the first bar. */
  const PART_WIDTH = 100;
  const NARROW = 560;
  /** What a bar takes of its step at most. */
  const WIDEST = 0.66;
  const LABEL = 58;
  /** From one line of a label to the next. */
  const LINE = 15;
  /** Between the names of two bars, and what the shortest one takes. */
  const [GAP, LEAST_NAME] = [8, 32];
  /** What a year takes below its first bar. */
  const YEAR = 38;

  const isWeekend = (part) => [5, 6].includes((((days.number(part.day) + 3) % 7) + 7) % 7);
  /** What the chart writes at a mark: its value, and where one that is not over may end. */
  const labelOf = (part, may, metric) => [
    format.short(metric, part.row?.[metric]),
    ...(may === null ? [] : [`may end at ${outlook.rangeOf(may)}`]),
  ];

  function Label({ x, y, width, from, texts }) {
    return texts.map(
      (text, line) =>
        h`<text key=${line} class=${line ? "soft" : "strong"} ...${within(x, text, width, from)}
            y=${y - 8 - LINE * (texts.length - 1 - line)}>
          ${text}
        </text>`,
    );
  }

  /** The parts of the span with what was sold in each: `now`, and `was` where it is compared. */
  function filled({ rows, metric, grain, span, before, goalOf }) {
    const byDay = new Map(rows.map((row) => [row.day, row]));
    return partsOf(span, grain).map((part) => {
      const row = byDay.get(part.day);
      const was = before && daysOf(part) > 0 && beforeOf(before, part) ? Number(row?.[`${metric}_before`] ?? 0) : null;
      const goal = grain === "month" ? (goalOf(metric, part.day)?.target ?? null) : null;
      return { ...part, row, now: Number(row?.[metric] ?? 0), was, goal };
    });
  }

  /** What is counted once in all its days, whatever is in each, does not add up. */
  const COUNTED_ONCE = /buyers$|^products_sold$|^ordering_users$/;
  const isAdditive = (metric) => !wholesale.meta.metrics[metric].parts && !COUNTED_ONCE.test(metric);

  /** The window of a month that is under way; null where there is none, or nothing is told of this figure. */
  const mayEnd = (part, grain, metric, windowOf) =>
    (isOutlooked(metric, grain) && Boolean(part) && isUnderWay(part) && windowOf(part.day)) || null;

  /** Of which figures it is told where a part may end: sales of a month. */
  const isOutlooked = (metric, grain) => metric === "sales" && grain === "month";

  /** What a part reaches: a label stands above it. */
  const topOf = ({ now, was, goal }, may) => Math.max(now, was ?? 0, Number(may?.high_80 ?? 0), Number(goal ?? 0));

  /**
   * A step at which the label of the last bar stands right of the one before, as far as it is lower, and where it
   * begins; the step as it is if that is not needed.
   */
  function roomy({ parts, last, may, metric, width, left, step, y }) {
    if (!parts[last]?.now) return { step, from: 0 };
    const wide = Math.max(...labelOf(parts[last], may, metric).map(widthOf));
    const reach = Math.min(left + step * (last + 0.5) + wide / 2, width) - wide;
    const height = y(topOf(parts[last], may)) - 4;
    const isCovered = ({ now, was }, place) =>
      place < last && left + step * (place + (1 + WIDEST) / 2) > reach - 1 && y(Math.max(now, was ?? 0)) < height;
    if (!parts.some(isCovered)) return { step, from: 0 };
    const narrow = Math.min(step, (width - wide - left - 3) / (last - (1 - WIDEST) / 2));
    return { step: narrow, from: left + narrow * (last - (1 - WIDEST) / 2) + 3 };
  }

  /** The sizes of the chart, and where a place and a value stand in it. */
  function scaled({ parts, last, may, before, width, metric }) {
    const isNarrow = width < NARROW;
    const height = isNarrow ? 236 : 296;
    const most = Math.max(1e-9, ...parts.map((part, place) => topOf(part, place === last ? may : null))) * 1.04;
    const least = Math.min(0, ...parts.map(({ now, was }) => Math.min(now, was ?? 0)));
    const left = roomFor(
      ticks(most, least).map((value) => format.short(metric, value)),
      LEAST_LEFT,
    );
    const y = (value) => height - BOTTOM - ((value - least) / (most - least)) * (height - TOP - BOTTOM);
    const whole = (width - left - RIGHT) / parts.length;
    const { step, from } = roomy({ parts, last, may, metric, width, left, step: whole, y });
    const x = (place) => left + step * (place + 0.5);
    const wide = Math.min(44, step * WIDEST);
    const thin = wide * (before ? 0.56 : 0.8);
    return { width, height, isNarrow, most, least, left, step, from, x, y, wide, thin };
  }

  /** At which places a value, the name, the year, or the days that are told are written. */
  function written({ parts, grain, last, may, scale: { x, y, step, left, isNarrow } }) {
    const highest = parts.reduce((best, { now }, place) => (now > parts[best].now ? place : best), 0);
    const widest = Math.max(...parts.map(({ day }) => widthOf(shortName(day, grain))));
    const every = Math.ceil((GAP + Math.max(widest * 1.25, LEAST_NAME)) / step);
    const isYearNear = parts.slice(1, Math.ceil(YEAR / step) + 1).some(({ day }) => day.slice(5, 7) === "01");
    const beginsYear = (place) =>
      ["month", "quarter"].includes(grain) &&
      (parts[place].day.slice(5, 7) === "01" || (place === 0 && parts[0].isWhole && !isYearNear)) &&
      place !== parts.length - 1;
    const isApart = (place) =>
      last < 0 ||
      place === last ||
      Math.abs(last - place) * step > LABEL ||
      y(topOf(parts[place], null)) < y(topOf(parts[last], may)) - LINE * (may === null ? 1 : 2) - 2;
    const isPart = (place) =>
      !parts[place].isWhole &&
      grain !== "day" &&
      (place === last || (place === 0 && !isNarrow)) &&
      daysOf(parts[place]) > 0;
    return {
      hasValue: (place) =>
        (place === highest && parts[place].now > 0 && isApart(place)) || (place === last && parts[place].now !== 0),
      hasName: (place) => (parts.length - 1 - place) % every === 0,
      hasYear: (place) => beginsYear(place) && !isPart(place) && !(isPart(0) && x(place) < left + PART_WIDTH),
      isPart,
    };
  }

  const Hatch = () => h`<defs>
    <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect class="hatch-ground" width="5" height="5" />
      <rect class="hatch-line" width="1.5" height="5" />
    </pattern>
  </defs>`;

  function Ticks({ scale: { most, least, left, width, y }, metric }) {
    return ticks(most, least).map(
      (value) =>
        h`<g key=${value}>
          <line class=${value ? "grid" : "base"} x1=${left} x2=${width - RIGHT} y1=${y(value)} y2=${y(value)} />
          <text x=${left - 10} y=${y(value) + 4} text-anchor="end">${format.short(metric, value)}</text>
        </g>`,
    );
  }

  function Rect({ scale: { x, y }, place, size, value, style }) {
    const [top, base] = [y(Math.max(value, 0)), y(Math.min(value, 0))];
    return h`<rect class=${style} x=${x(place) - size / 2} width=${size} y=${top} height=${Math.max(0, base - top)}
        rx="2" />`;
  }

  /** From the lowest to the highest amount of a window. */
  function Window({ scale: { x, y }, place, size, may }) {
    const [low, high] = [y(Number(may.low_80)), y(Number(may.high_80))];
    return h`<rect class="bar-window" x=${x(place) - size / 2} width=${size} y=${high}
        height=${Math.max(1, low - high)} rx="2" />`;
  }

  /** The ground of a part, and its bars: before, where it may end, now. */
  function Drawn({ part, place, may, isOdd, grain, scale }) {
    const { x, y, step, left, height, wide, thin } = scale;
    return h`
      <rect class=${grain === "day" && isWeekend(part) ? "band weekend" : "band"} x=${left + step * place}
          width=${step} y=${TOP - 20} height=${height - TOP - BOTTOM + 20} />
      ${
        part.was !== null &&
        h`
          <${Rect} scale=${scale} place=${place} size=${wide} value=${part.was} style="bar-before" />
          <line class="edge-before" x1=${x(place) - wide / 2} x2=${x(place) + wide / 2} y1=${y(part.was)}
              y2=${y(part.was)} />
        `
      }
      ${may !== null && h`<${Window} scale=${scale} place=${place} size=${thin} may=${may} />`}
      <${Rect} scale=${scale} place=${place} size=${thin} value=${part.now}
          style=${part.now < 0 ? "bar-now negative" : "bar-now"} />
      ${
        part.goal !== null &&
        h`<line class="goal" x1=${x(place) - wide / 2 - 3} x2=${x(place) + wide / 2 + 3} y1=${y(Number(part.goal))}
            y2=${y(Number(part.goal))} />`
      }
      ${isOdd && h`<circle class="odd" cx=${x(place)} cy=${y(part.now)} r="4" />`}
    `;
  }

  /** What is written at a part: its value above it; its name, and its year or the days that are told, below it. */
  function Written({ part, place, isLast, may, metric, grain, scale: { x, y, left, width, height, from }, at }) {
    return h`
      ${
        at.hasValue(place) &&
        h`<${Label} x=${x(place)} width=${width} y=${y(topOf(part, may))} from=${isLast ? from : 0}
            texts=${labelOf(part, may, metric)} />`
      }
      ${
        at.hasName(place) &&
        h`<text class=${isLast ? "strong" : ""} y=${height - 20}
            ...${within(x(place), shortName(part.day, grain), width)}>
          ${shortName(part.day, grain)}
        </text>`
      }
      ${at.hasYear(place) && h`<text x=${x(place)} y=${height - 4} text-anchor="middle">${part.day.slice(0, 4)}</text>`}
      ${
        at.isPart(place) &&
        h`<text class=${isUnderWay(part) ? "doubt" : ""} x=${isLast ? width - RIGHT : left} y=${height - 4}
            text-anchor=${isLast ? "end" : "start"}>
          ${`${daysOf(part)} of ${part.length} days`}
        </text>`
      }
    `;
  }

  /** What a press does, in the tip. */
  function hint(view, count) {
    if (count > 1) return "Press for these days alone, drag for several.";
    const { whole } = view.own;
    return whole ? `Press to go back to ${wholesale.controls.periodName(whole).toLowerCase()}.` : "";
  }

  /** `rows` are the answer to a question with a grain and `where`; `span` and `before` are those of the answer. */
  function Bars({ rows, metric, grain, span, before, view, where = view?.where, goalOf = () => undefined }) {
    const [ref, width] = useWidth();
    const parts = filled({ rows, metric, grain, span, before, goalOf });
    const marks = useMarks({ parts, grain, view });
    const { parts: ratio, label } = wholesale.meta.metrics[metric];
    const last = parts.findLastIndex((part) => daysOf(part) > 0);
    const may = mayEnd(parts[last], grain, metric, outlook.useOutlook(where));
    const scale = scaled({ parts, last, may, before, width, metric });
    const at = written({ parts, grain, last, may, scale });
    const odd = isAdditive(metric) ? outliersOf(parts.filter((part) => daysOf(part) > 0).map(({ now }) => now)) : [];
    const was = before && (wholesale.controls.COMPARED[view.compare] ?? "before");
    const valueOf = ({ row }, name) => format.metric(metric, row ? row[name] : ratio ? null : "0");
    const said = (part) => {
      if (daysOf(part) <= 0) return `${longName(part, grain)}: still to come`;
      const then = part.was !== null ? `, ${was} ${valueOf(part, `${metric}_before`)}` : "";
      return `${longName(part, grain)}: ${valueOf(part, metric)}${then}`;
    };
    const of = (part, place) => ({ part, place, metric, grain, scale, may: place === last ? may : null });
    const { hovered } = marks;
    return h`<figure class="chart" ref=${ref}>
      <svg viewBox="0 0 ${width} ${scale.height}" height=${scale.height} role="group"
          aria-label=${`${label}, by ${grain}`} ...${marks.svg}>
        <${Hatch} />
        <${Ticks} scale=${scale} metric=${metric} />
        ${parts.map(
          (part, place) =>
            h`<g key=${part.day} class=${marks.isDragged(place) ? "mark dragged" : "mark"}
                aria-label=${said(part)} ...${marks.mark(place)}>
              <${Drawn} ...${of(part, place)} isOdd=${odd.includes(place)} />
            </g>`,
        )}
        <g class="written" aria-hidden="true">
          ${parts.map(
            (part, place) => h`<${Written} key=${part.day} ...${of(part, place)} isLast=${place === last} at=${at} />`,
          )}
        </g>
      </svg>
      ${
        hovered !== null &&
        h`<${Tip} x=${scale.x(hovered)} step=${scale.step} width=${width}>
          <${Values} part=${parts[hovered]} metric=${metric} was=${was} grain=${grain} compared=${before} />
          <span class="quiet">${hint(view, parts.length)}</span>
        <//>`
      }
    </figure>`;
  }

  Object.assign(wholesale.charts, { Bars, mayEnd });
  wholesale.receive("charts/bars", null);
})();

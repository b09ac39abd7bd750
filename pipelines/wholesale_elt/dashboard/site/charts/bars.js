/** Bars: a figure by day, week or month, before wider grey bars of what it is compared with. */
(() => {
  "use strict";

  const { days, decimals, format } = wholesale;
  const { h, useFigures } = wholesale.elements;
  const { ticks, partsOf, isUnderWay, outliersOf, shortName, longName, beforeOf, dailyOf, judgedFrom, paceOf } =
    wholesale.axes;
  const { useWidth, within, widthOf, roomFor, Tip, useMarks } = wholesale.charts;
  const [TOP, BOTTOM, LEAST_LEFT, RIGHT] = [36, 38, 56, 4];
  /** What `28 of 31 days` takes below the first bar. */
  const PART_WIDTH = 100;
  const NARROW = 560;
  const LABEL = 58;
  /** Between the names of two bars, and what the shortest one takes. */
  const [GAP, LEAST_NAME] = [8, 32];
  /** What a year takes below its first bar. */
  const YEAR = 38;

  const isWeekend = (part) => [5, 6].includes((((days.number(part.day) + 3) % 7) + 7) % 7);
  const told = (part) => part.last - part.first + 1;

  /** The name of a part; of one that is not whole, how much of it there is. */
  function titleOf(part, grain) {
    if (grain === "day") return format.weekday(part.day);
    return `${longName(part, grain)}${part.isWhole ? "" : `, ${told(part)} of ${part.length} days`}`;
  }

  /** What a part is compared with: the days, unless both are whole months or the like. */
  function thenOf(part, grain, was, before) {
    const then = before && beforeOf(before, part);
    if (!then || (part.isWhole && !["day", "week"].includes(grain))) return format.word(was);
    const [first, last] = [days.text(then.first), days.text(then.last)];
    return first === last ? format.weekday(first) : format.days(first, last);
  }

  /** Both values, and by how much they differ; of days to come there is nothing to tell. */
  function Values({ part, metric, was, grain, compared }) {
    if (told(part) <= 0) return h`<b>${titleOf({ ...part, isWhole: true }, grain)}</b> <p>Still to come.</p>`;
    const { unit } = wholesale.meta.metrics[metric];
    const none = unit === "amount" || unit === "count" ? "0" : null;
    const [now, before] = [part.row?.[metric] ?? none, part.row?.[`${metric}_before`] ?? none];
    const by = now === null || before === null ? null : decimals.text(decimals.units(now) - decimals.units(before));
    const change = format.change(now, before);
    return h`
      <b>${titleOf(part, grain)}</b>
      <dl>
        <dt><i class="swatch now"></i>This period</dt>
        <dd>${format.metric(metric, now)}</dd>
        ${
          part.goal !== null &&
          h`
            <dt><i class="swatch goal"></i>Goal</dt>
            <dd>${`${format.metric(metric, part.goal)} (${format.wholeShare(part.now / Number(part.goal))})`}</dd>
          `
        }
        ${
          part.was !== null &&
          h`
            <dt class="then"><i class="swatch was"></i>${thenOf(part, grain, was, compared)}</dt>
            <dd>${format.metric(metric, before)}</dd>
            <dt>Difference</dt>
            <dd class=${Number(by) < 0 ? "down" : "up"}>
              ${by === null ? format.NONE : format.signed((value) => format.metric(metric, value))(by)}
              ${change && ` (${change})`}
            </dd>
          `
        }
      </dl>
    `;
  }

  /** What the chart writes at a mark: the highest and the last value, and the pace of one that is not over. */
  function Label({ x, y, width, value, pace, metric }) {
    const [now, then] = [format.short(metric, value), pace === null ? null : `pace ${format.short(metric, pace)}`];
    return h`
      ${then && h`<text class="soft" ...${within(x, then, width)} y=${y - 8}>${then}</text>`}
      <text class="strong" ...${within(x, now, width)} y=${y - (pace === null ? 8 : 23)}>${now}</text>
    `;
  }

  /** The parts of the span with what was sold in each: `now`, and `was` where it is compared. */
  function filled({ rows, metric, grain, span, before, goalOf }) {
    const byDay = new Map(rows.map((row) => [row.day, row]));
    return partsOf(span, grain).map((part) => {
      const row = byDay.get(part.day);
      const was = before && told(part) > 0 && beforeOf(before, part) ? Number(row?.[`${metric}_before`] ?? 0) : null;
      const goal = grain === "month" ? (goalOf(metric, part.day)?.target ?? null) : null;
      return { ...part, row, now: Number(row?.[metric] ?? 0), was, goal };
    });
  }

  /** Whether a part is under way, so that it is told what it comes to. */
  const hasPace = (part, grain, metric) => isAdditive(metric) && grain !== "day" && Boolean(part) && isUnderWay(part);

  /** What is counted once in all its days, whatever is in each, does not add up. */
  const COUNTED_ONCE = /buyers$|^products_sold$|^ordering_users$/;
  const isAdditive = (metric) => !wholesale.meta.metrics[metric].parts && !COUNTED_ONCE.test(metric);

  /** What a part that is under way comes to; null where that cannot be said, or is not known yet. */
  function usePace({ part, grain, metric, where }) {
    const is = hasPace(part, grain, metric);
    const span = is && { first: judgedFrom(part), last: part.last };
    const period = is && `${days.text(span.first)}..${days.text(span.last)}`;
    const of = useFigures(is ? { metrics: [metric], grain: "day", period, where } : null);
    if (!is || !of.value || of.isOld) return null;
    return paceOf(dailyOf(of.value.rows, metric, span), told(part), part.length);
  }

  /** The sizes of the chart, and where a place and a value stand in it. */
  function scaled({ parts, pace, before, width, metric }) {
    const isNarrow = width < NARROW;
    const height = isNarrow ? 236 : 296;
    const most =
      Math.max(1e-9, ...parts.map(({ now, was, goal }) => Math.max(now, was ?? 0, Number(goal ?? 0))), pace ?? 0) *
      1.04;
    const least = Math.min(0, ...parts.map(({ now, was }) => Math.min(now, was ?? 0)));
    const left = roomFor(
      ticks(most, least).map((value) => format.short(metric, value)),
      LEAST_LEFT,
    );
    const step = (width - left - RIGHT) / parts.length;
    const x = (place) => left + step * (place + 0.5);
    const y = (value) => height - BOTTOM - ((value - least) / (most - least)) * (height - TOP - BOTTOM);
    const wide = Math.min(44, step * 0.66);
    return { width, height, isNarrow, most, least, left, step, x, y, wide, thin: wide * (before ? 0.56 : 0.8) };
  }

  /** At which places a value, the name, the year, or the days that are told are written. */
  function written({ parts, grain, last, scale: { x, step, left, isNarrow } }) {
    const highest = parts.reduce((best, { now }, place) => (now > parts[best].now ? place : best), 0);
    const widest = Math.max(...parts.map(({ day }) => widthOf(shortName(day, grain))));
    const every = Math.ceil((GAP + Math.max(widest * 1.25, LEAST_NAME)) / step);
    const isYearNear = parts.slice(1, Math.ceil(YEAR / step) + 1).some(({ day }) => day.slice(5, 7) === "01");
    const beginsYear = (place) =>
      ["month", "quarter"].includes(grain) &&
      (parts[place].day.slice(5, 7) === "01" || (place === 0 && parts[0].isWhole && !isYearNear)) &&
      place !== parts.length - 1;
    const isPart = (place) =>
      !parts[place].isWhole &&
      grain !== "day" &&
      (place === last || (place === 0 && !isNarrow)) &&
      told(parts[place]) > 0;
    return {
      hasValue: (place) =>
        (place === highest && parts[place].now > 0 && (place === last || (last - place) * step > LABEL)) ||
        (place === last && parts[place].now !== 0),
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

  /** The ground of a part, and its bars: before, at this pace, now. */
  function Drawn({ part, place, pace, isOdd, grain, scale }) {
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
      ${pace !== null && h`<${Rect} scale=${scale} place=${place} size=${thin} value=${pace} style="bar-pace" />`}
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
  function Written({ part, place, isLast, pace, metric, grain, scale: { x, y, left, width, height }, at }) {
    const top = Math.max(part.now, part.was ?? 0, pace ?? 0, Number(part.goal ?? 0));
    return h`
      ${
        at.hasValue(place) &&
        h`<${Label} x=${x(place)} width=${width} y=${y(top)}
            value=${part.row?.[metric]} pace=${pace} metric=${metric} />`
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
          ${`${told(part)} of ${part.length} days`}
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
    const last = parts.findLastIndex((part) => told(part) > 0);
    const pace = usePace({ part: parts[last], grain, metric, where });
    const scale = scaled({ parts, pace, before, width, metric });
    const at = written({ parts, grain, last, scale });
    const odd = isAdditive(metric) ? outliersOf(parts.filter((part) => told(part) > 0).map(({ now }) => now)) : [];
    const was = before && (wholesale.controls.COMPARED[view.compare] ?? "before");
    const valueOf = ({ row }, name) => format.metric(metric, row ? row[name] : ratio ? null : "0");
    const said = (part) => {
      if (told(part) <= 0) return `${longName(part, grain)}: still to come`;
      const then = part.was !== null ? `, ${was} ${valueOf(part, `${metric}_before`)}` : "";
      return `${longName(part, grain)}: ${valueOf(part, metric)}${then}`;
    };
    const of = (part, place) => ({ part, place, metric, grain, scale, pace: place === last ? pace : null });
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

  Object.assign(wholesale.charts, { Bars, hasPace });
  wholesale.receive("charts/bars", null);
})();

/** Bars: a figure by day, week or month, before wider grey bars of what it is compared with. */
(() => {
  "use strict";

  const { days, format, view: views } = wholesale;
  const { h, useState } = wholesale.elements;
  const { useWidth, ticks, Tip } = wholesale.charts;
  const [TOP, BOTTOM, LEFT, RIGHT] = [28, 38, 56, 4];
  const NARROW = 560;

  /** The parts of a span, each with its days, also those in which nothing was sold; a part that is not `whole` has others. */
  function partsOf({ first, last, whole = last }, grain) {
    const found = [];
    for (let day = days.truncated(first, grain); day <= whole; day = days.following(day, grain)) {
      const end = days.following(day, grain) - 1;
      found.push({
        day: days.text(day), first: Math.max(first, day), last: Math.min(last, end),
        length: end - day + 1, isWhole: day >= first && end <= last,
      });
    }
    return found;
  }

  const WRITERS = {
    day: (day) => format.day(day),
    week: (day) => format.day(day),
    month: (day) => format.month(day).replace(/ ?\d{4}/, ""),
  };

  function longName(part, grain) {
    if (grain === "month") return format.longMonth(part.day);
    return grain === "day" ? format.date(part.day) : format.days(days.text(part.first), days.text(part.last));
  }

  const isWeekend = (part) => [5, 6].includes((((days.number(part.day) + 3) % 7) + 7) % 7);

  /**
   * `rows` are the answer to a question with a grain; `span` and `before` are those of the answer.
   *
   * A press chooses the days of a bar as the period, a second press takes it back, and so does dragging over several.
   */
  function Bars({ rows, metric, grain, span, before, view }) {
    const [ref, width] = useWidth();
    const [hovered, hover] = useState(null);
    const [drag, setDrag] = useState(null);
    const isNarrow = width < NARROW;
    const height = isNarrow ? 236 : 296;
    const byDay = new Map(rows.map((row) => [row.day, row]));
    const parts = partsOf(span, grain).map((part) => ({ ...part, now: Number(byDay.get(part.day)?.[metric] ?? 0), row: byDay.get(part.day), was: before ? Number(byDay.get(part.day)?.[`${metric}_before`] ?? 0) : null }));
    const { unit, parts: ratio } = wholesale.meta.metrics[metric];
    const isAdditive = !ratio && metric !== "active_buyers";
    const last = parts.at(-1);
    const told = (part) => part.last - part.first + 1;
    const isUnderWay = !last.isWhole && days.number(last.day) === last.first && told(last) > 0;
    const pace = isAdditive && isUnderWay ? (last.now / told(last)) * last.length : null;
    const most = Math.max(1e-9, ...parts.map(({ now, was }) => Math.max(now, was ?? 0)), pace ?? 0);
    const least = Math.min(0, ...parts.map(({ now, was }) => Math.min(now, was ?? 0)));
    const step = (width - LEFT - RIGHT) / parts.length;
    const x = (place) => LEFT + step * (place + 0.5);
    const y = (value) => height - BOTTOM - ((value - least) / (most * 1.04 - least)) * (height - TOP - BOTTOM);
    const wide = Math.min(44, step * 0.66);
    const thin = wide * (before ? 0.56 : 0.8);
    const highest = parts.reduce((best, { now }, place) => (now > parts[best].now ? place : best), 0);
    const every = Math.ceil((isNarrow ? 48 : 40) / step);
    const dense = (value) => format.dense(metric, value);
    const choose = (from, to) => {
      const [start, end] = [Math.min(from, to), Math.max(from, to)];
      const chosen = start === end && grain === "month" ? parts[start].day.slice(0, 7) : `${days.text(parts[start].first)}..${days.text(parts[end].last)}`;
      views.go(views.changed(view, { period: chosen }));
    };
    const rect = (place, size, value, style) => {
      const [top, base] = [y(Math.max(value, 0)), y(Math.min(value, 0))];
      return h`<rect class=${style} x=${x(place) - size / 2} width=${size} y=${top} height=${Math.max(0, base - top)} rx="2" />`;
    };
    const isDragged = (place) => drag && place >= Math.min(drag.from, drag.to) && place <= Math.max(drag.from, drag.to);
    return h`<figure class="chart" ref=${ref}>
      <svg viewBox="0 0 ${width} ${height}" height=${height} role="group" aria-label=${wholesale.meta.metrics[metric].label} onPointerLeave=${() => (hover(null), setDrag(null))}>
        <defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch-ground" width="5" height="5" /><rect class="hatch-line" width="1.5" height="5" /></pattern></defs>
        ${ticks(most * 1.04).map((value) => h`<g key=${value}><line class=${value ? "grid" : "base"} x1=${LEFT} x2=${width - RIGHT} y1=${y(value)} y2=${y(value)} /><text x=${LEFT - 10} y=${y(value) + 4} text-anchor="end">${unit === "amount" ? format.compact(value) : dense(value)}</text></g>`)}
        ${parts.map((part, place) => h`<g key=${part.day} class=${isDragged(place) ? "mark dragged" : "mark"} tabindex="0" role="button"
          aria-label=${`${longName(part, grain)}: ${format.metric(metric, part.row?.[metric] ?? null)}${before ? `, before ${format.metric(metric, part.row?.[`${metric}_before`] ?? null)}` : ""}`}
          onPointerEnter=${() => (hover(place), drag && setDrag({ ...drag, to: place }))} onFocus=${() => hover(place)} onBlur=${() => hover(null)}
          onPointerDown=${() => setDrag({ from: place, to: place })} onPointerUp=${() => (drag && choose(drag.from, place), setDrag(null))}
          onKeyDown=${(event) => event.key === "Enter" && choose(place, place)}>
          <rect class=${grain === "day" && isWeekend(part) ? "band weekend" : "band"} x=${LEFT + step * place} width=${step} y=${TOP - 20} height=${height - TOP - BOTTOM + 20} />
          ${part.was !== null && rect(place, wide, part.was, "bar-before")}
          ${part.was !== null && h`<line class="edge-before" x1=${x(place) - wide / 2} x2=${x(place) + wide / 2} y1=${y(part.was)} y2=${y(part.was)} />`}
          ${part === last && pace !== null && rect(place, thin, pace, "bar-pace")}
          ${rect(place, thin, part.now, part.now < 0 ? "bar-now negative" : "bar-now")}
          ${place === highest && part.now > 0 && h`<text class="strong" x=${Math.min(x(place), width - 30)} y=${y(part.now) - 8} text-anchor="middle">${dense(part.row?.[metric])}</text>`}
          ${part === last && pace !== null && place !== highest && h`<text class="soft" x=${Math.min(x(place), width - 40)} y=${y(Math.max(pace, part.was ?? 0)) - 8} text-anchor="middle">${`pace ${dense(pace)}`}</text>`}
          ${(parts.length - 1 - place) % every === 0 && h`<text class=${part === last ? "strong" : ""} x=${Math.min(x(place), width - 18)} y=${height - 20} text-anchor="middle">${WRITERS[grain](part.day)}</text>`}
          ${grain === "month" && (part.day.slice(5, 7) === "01" || (place === 0 && part.isWhole)) && part !== last && h`<text x=${x(place)} y=${height - 4} text-anchor="middle">${part.day.slice(0, 4)}</text>`}
          ${!part.isWhole && grain !== "day" && (part === last || (place === 0 && !isNarrow)) && told(part) > 0 && h`<text class="doubt" x=${part === last ? width - RIGHT : LEFT} y=${height - 4} text-anchor=${part === last ? "end" : "start"}>${`${told(part)} of ${part.length} days`}</text>`}
        </g>`)}
      </svg>
      ${hovered !== null && parts[hovered] && h`<${Tip} x=${x(hovered)} step=${step} width=${width}>
        <b>${longName(parts[hovered], grain)}</b>
        <dl><dt><i class="swatch now"></i>This period</dt><dd>${format.metric(metric, parts[hovered].row?.[metric] ?? (unit === "amount" || unit === "count" ? "0" : null))}</dd>
        ${before && h`<dt><i class="swatch was"></i>Before</dt><dd>${format.metric(metric, parts[hovered].row?.[`${metric}_before`] ?? "0")}</dd><dt>Difference</dt><dd>${format.change(parts[hovered].row?.[metric] ?? "0", parts[hovered].row?.[`${metric}_before`] ?? "0") ?? format.NONE}</dd>`}</dl>
        <span class="quiet">Press: only these days. Drag: several.</span><//>`}
    </figure>`;
  }

  Object.assign(wholesale.charts, { Bars, partsOf });
})();

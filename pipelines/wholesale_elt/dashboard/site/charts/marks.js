/** Marks: parts of a chart that are pointed at and pressed, what they tell, and the way into them and back. */
(() => {
  "use strict";

  const { days, decimals, format, view: views } = wholesale;
  const { daysOf, periodOf, longName, beforeOf } = wholesale.axes;
  const { h, useState, useRef } = wholesale.elements;

  /** The name of a part; of one that is not whole, how much of it there is. */
  function titleOf(part, grain) {
    if (grain === "day") return format.weekday(part.day);
    return `${longName(part, grain)}${part.isWhole ? "" : `, ${daysOf(part)} of ${part.length} days`}`;
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
    if (daysOf(part) <= 0) return h`<b>${titleOf({ ...part, isWhole: true }, grain)}</b> <p>Still to come.</p>`;
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

  /** Back to the period from which somebody went into a part of it. */
  function widen(view) {
    if (view.own.whole) views.go(views.changed(view, { period: view.own.whole, own: { whole: null } }));
  }

  /** Into the days of some parts; all of them lead back. */
  function narrow({ parts, grain, view }, start, end) {
    if (start === 0 && end === parts.length - 1) widen(view);
    else if (parts[start].first <= parts[end].last) {
      const period = periodOf(parts[start], parts[end], grain);
      views.go(views.changed(view, { period, own: { whole: view.own.whole ?? view.period } }));
    }
  }

  /**
   * Marks of a chart that are pointed at and pressed: `{hovered, isDragged, svg, mark}`, the last two being attributes.
   *
   * Without a view they only tell. A press chooses the days of a mark as the period, a drag those of several; a second
   * press takes it back. On a touch screen the first press tells, the second one chooses. Arrows go from mark to mark,
   * with Shift over several.
   */
  function useMarks({ parts, grain, view }) {
    const [hovered, hover] = useState(null);
    const [drag, setDrag] = useState(null);
    const told = useRef(null);
    const choose = (from, to) => {
      setDrag(null);
      if (view) narrow({ parts, grain, view }, Math.max(0, Math.min(from, to)), Math.max(from, to));
    };
    const press = (place, event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      const next = place + (by ?? 0);
      if (event.key === "Enter" || event.key === " ") choose(drag?.from ?? place, place);
      else if (event.key === "Escape" && drag) setDrag(null);
      else if (by && parts[next]) {
        setDrag(event.shiftKey ? { from: drag?.from ?? place, to: next } : null);
        event.currentTarget.parentNode.querySelectorAll(".mark")[next].focus();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    };
    const up = (place, { pointerType }) => {
      if (!drag) return;
      const isFirst = pointerType === "touch" && drag.from === place && told.current !== place;
      told.current = place;
      if (isFirst) setDrag(null);
      else choose(drag.from, place);
    };
    return {
      hovered: parts[hovered] ? hovered : null,
      isDragged: (place) =>
        drag !== null && place >= Math.min(drag.from, drag.to) && place <= Math.max(drag.from, drag.to),
      svg: {
        onPointerLeave: ({ pointerType }) => pointerType !== "touch" && (hover(null), setDrag(null)),
        onPointerCancel: () => setDrag(null),
        onDblClick: () => widen(view),
      },
      mark: (place) => ({
        tabindex: place === (hovered ?? parts.length - 1) ? 0 : -1,
        role: "button",
        onPointerEnter: () => (hover(place), drag && setDrag({ ...drag, to: place })),
        onPointerDown: (event) => {
          if (event.button > 0) return;
          // A finger would keep the mark that it first touched, and drag over no other.
          if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
          setDrag({ from: place, to: place });
        },
        onPointerUp: (event) => up(place, event),
        onFocus: () => hover(place),
        onBlur: () => hover(null),
        onKeyDown: (event) => press(place, event),
      }),
    };
  }

  Object.assign(wholesale.charts, { widen, Values, useMarks });
  wholesale.receive("charts/marks", null);
})();

/** Marks: parts of a chart that are pointed at and pressed, and the way into them and back. */
(() => {
  "use strict";

  const { view: views } = wholesale;
  const { periodOf } = wholesale.axes;
  const { useState, useRef } = wholesale.elements;

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

  Object.assign(wholesale.charts, { widen, useMarks });
  wholesale.receive("charts/marks", null);
})();

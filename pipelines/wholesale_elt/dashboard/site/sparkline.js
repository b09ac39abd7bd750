/** Sparkline: the course of a figure in small; its numbers stand elsewhere on the page. */
(() => {
  "use strict";

  const WIDTH = 100;
  const HEIGHT = 24;
  const EDGE = 2;

  /** The points of a line through these numbers, from nothing at the bottom to the largest. */
  function points(values) {
    const numbers = values.map((value) => Number(value ?? 0));
    const largest = Math.max(...numbers, 0);
    const step = (WIDTH - 2 * EDGE) / Math.max(1, numbers.length - 1);
    return numbers.map((number, place) => {
      const height = largest > 0 ? Math.max(0, number / largest) : 0;
      return [EDGE + place * step, HEIGHT - EDGE - height * (HEIGHT - 2 * EDGE)];
    });
  }

  function path(values) {
    return points(values).map(([x, y], place) => `${place ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  }

  /** Nothing for fewer than two values. */
  function sparkline(values) {
    if (values.length < 2) return "";
    const drawing = document.getElementById("sparkline").content.firstElementChild.cloneNode(true);
    drawing.firstElementChild.setAttribute("d", path(values));
    return drawing;
  }

  wholesale.sparkline = Object.assign(sparkline, { path });
})();

/** Charts: drawn as SVG in the width that they have, with the numbers of each also in words. */
(() => {
  "use strict";

  const { h, useState, useEffect, useRef, usePrinting } = wholesale.elements;

  /** What a sheet of A4 or Letter has between its margins, in pixels. */
  const PAPER = 688;

  /** The width of an element, followed; that of the paper while it is printed. */
  function useWidth(otherwise = 640) {
    const ref = useRef(null);
    const [width, set] = useState(otherwise);
    const isPrinting = usePrinting();
    useEffect(() => {
      const follow = () => ref.current && set(ref.current.clientWidth || otherwise);
      const observer = new ResizeObserver(follow);
      observer.observe(ref.current);
      follow();
      return () => observer.disconnect();
    }, []);
    return [ref, isPrinting ? PAPER : width];
  }

  /** What a text of a chart is wide, in pixels. */
  let context = null;
  function widthOf(text) {
    if (!context) {
      context = document.createElement("canvas").getContext("2d");
      context.font = `600 12px ${getComputedStyle(document.body).fontFamily}`;
    }
    return context.measureText(text).width;
  }

  /** Where a text stands whose middle should be at `x`: within the chart, from its left edge to its right one. */
  function within(x, text, width, left = 0) {
    const half = widthOf(text) / 2;
    if (x + half > width) return { x: width, "text-anchor": "end" };
    return x - half < left ? { x: left, "text-anchor": "start" } : { x, "text-anchor": "middle" };
  }

  /** What the texts of an axis take at its left. */
  const roomFor = (texts, least) => Math.max(least, 12 + Math.ceil(Math.max(0, ...texts.map(widthOf))));

  const path = (points) =>
    points.map(([x, y], number) => `${number ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

  /** A course without axes, with `said` being of which days; a last step whose part is not over is dashed. */
  function Spark({ values, isUnfinished = false, said }) {
    const [width, height, pad] = [160, 32, 4];
    const known = values.map((value) => Number(value ?? 0));
    if (known.length < 2 || values.every((value) => value === null)) return null;
    const [most, least] = [Math.max(...known), Math.min(0, ...known)];
    const points = known.map((value, place) => [
      1 + (place * (width - 2 - pad)) / (known.length - 1),
      height - pad - ((value - least) / (most - least || 1)) * (height - 2 * pad),
    ]);
    const solid = points.slice(0, isUnfinished ? -1 : undefined);
    const [x, y] = points.at(-1);
    return h`<svg class="spark" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">
      ${said && h`<title>${said}</title>`}
      ${
        solid.length > 1 &&
        h`<path class="wash" d="${path(solid)}L${solid.at(-1)[0]} ${height}L${solid[0][0]} ${height}Z" />`
      }
      <path class="line" d=${path(solid)} />
      ${isUnfinished && h`<path class="line dashed" d=${path(points.slice(-2))} />`}
      <path class=${isUnfinished ? "dot open" : "dot"} d="M${x.toFixed(1)} ${y.toFixed(1)}h0.01" />
    </svg>`;
  }

  /** What stands beside a mark that is pointed at: right of it, or left of it at the edge. */
  function Tip({ x, step, width, children }) {
    const size = 272;
    const right = x + step / 2 + 8;
    const left = right + size > width ? x - step / 2 - size - 8 : right;
    return h`<div class="tip" role="status" style=${{ left: `${Math.max(0, Math.min(width - size, left))}px` }}>
      ${children}
    </div>`;
  }

  wholesale.charts = { PAPER, useWidth, widthOf, within, roomFor, path, Spark, Tip };
})();

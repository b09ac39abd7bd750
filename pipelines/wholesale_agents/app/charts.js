/** Charts: a figure by day, week or month, before wider grey bars of what it is compared with. */
(() => {
  "use strict";

  const { h, format } = window.figures;
  const [TOP, BOTTOM, HEIGHT, RIGHT] = [22, 36, 224, 4];
  const LETTER = 7;
  const WIDEST = 44;
  /** What the name of a part takes below its bar. */
  const NAME = { day: 56, week: 56, month: 40, quarter: 40, year: 40 };

  /** Round numbers from the least to the most, three to five of them. */
  function ticks(least, most) {
    const rough = (most - least || 1) / 4;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough);
    const found = [];
    for (let at = Math.ceil(least / step) * step; at <= most + step / 1e6; at += step) found.push(at);
    return found;
  }

  /** Where values and parts stand in the chart. */
  function scaled({ rows, metric, currency, width }) {
    const before = `${metric}_before`;
    const values = rows.flatMap((row) => [Number(row[metric] ?? 0), Number(row[before] ?? 0)]);
    const [least, most] = [Math.min(0, ...values), Math.max(1e-9, ...values) * 1.04];
    const marks = ticks(least, most).map((at) => [at, format.short(metric, at, currency)]);
    const left = Math.max(...marks.map(([, text]) => text.length)) * LETTER + 10;
    const slot = (width - left - RIGHT) / rows.length;
    const y = (value) => TOP + ((most - value) / (most - least)) * (HEIGHT - TOP - BOTTOM);
    return { marks, left, slot, y, x: (place) => left + slot * (place + 0.5) };
  }

  /** From the zero line to a value, as `rect` has it; a value that is not nothing is seen. */
  function bar(scale, place, value, share) {
    const wide = Math.min(scale.slot * share, WIDEST * share);
    const [from, to] = [scale.y(Math.max(0, value)), scale.y(Math.min(0, value))];
    const height = value === 0 ? 0 : Math.max(1.5, to - from);
    return { x: scale.x(place) - wide / 2, y: from, width: wide, height };
  }

  /** The bars of a part of time, and a field over its height that is pointed at. */
  function part({ row, place, metric, scale, point }) {
    const value = Number(row[metric] ?? 0);
    const was = row[`${metric}_before`];
    const before = was === undefined || was === null ? null : bar(scale, place, Number(was), 0.84);
    return h(
      "g",
      { class: row.is_unfinished ? "part unfinished" : "part", "data-place": place },
      h("rect", {
        class: "field",
        x: scale.x(place) - scale.slot / 2,
        y: TOP - 8,
        width: scale.slot,
        height: HEIGHT - TOP - BOTTOM + 8,
        onpointerenter: () => point(place),
      }),
      before && h("rect", { class: "was", ...before }),
      before && h("rect", { class: "edge", ...before, height: 1.5 }),
      h("rect", { class: "now", rx: 1.5, ...bar(scale, place, value, before ? 0.5 : 0.68) }),
    );
  }

  /** The names of some parts below the bars: as many as there is room for, from the last one back. */
  function names({ rows, grain, scale }) {
    const every = Math.max(1, Math.ceil(NAME[grain] / scale.slot));
    return rows.flatMap((row, place) => {
      const day = row[grain];
      if (!day || (rows.length - 1 - place) % every !== 0) return [];
      const text = { x: scale.x(place), "text-anchor": "middle" };
      const isYear = grain !== "year" && (place < every || day.slice(0, 4) !== rows[place - every][grain]?.slice(0, 4));
      return [
        h("text", { ...text, class: "soft", y: HEIGHT - BOTTOM + 16 }, format.partShort(grain, day)),
        isYear && h("text", { ...text, class: "soft", y: HEIGHT - BOTTOM + 30 }, day.slice(0, 4)),
      ];
    });
  }

  /** The highest and the last value at their bars, if these are not too near. */
  function labels({ rows, metric, currency, scale, width }) {
    const numbers = rows.map((row) => Number(row[metric] ?? 0));
    const highest = numbers.indexOf(Math.max(...numbers));
    const last = numbers.length - 1;
    return [...new Set([highest, last])].flatMap((place, second) => {
      const text = format.short(metric, rows[place][metric], currency);
      const half = (text.length * LETTER) / 2;
      if (second && Math.abs(scale.x(highest) - scale.x(last)) < 2 * half + 12) return [];
      const x = Math.min(width - half, scale.x(place));
      const top = Math.max(numbers[place], Number(rows[place][`${metric}_before`] ?? 0));
      return [h("text", { class: "strong", x, y: scale.y(top) - 7, "text-anchor": "middle" }, text)];
    });
  }

  /** What a part is, in words. */
  function told(row, { metric, grain, currency }) {
    const name = format.partText(grain, row[grain]);
    const some = row.is_unfinished && row.seen_day_count ? ` (${row.seen_day_count} days so far)` : "";
    const was = row[`${metric}_before`];
    const change = format.growth(row[`${metric}_growth`]);
    const before = was === undefined ? "" : `, before ${format.full(metric, was, currency)}${change && ` (${change})`}`;
    return `${name}${some}: ${format.full(metric, row[metric], currency)}${before}`;
  }

  /** Hatching, for what is not over. */
  const hatch = () =>
    h(
      "defs",
      null,
      h(
        "pattern",
        { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        h("line", { class: "hatch", x1: 0, y1: 0, x2: 0, y2: 5 }),
      ),
    );

  /** The lines of round numbers, and what they are. */
  const grid = ({ scale, width }) =>
    scale.marks.map(([at, text]) => [
      h("line", {
        class: at === 0 ? "zero" : "tick",
        x1: scale.left,
        x2: width,
        y1: scale.y(at),
        y2: scale.y(at),
      }),
      h("text", { class: "soft", x: scale.left - 8, y: scale.y(at) + 4, "text-anchor": "end" }, text),
    ]);

  /** The chart of a width, of which `point` is told where the pointer is, and `press` which key was pressed. */
  function drawn(asked, press) {
    const { title, width, rows } = asked;
    const own = { ...asked, scale: scaled(asked) };
    const label = `${title}. Arrows go from bar to bar.`;
    return h(
      "svg",
      { width, height: HEIGHT, role: "img", tabindex: 0, "aria-label": label, onkeydown: press },
      hatch(),
      grid(own),
      rows.map((row, place) => part({ ...own, row, place })),
      names(own),
      labels(own),
    );
  }

  /** The chart in an element that it fills; arrows and the pointer tell what a bar is. */
  function inTime(asked) {
    const rows = asked.rows.filter((row) => row[asked.grain]);
    const says = h("p", { class: "says", "aria-live": "polite" });
    const place = h("div", { class: "chart" });
    let here = rows.length - 1;
    let width = 0;
    const point = (to) => {
      here = Math.max(0, Math.min(rows.length - 1, to));
      says.textContent = told(rows[here], asked);
      for (const each of place.querySelectorAll(".part"))
        each.classList.toggle("here", Number(each.dataset.place) === here);
    };
    const press = (event) => {
      const to = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: rows.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      point(to);
    };
    new ResizeObserver(([{ contentRect }]) => {
      const room = Math.floor(contentRect.width);
      if (room <= 0 || room === width) return;
      width = room;
      place.replaceChildren(drawn({ ...asked, rows, width, point }, press));
      point(here);
    }).observe(place);
    return rows.length ? [place, says] : [];
  }

  window.figures.charts = { inTime };
})();

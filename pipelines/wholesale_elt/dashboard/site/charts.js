/** Charts: drawn after the numbers, with the same numbers as a table beside each. */
(() => {
  "use strict";

  const { element, format, base } = wholesale;
  const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)");
  const COLOURS = ["--ink", "--muted", "--line", "--surface", "--accent", "--before"];
  let library;
  let shown = [];

  /** The library is large, so nothing waits for it but the charts. */
  function ready() {
    library ??= new Promise((resolve, reject) => {
      const script = element("script", { src: `${base}vendor/echarts.common.min.js` });
      script.addEventListener("load", () => resolve(window.echarts));
      script.addEventListener("error", () => reject(new Error("the chart library cannot be read")));
      document.head.append(script);
    });
    return library;
  }

  /** The colours of the theme in force; a probe resolves them, as their definitions name two each. */
  function palette() {
    const probe = element("span", { hidden: true });
    document.body.append(probe);
    const colours = COLOURS.map((name) => {
      probe.style.color = `var(${name})`;
      return [name.slice(2), getComputedStyle(probe).color];
    });
    probe.remove();
    return Object.fromEntries(colours);
  }

  function drawn(type, colour) {
    const itemStyle = { color: colour };
    return type === "bar"
      ? { type: "bar", barMaxWidth: 26, itemStyle }
      : { type: "line", symbolSize: 6, lineStyle: { width: 2.5 }, itemStyle };
  }

  function options({ categories, series, axis, value, isHorizontal = false }) {
    const { ink, muted, line, surface, accent, before } = palette();
    const { fontFamily } = getComputedStyle(document.body);
    const label = { color: muted, fontSize: 12, hideOverlap: true };
    const names = {
      type: "category",
      data: categories,
      inverse: isHorizontal,
      axisLabel: isHorizontal ? { ...label, width: 130, overflow: "truncate" } : label,
      axisLine: { lineStyle: { color: line } },
      axisTick: { show: false },
    };
    const amounts = {
      type: "value",
      axisLabel: { ...label, formatter: axis },
      splitLine: { lineStyle: { color: line } },
      splitNumber: 4,
    };
    return {
      animation: !isCalm.matches,
      animationDuration: 250,
      textStyle: { fontFamily },
      grid: { left: 4, right: 14, top: series.length > 1 ? 34 : 12, bottom: 4, containLabel: true },
      legend: {
        show: series.length > 1, top: 0, left: 0, icon: "roundRect", itemWidth: 12, itemHeight: 8, itemGap: 20,
        textStyle: { color: ink, fontSize: 12 },
      },
      tooltip: {
        trigger: "axis",
        confine: true,
        renderMode: "richText",
        backgroundColor: surface,
        borderColor: line,
        textStyle: { color: ink, fontSize: 12 },
        axisPointer: { type: "shadow" },
        valueFormatter: (shownValue) => (shownValue === null ? format.NONE : value(shownValue)),
      },
      xAxis: isHorizontal ? amounts : names,
      yAxis: isHorizontal ? names : amounts,
      series: series.map(({ name, type, values, isBefore }) => ({
        name,
        data: values.map((shownValue) => (shownValue === null ? null : Number(shownValue))),
        ...drawn(type, isBefore ? before : accent),
        ...(isBefore && type === "line" && { lineStyle: { width: 2, type: "dashed" } }),
        z: isBefore ? 2 : 3,
      })),
    };
  }

  function draw(canvas, chart) {
    const drawing = window.echarts.init(canvas, null, { renderer: "svg" });
    drawing.setOption(options(chart));
    const observer = new ResizeObserver(() => drawing.resize());
    observer.observe(canvas);
    return { canvas, chart, drawing, stop: () => { observer.disconnect(); drawing.dispose(); } };
  }

  /**
   * A figure of `{label, categories, series, axis, value, isHorizontal}`, `table` to open below it.
   *
   * Values are decimal texts; only the drawing rounds them. Without `table` the page shows the
   * numbers in a table of its own.
   */
  function figure({ table, ...chart }) {
    const lines = chart.isHorizontal ? chart.categories.length : null;
    const canvas = element("div", {
      class: "chart",
      style: lines && `height: ${4 + 2.4 * lines}rem`,
      role: "img",
      "aria-label": `Chart: ${chart.label}. The table has its numbers.`,
    });
    const made = element(
      "figure",
      {},
      canvas,
      table && element("details", {}, element("summary", {}, "Show as table"), table),
    );
    afterPaint(async () => {
      try {
        await ready();
      } catch (error) {
        canvas.replaceWith(element("p", { class: "empty" }, `No chart: ${error.message}.`));
        return;
      }
      if (!canvas.isConnected) return;
      shown.filter((drawing) => !drawing.canvas.isConnected).forEach((drawing) => drawing.stop());
      shown = [...shown.filter((drawing) => drawing.canvas.isConnected), draw(canvas, chart)];
    });
    return made;
  }

  function afterPaint(run) {
    requestAnimationFrame(() => setTimeout(run, 0));
  }

  /** Forgets the charts of the page that is left. */
  function clear() {
    shown.forEach((drawing) => drawing.stop());
    shown = [];
  }

  document.addEventListener("themechange", () => {
    shown.forEach(({ drawing, chart }) => drawing.setOption(options(chart)));
  });

  wholesale.charts = { figure, clear };
})();

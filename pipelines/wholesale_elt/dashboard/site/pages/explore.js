/** Explore: any figure by anything, or by two things at once. */
(() => {
  "use strict";

  const { controls, facts, format, parts, view: views } = wholesale;
  const { h, useFigures, useLoaded, useState, Loaded, Change, Section, Segments, Term } = wholesale.elements;
  const { courseOf, grainIn, grainsOf } = wholesale.axes;
  const { Bars, Moved } = wholesale.charts;
  const { offered, listed, Courses, crossed, Asked, Excluded, figuresOf } = wholesale.pieces.explore;
  const { besideOf, columnsOf, named, onlyIn } = listed;
  const { evenly, labelOf, inWords, metricOf, spanOf } = offered;
  /** The figure in all, beside what it was. */
  function Total({ total, metric, before, compare }) {
    const { unit, kind } = metricOf(metric);
    const write = unit === "amount" && kind !== "ratio" ? format.exact : (value) => format.metric(metric, value);
    const was = total[`${metric}_before`];
    const text = total[metric] === null ? "Not known" : write(total[metric]);
    return h`<p class="one-figure">
      <span class="tile" data-tile=${metric}>
        <b class=${total[metric] === null ? "figure unknown" : "figure"} data-exact=${total[metric]}
            style=${{ "--length": text.length }}>
          ${text}
        </b>
      </span>
      <span class="quiet"><${Term} of=${metric}>${metricOf(metric).label}<//></span>${" "}
      ${
        before &&
        h`
          <${Change} now=${total[metric]} before=${was} />${" "}
          <span class="quiet">${`${write(was)} ${controls.COMPARED[compare]}`}</span>
        `
      }
    </p>`;
  }

  /** The choices of the cut and of the shape. */
  function Choices({ view, span, grain, shapes, shown }) {
    const choose = (own) => views.go(views.changed(view, { own }));
    return h`<span class="legend">
      ${
        span &&
        shown !== "moved" &&
        grainsOf(span).length > 1 &&
        h`<${Segments} label="Cut into" options=${grainsOf(span)} value=${grain}
            onChoose=${(chosen) => choose({ grain: chosen })} />`
      }
      <${Segments} label="Shape" options=${shapes} value=${shown}
          onChoose=${(chosen) => choose({ shape: chosen === "lines" ? null : chosen })} />
    </span>`;
  }

  /** The chart of the shape that is shown. */
  function Chart({ view, metric, by, shown, grain, span, rows, total, courses, course, isAdditive, write }) {
    if (shown === "moved")
      return h`<${Moved} rows=${rows} metric=${metric} label=${labelOf(by)} nameOf=${named(view, by)}
          onlyOf=${onlyIn(view, by)} />`;
    if (!span) return null;
    if (shown === "time")
      return h`<${Loaded} of=${course}>
        ${(answer) =>
          h`
            <${Bars} rows=${answer.rows.filter(({ day }) => day !== null)} metric=${metric} grain=${grain}
                span=${span} before=${answer.before} view=${view} />
            <${parts.Figures} metric=${metric} rows=${answer.rows} grain=${grain} span=${span}
                before=${answer.before} />
          `}
      <//>`;
    if (!rows.some((row) => row[metric] !== null)) return null;
    return h`<${Loaded} of=${courses}>
      ${(answer) =>
        h`<${Courses} view=${view} metric=${metric} by=${by} grain=${grain} span=${span} rows=${rows} total=${total}
            answer=${answer} hrefOf=${onlyIn(view, by)} isAdditive=${isAdditive} write=${write} />`}
    <//>`;
  }

  function Answer({ view, metric, by, shape, grain }) {
    const { period, compare, where } = view;
    const beside = besideOf(metric, by);
    const of = useFigures({ metrics: [metric, ...Object.keys(beside)], by: [by], period, compare, where });
    const courses = useFigures({ metrics: [metric], by: [by], grain, period, where });
    const course = useFigures({ metrics: [metric], grain, period, compare, where });
    const { label, kind } = metricOf(metric);
    // Members of two groups are not added up, nor are ratios: they have no shares of a whole.
    const isAdditive = kind === "additive";
    return h`<${Loaded} of=${of}>
      ${({ rows, total, before }) => {
        const span = spanOf(view);
        const shapes = [
          ["lines", "Over time"],
          ["time", "In all"],
          ...(before && isAdditive ? [["moved", "What moved"]] : []),
        ];
        const shown = shapes.some(([key]) => key === shape) ? shape : "lines";
        const byKey = Map.groupBy(courses.value?.rows ?? [], ({ keys }) => keys[by]);
        const courseIn = ({ keys }) =>
          courses.value && span ? courseOf(byKey.get(keys[by]) ?? [], metric, span, grain) : { values: [] };
        const write = evenly(
          metric,
          [...rows, total].flatMap((row) => [row[metric], row[`${metric}_before`]]),
        );
        const columns = columnsOf({ view, metric, by, total, before, courseIn, isAdditive, write, beside });
        const title = `${label} by ${inWords(by)}`;
        const drawn = { view, metric, by, grain, span, rows, total, isAdditive, write };
        return h`<div>
          <${Total} total=${total} metric=${metric} before=${before} compare=${compare} />
          <${Section} title=${title} note=${format.count(rows.length)}
              more=${h`<${Choices} view=${view} span=${span} grain=${grain} shapes=${shapes} shown=${shown} />`}>
            <${Chart} ...${drawn} shown=${shown} courses=${courses} course=${course} />
            ${
              span &&
              shown === "lines" &&
              courses.value &&
              course.value &&
              h`<${parts.Behind} caption=${`${title}, ${grain} by ${grain}`} file=${`${metric}-by-${by}-a-${grain}`}
                  table=${() => figuresOf({ ...drawn, answer: courses.value, course: course.value })} />`
            }
            <${wholesale.Table} caption=${title} by=${by} file=${`${metric}-by-${by}`} sort=${metric} size=${20}
                rows=${rows} totals=${rows.length > 1 && total} columns=${columns}
                empty="Nothing in this period." />
          <//>
        </div>`;
      }}
    <//>`;
  }

  /** By two dimensions: a table, and the figure in all. */
  function Pivoted({ view, metric, by, across }) {
    const { period, compare, where } = view;
    const of = useFigures({ metrics: [metric], period, compare, where });
    const { label, kind } = metricOf(metric);
    const title = `${label} by ${inWords(by)} and ${inWords(across)}`;
    const grain = offered.GRAINS[across] ? across : null;
    return h`<${Loaded} of=${of}>
      ${({ total, before }) => {
        const modes = crossed
          .modesOf(metric)
          .filter(([mode]) => mode === "amount" || (mode === "share" ? kind === "additive" : before));
        const mode = modes.some(([key]) => key === view.own.cells) ? view.own.cells : "amount";
        return h`<div>
          <${Total} total=${total} metric=${metric} before=${before} compare=${compare} />
          <${Section} title=${title}
              more=${
                modes.length > 1 &&
                h`<${Segments} label="Cells" options=${modes} value=${mode}
                  onChoose=${(cells) =>
                    views.go(views.changed(view, { own: { cells: cells === "amount" ? null : cells } }))} />`
              }>
            <${crossed.Crossed} view=${view} mode=${mode} labels=${labelOf} caption=${title}
                file=${`${metric}-by-${by}-and-${across}`}
                nameOfRow=${({ key, name }) => named(view, by)({ keys: { [by]: key }, names: { [by]: name } })}
                question=${{ metric, by, across, grain, period, compare: before ? compare : "none", where }} />
          <//>
        </div>`;
      }}
    <//>`;
  }

  /** What a view shows, or why it shows nothing. */
  function Shown({ view, asked, choose }) {
    const { metric, by, across, problem } = asked;
    if (problem) return h`<${offered.Problem} ...${asked} choose=${choose} />`;
    const instead = wholesale.figures.instead(metric, view.where);
    if (instead) return h`<${Excluded} metric=${metric} instead=${instead} choose=${choose} />`;
    if (across)
      return h`<${Pivoted} view=${view} metric=${metric} by=${by} across=${across}
          key=${`${metric}/${by}/${across}`} />`;
    const grain = grainIn(spanOf(view), view.own.grain);
    return h`<${Answer} view=${view} metric=${metric} by=${by} shape=${view.own.shape ?? "lines"} grain=${grain}
        key=${`${metric}/${by}`} />`;
  }

  /** The question of a view, as the command asks it. */
  function questionOf({ period, compare, where }, { metric, by, across }) {
    const isGrain = Boolean(offered.GRAINS[across]);
    return {
      metrics: [metric],
      by: [by, ...(across && !isGrain ? [across] : [])],
      grain: isGrain ? across : null,
      period,
      compare: period === "all_time" ? "none" : compare,
      where: Object.fromEntries(Object.entries(where).filter(([, keys]) => keys?.length)),
    };
  }

  /** Of the last part, what it is compared with if it is not over. */
  function notOver(view) {
    const { isUnfinished, last } = spanOf(view) ?? {};
    return isUnfinished
      ? ` The period is not over: it is compared with as many days, up to ${format.date(wholesale.days.text(last))}.`
      : "";
  }

  function Page({ view }) {
    const index = useLoaded(facts.index, "index");
    const [isAsked, ask] = useState(false);
    const choose = (own) => views.go(views.changed(view, { own }));
    return h`<div class="explored">
      <${Loaded} of=${index}>
        ${(read) => {
          const asked = offered.asked(view, read);
          const { metric, by, across, problem } = asked;
          const menus = { view, read, metric, choose };
          return h`<div>
            <${wholesale.Controls} view=${view}>
              <${offered.FigureMenu} metric=${metric} choose=${choose} />
              <${offered.DimensionMenu} ...${menus} label="by" name="by" value=${by} without=${across} />
              <${offered.DimensionMenu} ...${menus} label="and" name="across" value=${across} without=${by} />
            <//>
            <${Shown} view=${view} asked=${asked} choose=${choose} />
            ${!problem && isAsked && h`<${Asked} question=${questionOf(view, asked)} />`}
            ${
              !problem &&
              h`<${parts.Foot}>
                <button type="button" class="a" aria-expanded=${isAsked} onClick=${() => ask(!isAsked)}>
                  The SQL behind this view
                </button>${" "}
                gives the same figures from the published file.${notOver(view)}
              <//>`
            }
          </div>`;
        }}
      <//>
    </div>`;
  }

  wholesale.receive("pages/explore", Page);
})();

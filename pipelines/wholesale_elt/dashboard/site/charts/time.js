/** Time: every purchase of a buyer on the line of time, and a running total against another. */
(() => {
  "use strict";

  const { age, days, format } = wholesale;
  const { h } = wholesale.elements;
  const { useWidth, widthOf, within, path } = wholesale.charts;
  const MARGIN = 8;

  /** The first days of the months that begin after one day and before another. */
  function monthsBetween(start, end) {
    const found = [];
    let day = days.following(days.truncated(start, "month"), "month");
    for (; day < end; day = days.following(day, "month")) found.push(days.text(day));
    return found;
  }

  /**
   * Purchases as ticks, their height the basket; the silence since the last one is drawn.
   *
   * `purchases` have `{day, amount, href, label}`; `awaited` has the first and the last day in which the next one is
   * awaited, if these are known; `isLate` marks the silence; it is `height` pixels high.
   */
  function Rhythm({ height = 152, ...given }) {
    const { purchases, awaited = null, isLate = false, until, first = purchases[0]?.day ?? until } = given;
    const [ref, width] = useWidth();
    const [base, top] = [height - 38, 12];
    const [start, end] = [days.number(first), Math.max(days.number(until), days.number(first) + 1)];
    const x = (day) => ((days.number(day) - start) / (end - start)) * (width - MARGIN);
    const most = Math.max(1e-9, ...purchases.map(({ amount }) => Number(amount ?? 0)));
    const tall = (amount) => 6 + Math.sqrt(Math.max(0, Number(amount ?? 0)) / most) * (base - top - 22);
    const last = purchases.at(-1)?.day;
    const silent = last ? days.number(until) - days.number(last) : 0;
    const isAwaited = awaited !== null && awaited.first < until;
    const months = monthsBetween(start, end);
    const here = age.isOtherDay() ? format.day(until) : "Today";
    const every = Math.ceil(months.length / Math.max(1, Math.floor(width / 52)));
    return h`<figure class="chart" ref=${ref}>
      <svg viewBox="0 0 ${width} ${height}" height=${height} role="group" aria-label="Every purchase">
        ${
          isLate &&
          last &&
          h`<rect class="silence" x=${x(last)} y=${top + 8} width=${Math.max(0, x(until) - x(last))}
              height=${base - top - 8} />`
        }
        <line class="base" x1="0" x2=${width - MARGIN} y1=${base} y2=${base} />
        ${months.map(
          (day, number) =>
            number % every === 0 &&
            x(day) + widthOf(format.month(day).replace(/ ?\d{4}/, "")) < width - widthOf(here) - MARGIN &&
            h`<g key=${day}>
              <line class="base" x1=${x(day)} x2=${x(day)} y1=${base} y2=${base + 5} />
              <text x=${x(day)} y=${base + 19}>${format.month(day).replace(/ ?\d{4}/, "")}</text>
              ${
                (number === 0 || day.slice(5, 7) === "01") &&
                h`<text x=${x(day)} y=${base + 33}>${day.slice(0, 4)}</text>`
              }
            </g>`,
        )}
        ${purchases.map(
          ({ day, amount, href, label }, number) =>
            h`<a key=${number} href=${href} aria-label=${label ?? `${format.date(day)}: ${format.amount(amount)}`}>
              <line class="tick" x1=${x(day)} x2=${x(day)} y1=${base} y2=${base - tall(amount)}>
                <title>${label ?? `${format.date(day)}: ${format.amount(amount)}`}</title>
              </line>
            </a>`,
        )}
        ${
          isAwaited &&
          h`<rect class="awaited" x=${x(awaited.first)} y=${base - 10} height="10" rx="2"
              width=${Math.max(2, Math.min(x(until), x(awaited.last)) - x(awaited.first))} />`
        }
        <line class="today" x1=${x(until)} x2=${x(until)} y1=${base + 5} y2=${top + 8} />
        <text class="strong" ...${within(x(until), here, width)} y=${base + 19}>${here}</text>
        ${
          last &&
          h`<text class=${isLate ? "late" : "soft"} x=${width - MARGIN} y=${top + 2} text-anchor="end">
            ${`last order ${format.day(last)}${silent > 0 ? `, ${format.plural(silent, "day")} silent` : ""}`}
          </text>`
        }
      </svg>
    </figure>`;
  }

  /** Where a running total may end: one wedge for each share, from the last known day to the last one. */
  function Fan({ from, at, y, may }) {
    return [90, 80, 50]
      .filter((share) => may[`low_${share}`] !== null)
      .map((share) => {
        const [low, high] = [y(Number(may[`low_${share}`])), y(Number(may[`high_${share}`]))];
        return h`<path key=${share} class=${`fan-${share}`} d="${path([from, [at, high], [at, low]])}Z" />`;
      });
  }

  /** Two labels at heights that do not cover each other, within the chart. */
  function apart([here, then], { top, height }) {
    const away = Math.abs(then - here) < 32 ? (32 - Math.abs(then - here)) / 2 : 0;
    const [above, below] = [Math.min(here, then) - away - top, Math.max(here, then) + away + 16 - height];
    const lifted = above < 0 ? above : Math.max(0, below);
    return (here < then ? [here - away, then + away] : [here + away, then - away]).map((at) => at - lifted);
  }

  function Days({ x, height, reached, length }) {
    return h`
      <text x=${x(0)} y=${height - 6}>1</text>
      ${
        reached > 1 &&
        x(length - 1) - x(reached) > 28 &&
        h`<text x=${x(reached)} y=${height - 6} text-anchor="middle">${reached + 1}</text>`
      }
      <text x=${x(length - 1)} y=${height - 6} text-anchor="end">${length}</text>
    `;
  }

  /**
   * `now` and `before` are running totals by day; `length` is the days of the whole, `may` the window in which it may
   * end: where there is none, nothing is claimed of the days to come.
   */
  function Running({ now, before, length, may = null, labels }) {
    const [ref, width] = useWidth(376);
    const [height, top, bottom] = [176, 14, 24];
    const values = [now, before].map((one) => one.map(Number));
    if (values[0].length === 0) return null;
    const reached = values[0].length - 1;
    const beforeLast = before.at(-1) ?? "0";
    const reach = may && Number(may.high_90 ?? may.high_80);
    const most = Math.max(1e-9, ...values.flat(), reach ?? 0) * 1.04;
    const end = may ? (Number(may.low_80) + Number(may.high_80)) / 2 : values[0][reached];
    const said = may ? wholesale.outlook.rangeOf(may) : format.compact(now.at(-1));
    const isOver = reached + 1 >= length;
    const name = may ? `${labels.now}, 8 of 10` : isOver ? labels.now : `${labels.now} so far`;
    const right =
      12 + Math.ceil(Math.max(...[name, labels.before, said, format.compact(beforeLast)].map((text) => widthOf(text))));
    const x = (place) => 2 + (place * (width - 2 - right)) / Math.max(1, length - 1, before.length - 1);
    const y = (value) => height - bottom - (Math.max(0, value) / most) * (height - top - bottom);
    const points = values.map((one) => one.map((value, place) => [x(place), y(value)]));
    const [nowY, thenY] = apart([y(end), y(values[1].at(-1) ?? 0)], { top, height });
    const at = width - right + 10;
    return h`<figure class="chart" ref=${ref}>
      <svg viewBox="0 0 ${width} ${height}" height=${height} role="img"
          aria-label=${
            `${labels.now}: ${format.compact(now.at(-1))}${may ? `, may end at ${said}` : ""}; ` +
            `${labels.before}: ${format.compact(beforeLast)}`
          }>
        <line class="base" x1="2" x2=${width - right} y1=${y(0)} y2=${y(0)} />
        <path class="wash" d="${path(points[0])}L${x(reached)} ${y(0)}L${x(0)} ${y(0)}Z" />
        ${may && h`<${Fan} from=${points[0][reached]} at=${x(length - 1)} y=${y} may=${may} />`}
        ${points[1].length > 1 && h`<path class="line was" d=${path(points[1])} />`}
        <path class="line now" d=${path(points[0])} />
        <circle class="end" cx=${x(reached)} cy=${y(values[0][reached])} r="4" />
        <text class="strong" x=${at} y=${nowY - 2}>${said}</text>
        <text x=${at} y=${nowY + 12}>${name}</text>
        ${
          points[1].length > 0 &&
          h`
            <text class="soft" x=${at} y=${thenY - 2}>${format.compact(before.at(-1))}</text>
            <text x=${at} y=${thenY + 12}>${labels.before}</text>
          `
        }
        <${Days} x=${x} height=${height} reached=${reached} length=${length} />
      </svg>
    </figure>`;
  }

  Object.assign(wholesale.charts, { Rhythm, Running });
})();

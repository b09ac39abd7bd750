/** Listed: buyers with their windows on one axis of days, those without below them. */
(() => {
  "use strict";

  const { age, days, format, objects, windows, view: views } = wholesale;
  const { h, Name, Section, Segments } = wholesale.elements;
  const { isTold, lastDay, rightOf, withoutText, spans, Bars, Legend } = windows;
  /** Days of the axis, and how many of them are before the first one that is not known yet. */
  const [LENGTH, BEFORE, WEEK] = [42, 7, 7];
  /** Of those whose windows all passed so many stand first; the others most likely buy elsewhere. */
  const FIRST = 5;
  /** Days about today in which no other day has room for its name. */
  const NEAR = 4;
  /** A narrow axis leaves out each second name, and what is near today. */
  const styleOf = (day, place, today) =>
    [place % 2 ? "few" : "", Math.abs(day - today) <= 2 * NEAR ? "near" : ""].filter(Boolean).join(" ");
  const SHOWN = {
    all: () => true,
    passed: ({ standing }) => standing === "passed",
    due: ({ standing }) => standing === "due",
    later: ({ standing }) => standing === "later",
    without: (row) => !isTold(row),
  };
  const LABELS = { all: "All", passed: "All windows passed", due: "Due", later: "Later", without: "Without a window" };

  /** The axis: its first day, and where a day is in it. */
  function axisOf(upTo) {
    const start = days.number(upTo) + 1 - BEFORE;
    return { start, at: (day) => (day - start) / LENGTH, today: age.ownToday(upTo) };
  }

  const percent = (part) => `${(100 * part).toFixed(3)}%`;

  /** The names of days above the windows: each Monday, and today. */
  function Axis({ upTo }) {
    const { start, at, today } = axisOf(upTo);
    const mondays = Array.from({ length: LENGTH / WEEK + 1 }, (_, week) => days.truncated(start, "week") + week * WEEK);
    const isShown = (day) => day >= start + 1 && day <= start + LENGTH - 3 && Math.abs(day - today) > NEAR;
    const label = (day, text, style) =>
      h`<span key=${day} class=${style} style=${{ left: percent(at(day + 0.5)) }}>${text}</span>`;
    return h`<span class="windows-axis" aria-hidden="true">
      ${mondays.filter(isShown).map((day, place) => label(day, format.day(days.text(day)), styleOf(day, place, today)))}
      ${label(today, "Today", "here")}
    </span>`;
  }

  /** The windows of a buyer, or in words why there is none to wait for. */
  function Track({ row, upTo }) {
    const { at, today } = axisOf(upTo);
    const here = at(today + 0.5);
    const style = { "--today": percent(here) };
    if (!isTold(row))
      return h`<span class="windows-track" style=${style}><em class="unknown-text">${withoutText(row)}</em></span>`;
    if (row.standing === "passed") {
      const from = Math.max(0, at(days.number(lastDay(row)) + 1));
      return h`<span class="windows-track" style=${style}>
        ${from < here && h`<i class="gone" style=${{ left: percent(from), width: percent(here - from) }}></i>`}
        <em class="down">all windows passed, the last on ${format.day(lastDay(row))}: call</em>
      </span>`;
    }
    const bars = windows.SHARES.filter((share) => row[`last_day_${share}`]).map((share) => ({
      share,
      from: at(days.number(row[`first_day_${share}`])),
      to: at(days.number(row[`last_day_${share}`]) + 1),
    }));
    const isBeyond = bars.every(({ from }) => from >= 1);
    const said = row.ordered_since
      ? `ordered ${format.day(row.ordered_since)}`
      : isBeyond && `from ${format.date(row.first_day_90 ?? row.first_day_80)} on`;
    return h`
      <span class="windows-days">${windows.span(row, 80)}<span class="quiet">, 8 of 10</span></span>
      <span class="windows-track" style=${style} role="img" aria-label=${spans(row)} title=${spans(row)}>
        <${Bars} bars=${bars} />
        ${said && h`<em class=${row.ordered_since ? "beyond since" : "beyond"}>${said}</em>`}
      </span>
    `;
  }

  const rangeOf = ({ low_amount: low, high_amount: high }) =>
    low === null || high === null
      ? h`<span class="unknown">not known</span>`
      : `${format.compact(low)} – ${format.compact(high)}`;

  function columnsOf(upTo) {
    return [
      {
        name: "buyer_name",
        label: "Buyer",
        show: (row) => h`<${Name} of="buyer" id=${row.buyer_id} name=${row.buyer_name} />`,
      },
      {
        name: "window",
        label: "Next order",
        style: "windows-cell",
        term: "window",
        axis: h`<${Axis} upTo=${upTo} />`,
        phrase: "{}",
        value: (row) => (isTold(row) ? row.first_day_50 : null),
        show: (row) => h`<${Track} row=${row} upTo=${upTo} />`,
      },
      {
        name: "order_in_week_share",
        label: "Within 7 days",
        type: "number",
        drop: 1,
        show: ({ order_in_week_share: part }) => (part === null ? format.NONE : format.wholeShare(part)),
      },
      { name: "usual_amount", label: "Amount, 8 of 10", type: "amount", show: rangeOf },
      {
        name: "right_count",
        label: "Right so far",
        type: "number",
        phrase: "right {} times",
        value: ({ right_count: right, judged_count: judged }) => (judged ? right / judged : null),
        show: (row) => {
          const isWarned = row.standing === "right_too_seldom";
          const right = rightOf(row);
          return right ? h`<span class=${isWarned ? "unknown-text" : "quiet"}>${right}</span>` : format.NONE;
        },
      },
    ];
  }

  /** A file has each end of each window in a column of its own. */
  const SAVED = [
    { name: "buyer_name", label: "Buyer", value: (row) => objects.nameOf(row.buyer_id, row.buyer_name) },
    { name: "standing", label: "Standing", value: (row) => (isTold(row) ? row.standing : withoutText(row)) },
    ...[50, 80, 90].flatMap((share) => [
      { name: `first_day_${share}`, label: `First day, ${share}%`, type: "date" },
      { name: `last_day_${share}`, label: `Last day, ${share}%`, type: "date" },
    ]),
    { name: "order_in_week_share", label: "Within 7 days", type: "share" },
    { name: "usual_amount", label: "Usual amount", type: "exact" },
    { name: "low_amount", label: "Lowest amount, 80%", type: "exact" },
    { name: "high_amount", label: "Highest amount, 80%", type: "exact" },
    { name: "right_count", label: "Windows that were right", type: "count" },
    { name: "judged_count", label: "Windows that are over", type: "count" },
    { name: "purchase_count", label: "Purchases", type: "count" },
    { name: "last_ordered_date", label: "Last order", type: "date" },
  ];

  /** The rows as they are listed: those that passed last first, who passed long ago after all that have a window. */
  function ordered(rows) {
    const of = (is) => rows.filter(is);
    const passed = of(SHOWN.passed);
    return [
      ...passed.slice(0, FIRST),
      ...of(SHOWN.due),
      ...of(SHOWN.later),
      ...passed.slice(FIRST),
      ...of(SHOWN.without),
    ];
  }

  /** Whose windows are listed; `counts` are of all buyers, also of those that the list has no room for. */
  function Listed({ view, rows, counts, upTo }) {
    const kind = SHOWN[view.own.show] ? view.own.show : "all";
    const countOf = (is) => counts.filter(is).reduce((sum, { buyer_count: count }) => sum + count, 0);
    const shown = ordered(rows).filter(SHOWN[kind]);
    return h`<${Section} title="Windows" class="windows" note="first who passed all of them lately, then who is due"
        more=${h`<${Legend} />`}>
      <div class="choices-line">
        <${Segments} label="Which buyers" value=${kind}
            options=${Object.entries(LABELS).map(([key, text]) => [key, text, format.count(countOf(SHOWN[key]))])}
            onChoose=${(key) => views.go(views.changed(view, { own: { show: key === "all" ? null : key } }))} />
      </div>
      ${shown.some((row) => isTold(row)) && h`<${Axis} upTo=${upTo} />`}
      <${wholesale.Table} key=${kind} caption="Windows" size=${25} file="next-orders" rows=${shown} isOfNow=${true}
          total=${countOf(SHOWN[kind])} columns=${columnsOf(upTo)} saved=${SAVED} empty="No buyers here." />
    <//>`;
  }

  wholesale.receive("pages/next/listed", { Listed });
})();

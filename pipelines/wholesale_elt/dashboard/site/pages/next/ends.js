/** Ends: between which amounts the running month and the next one may end, for all, and by vendor and manager. */
(() => {
  "use strict";

  const { format, outlook, view: views, windows } = wholesale;
  const { h, Name, Empty, Section, Segments } = wholesale.elements;
  const { isTold, rangeOf, rightText, daysOf } = outlook;
  const MANAGER = "account_manager";
  const BY = { vendor: "By vendor", account_manager: "By account manager" };
  /** What the largest amount leaves free of a scale. */
  const ROOM = 1.04;

  const monthOf = ({ month_start: start }) => format.longMonth(start).split(" ")[0];
  const reachOf = (rows) =>
    Math.max(
      1e-9,
      ...rows.map((row) => Math.max(Number(row.known_amount ?? 0), Number(row.high_90 ?? row.high_80 ?? 0))),
    ) * ROOM;

  /** The windows of a month on one scale of amounts; a mark is what is known so far. */
  function Scale({ row, reach }) {
    const bars = windows.SHARES.filter((share) => row[`high_${share}`] !== null).map((share) => ({
      share,
      from: Number(row[`low_${share}`]) / reach,
      to: Number(row[`high_${share}`]) / reach,
    }));
    const known = Number(row.known_amount ?? 0);
    return h`<span class="ends-scale" aria-hidden="true">
      ${known > 0 && h`<u style=${{ width: `${((100 * known) / reach).toFixed(3)}%` }}></u>`}
      ${isTold(row) && h`<${windows.Bars} bars=${bars} />`}
    </span>`;
  }

  /** One month of all, or of one account manager. */
  function Month({ row, reach, whose }) {
    const { seen, length } = daysOf(row);
    const note = seen === 0 ? "none of it is in yet" : `${seen} of ${length} days are in`;
    const soFar =
      seen === 0
        ? ""
        : row.known_amount === null
          ? "What came so far is not known. "
          : `So far ${format.amount(row.known_amount)}. `;
    const others = [50, 90].filter((share) => rangeOf(row, share));
    return h`<${Section} title=${`Where ${monthOf(row)} may end`} note=${`${note}${whose}`}>
      ${
        isTold(row)
          ? h`
            <p class="ends-range" data-exact=${`${row.low_80}/${row.high_80}`}>
              ${rangeOf(row)} <span class="quiet">8 of 10</span>
            </p>
            <${Scale} row=${row} reach=${reach} />
            <p class="quiet small">
              ${soFar}${others.map((share) => `${share / 10} of 10: ${rangeOf(row, share)}`).join("; ")}.${" "}
              ${rightText(row)}
            </p>
          `
          : h`<${Empty} title="No window yet">
            ${soFar}Too little is known to say where ${monthOf(row)} may end.
          <//>`
      }
    <//>`;
  }

  function columnsOf(by, nameOf, isNext, reach) {
    const name = (row) => (by === MANAGER ? nameOf(row.member) : row.member_name);
    return [
      {
        name: "member_name",
        label: by === MANAGER ? "Account manager" : "Vendor",
        value: name,
        show: (row) =>
          by === MANAGER
            ? h`<span dir="auto">${name(row)}</span>`
            : h`<${Name} of="vendor" id=${row.member} name=${row.member_name} />`,
      },
      !isNext && { name: "known_amount", label: "So far", type: "amount", drop: 3 },
      {
        name: "scale",
        label: "May end",
        style: "ends-cell",
        value: () => null,
        show: (row) =>
          isTold(row)
            ? h`<${Scale} row=${row} reach=${reach} />`
            : h`<span class="unknown-text">no window yet: too little is known</span>`,
      },
      {
        name: "high_80",
        label: "8 of 10",
        type: "amount",
        show: (row) => (isTold(row) ? rangeOf(row) : h`<span class="unknown">not known</span>`),
      },
      {
        name: "right_count",
        label: "Right so far",
        type: "number",
        phrase: "right in {} months",
        show: ({ right_count: right, judged_count: judged }) =>
          judged > 0 ? `${format.count(right)} of ${format.count(judged)}` : format.NONE,
      },
    ].filter(Boolean);
  }

  const savedOf = (columns) => [
    columns[0],
    { name: "month_start", label: "Month", type: "date" },
    { name: "known_amount", label: "So far", type: "exact" },
    ...[50, 80, 90].flatMap((share) => [
      { name: `low_${share}`, label: `Lowest, ${share}%`, type: "exact" },
      { name: `high_${share}`, label: `Highest, ${share}%`, type: "exact" },
    ]),
    { name: "right_count", label: "Months that were right", type: "count" },
    { name: "judged_count", label: "Months that are over", type: "count" },
  ];

  const sizeOf = (row) => Number(row.high_80 ?? row.known_amount ?? 0);

  /** One month of each vendor, or of each account manager. */
  function Members({ view, rows, nameOf }) {
    const offered = Object.keys(BY).filter((name) => rows.some(({ dimension }) => dimension === name));
    if (offered.length === 0) return null;
    const by = offered.includes(view.own.by) ? view.own.by : offered[0];
    const months = [false, true]
      .map((isNext) => rows.find((row) => row.dimension === by && row.is_next === isNext))
      .filter(Boolean);
    const isNext = months.length === 1 ? months[0].is_next : view.own.month === "following";
    const shown = rows
      .filter((row) => row.dimension === by && row.is_next === isNext)
      .toSorted((one, other) => sizeOf(other) - sizeOf(one));
    const columns = columnsOf(by, nameOf, isNext, reachOf(shown));
    const go = (own) => views.go(views.changed(view, { own }));
    return h`<div class="ends-members">
      <div class="choices-line">
        <${Segments} label="Whose month" value=${by} options=${offered.map((name) => [name, BY[name]])}
            onChoose=${(key) => go({ by: key === offered[0] ? null : key })} />
        ${
          months.length > 1 &&
          h`<${Segments} label="Which month" value=${isNext ? "following" : "running"}
              options=${[
                ["running", monthOf(months[0])],
                ["following", monthOf(months[1])],
              ]}
              onChoose=${(key) => go({ month: key === "running" ? null : key })} />`
        }
      </div>
      <${wholesale.Table} key=${`${by} ${isNext}`} caption=${BY[by]} file=${`month-end-by-${by}`} size=${12}
          rows=${shown} columns=${columns} saved=${savedOf(columns)} isOfNow=${true} />
    </div>`;
  }

  function Ends({ view, rows, nameOf }) {
    const chosen = view.where[MANAGER];
    const scope = outlook.scopeOf(chosen ? { [MANAGER]: chosen } : {});
    const own = rows.filter(outlook.isOf(scope));
    const told = own.length > 0 ? own : rows.filter(outlook.isOf(outlook.scopeOf({})));
    const whose = !chosen ? "" : own.length > 0 ? `, buyers of ${nameOf(chosen[0])}` : ", all account managers";
    if (told.length === 0) return null;
    const months = told.toSorted((one, other) => one.is_next - other.is_next);
    return h`
      <div class="ends">
        ${months.map((row) => h`<${Month} key=${row.outlook_id} row=${row} reach=${reachOf(months)} whose=${whose} />`)}
      </div>
      <${Members} view=${view} rows=${rows} nameOf=${nameOf} />
    `;
  }

  wholesale.receive("pages/next/ends", { Ends });
})();

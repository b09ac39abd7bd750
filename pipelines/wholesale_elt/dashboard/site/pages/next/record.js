/** Record: how often windows were right, beside how often they claimed to be. */
(() => {
  "use strict";

  const { format, windows } = wholesale;
  const { FEWEST } = windows;
  const { h, Empty, Section } = wholesale.elements;
  const CLAIMS = { 50: "50% window", 80: "80% window", 90: "90% window", amount: "80% range of the amount" };
  const CLAIMED = ["50", "80", "90", "amount"];
  const AGES = {
    1: "1 purchase",
    2: "2 purchases",
    "3-5": "3 to 5 purchases",
    "6-11": "6 to 11 purchases",
    "12-29": "12 to 29 purchases",
    "30+": "30 purchases and more",
  };
  const [MONTHS, FAR] = [12, 0.05];
  const percent = (part) => `${(100 * part).toFixed(2)}%`;

  /** What was claimed as an upright mark, what happened as a dot. */
  function Scale({ row: { claimed_percent: claimed, right_share: share } }) {
    return h`<span class="record-scale" aria-hidden="true">
      <u style=${{ left: `${claimed}%` }}></u>
      ${share !== null && h`<i style=${{ left: percent(share) }}></i>`}
    </span>`;
  }

  /** Whether windows were right much less often than they claim. */
  const isPoor = ({ claimed_percent: claimed, right_share: share }) => share !== null && claimed / 100 - share > FAR;

  const columnsOf = (label, name) => [
    {
      name: "member",
      label,
      value: name,
      show: (row) =>
        h`<span class=${row.is_shown ? "" : "unknown-text"}>
          ${name(row)}${!row.is_shown && h` <span class="quiet">not shown</span>`}
        </span>`,
    },
    {
      name: "claimed_percent",
      label: "Claimed",
      type: "number",
      drop: 4,
      phrase: "claimed {}",
      measure: "per cent",
      show: ({ claimed_percent: claimed }) => `${claimed}%`,
    },
    {
      name: "scale",
      label: "",
      style: "record-cell",
      value: () => null,
      show: (row) => h`<${Scale} row=${row} />`,
    },
    {
      name: "right_share",
      label: "Happened",
      type: "share",
      phrase: "happened {}",
      show: (row) => h`<span class=${isPoor(row) ? "unknown-text" : ""}>${format.share(row.right_share)}</span>`,
    },
    {
      name: "right_count",
      label: "Right",
      type: "number",
      phrase: "right {} times",
      show: ({ right_count: right, judged_count: judged }) => `${format.count(right)} of ${format.count(judged)}`,
    },
  ];

  /** A file tells counts alone, each in a column. */
  const savedOf = (label, name) => [
    { name: "member", label, value: name },
    { name: "is_shown", label: "Shown", value: ({ is_shown: is }) => (is ? "yes" : "no") },
    { name: "claimed_percent", label: "Claimed", type: "number", measure: "per cent" },
    { name: "right_share", label: "Happened", type: "share" },
    { name: "right_count", label: "Right", type: "count" },
    { name: "judged_count", label: "Over", type: "count" },
    { name: "mean_width_days", label: "Mean width", type: "number", measure: "days" },
  ];

  function Part({ caption, label, name, rows, size = MONTHS }) {
    if (rows.length === 0) return null;
    return h`<${wholesale.Table} caption=${caption} rows=${rows} size=${size} isOfNow=${true}
        file=${caption.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}
        columns=${columnsOf(label, name)} saved=${savedOf(label, name)} />`;
  }

  const order = Object.keys(AGES).toSorted((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));

  function Record({ record }) {
    const of = (part) => record.filter((row) => row.part === part);
    const all = of("all").filter(({ is_shown: is }) => is);
    const of80 = all.find(({ claimed }) => claimed === "80");
    const ages = of("age")
      .filter(({ claimed }) => claimed === "80")
      .toSorted((one, other) => order.indexOf(one.member) - order.indexOf(other.member));
    const months = of("month")
      .filter(({ claimed, is_shown: is }) => claimed === "80" && is)
      .toReversed();
    const unshown = ages.filter(({ is_shown: is }) => !is).reduce((sum, { judged_count: count }) => sum + count, 0);
    const title = "How often it was right";
    if (all.length === 0) return h`<${Section} title=${title}><${Empty} title="No window is over yet" /><//>`;
    return h`<${Section} title=${title} class="record"
        note=${
          of80 &&
          `${format.plural(of80.judged_count, "window")} of 80%, ${format.days(of80.first_date, of80.last_date)}`
        }>
      <${Part} caption="All windows" label="All windows" name=${({ claimed }) => CLAIMS[claimed]}
          rows=${CLAIMED.flatMap((claimed) => all.filter((row) => row.claimed === claimed))} />
      <${Part} caption="By age of buyer" label="80% window, by age of buyer" rows=${ages}
          name=${({ member }) => AGES[member] ?? member} />
      <${Part} caption="By month" label="80% window, by the month in which it was set" rows=${months} size=${6}
          name=${({ member }) => format.longMonth(member)} />
      <p class="quiet small">
        Upright mark: what was claimed. Dot: what happened. Each window is set from the orders up to its day alone;
        ${" "}one that was found late sets none.
        ${
          unshown > 0 &&
          ` The ${format.count(unshown)} of buyers with fewer than ${format.count(FEWEST)} purchases were shown to ` +
            "nobody."
        }
        ${" "}Of the last months only short windows are over.
      </p>
    <//>`;
  }

  wholesale.receive("pages/next/record", { Record });
})();

/** Journal: one closed month: from what it said to what it says now, cause by cause, order by order, and its proof. */
(() => {
  "use strict";

  const { decimals, format } = wholesale;
  const { h, Name, OrderNumber, Section, Empty } = wholesale.elements;
  const { Beside, Pairs, Unknown, Copy } = wholesale.parts;
  const CAUSES = {
    new: "Came after the close",
    "found late": "Came late",
    edited: "Edited",
    "lines changed": "Lines changed",
    "state changed": "Status changed",
    cancelled: "Cancelled",
    deleted: "Deleted",
    reappeared: "Came back",
    moved: "Moved to or from another month",
    "setting changed": "A setting changed",
    "definition changed": "The definition changed",
    "model changed": "A model of yours changed",
  };
  const OTHERWISE = "counted otherwise";
  const DIGITS = /.{4}/g;

  const causeName = (cause) => CAUSES[cause] ?? format.word(cause);
  /** To the last digit: an amount is never rounded here. */
  const write = (metric) => (value) =>
    wholesale.meta.metrics[metric].unit === "amount" ? format.exact(value) : format.metric(metric, value);
  const signed = (metric, value) =>
    h`<span class=${Number(value) < 0 ? "down" : Number(value) > 0 ? "up" : "quiet"} data-exact=${value}>
      ${format.together(format.signed(write(metric))(value))}
    </span>`;

  /** What each cause gives, the largest first, those of data before those of definitions. */
  function causesOf(entries) {
    const sums = [...Map.groupBy(entries, ({ kind, cause }) => `${kind} ${cause}`).values()].map((rows) => ({
      kind: rows[0].kind,
      cause: rows[0].cause,
      rows,
      amount: rows.some(({ amount }) => amount === null)
        ? null
        : decimals.text(rows.reduce((sum, { amount }) => sum + decimals.units(amount), 0n)),
    }));
    const size = ({ amount }) => Math.abs(Number(amount ?? 0));
    return sums.toSorted(
      (one, other) => (one.kind === OTHERWISE) - (other.kind === OTHERWISE) || size(other) - size(one),
    );
  }

  function Proof({ row }) {
    const month = row.month_start.slice(0, 7);
    return h`<${Section} title="Proof"
        more=${h`<${Copy} text=${() => row.entry_digest}>Copy all<//>`}>
      <p class="proof">${row.entry_digest.slice(0, 16).match(DIGITS).join(" ")}</p>
      <p class="quiet small">
        The first 16 of 64 digits of entry ${format.count(row.entry_number)} of the book. ${" "}
        <code>wholesale verify ${month}</code> counts the file of this close
        again, and says whether it still is what was closed.
      </p>
    <//>`;
  }

  function FromTo({ row, causes }) {
    const { metric } = row;
    return h`<${Section} title="From closed to now">
      <${Pairs}
          rows=${[
            [`As closed, ${format.date(row.closed_at)}`, write(metric)(row.as_closed), "sum"],
            ...causes.map(({ cause, amount }) => [
              causeName(cause),
              amount === null ? h`<${Unknown} />` : signed(metric, amount),
            ]),
            ["Now", write(metric)(row.now), "sum"],
            ["Unexplained", write(metric)(row.residue)],
          ]} />
    <//>`;
  }

  /** The entries; `total` counts those that are not here, too. */
  function Entries({ row, entries, total }) {
    const { metric } = row;
    const ofBuyers = entries.every(({ order_id: id }) => id === null);
    const value = (name, label) => ({
      name,
      label,
      type: wholesale.meta.metrics[metric].unit === "amount" ? "exact" : "number",
      drop: 3,
      phrase: `${label.toLowerCase()} {}`,
    });
    return h`<${wholesale.Table} caption="Journal" file="journal" size=${12} rows=${entries} total=${total}
        empty="Nothing moved."
        columns=${[
          ...(ofBuyers
            ? []
            : [
                {
                  name: "order_number",
                  label: "Order",
                  style: "narrow",
                  show: (each) =>
                    each.order_id ? h`<${OrderNumber} number=${each.order_number} id=${each.order_id} />` : format.NONE,
                },
              ]),
          {
            name: "buyer_name",
            label: "Buyer",
            show: (each) =>
              each.buyer_id === null && each.buyer_name === null
                ? format.NONE
                : h`<${Name} of="buyer" id=${each.buyer_id} name=${each.buyer_name} />`,
          },
          {
            name: "cause",
            label: "What",
            value: (each) => [causeName(each.cause), each.fields].filter(Boolean).join(": "),
            show: (each) =>
              h`${causeName(each.cause)}${
                each.fields &&
                h` <span class="quiet">${each.fields.split(", ").map(wholesale.parts.fieldName).join(", ")}</span>`
              }`,
          },
          {
            name: "seen_at",
            label: "Seen",
            type: "moment",
            drop: 4,
            phrase: "seen {}",
            show: (each) => (each.seen_at ? format.moment(each.seen_at) : format.NONE),
          },
          value("was", "Was"),
          value("now", "Is"),
          {
            name: "amount",
            label: "Difference",
            type: "exact",
            show: (each) => (each.amount === null ? format.NONE : signed(metric, each.amount)),
          },
        ]} />`;
  }

  /** One closed month. */
  function Journal({ row, entries, total }) {
    const { metric } = row;
    const title = format.longMonth(row.month_start);
    const by = row.closed_by ? `, closed by ${row.closed_by}` : "";
    if (row.problem !== null)
      return h`<${Section} title=${title}>
        <${Empty} title="Not known">${row.problem.charAt(0).toUpperCase() + row.problem.slice(1)}.<//>
      <//>`;
    const causes = causesOf(entries);
    const isWhole = entries.length === total;
    return h`<${Beside}
        side=${h`
          ${isWhole && h`<${FromTo} row=${row} causes=${causes} />`}
          <${Proof} row=${row} />
        `}>
      <${Section} title=${title} note=${`journal since ${format.moment(row.closed_at)}${by}`}>
        ${row.note && h`<p class="lead" dir="auto">${row.note}</p>`}
        ${
          total === 0
            ? h`<${Empty} title="Not moved">
              Closed at ${write(metric)(row.as_closed)}, and still ${write(metric)(row.now)}.
            <//>`
            : h`<${Entries} row=${row} entries=${entries} total=${total} />`
        }
      <//>
    <//>`;
  }

  wholesale.receive("pages/closed/journal", { Journal, signed, write });
})();

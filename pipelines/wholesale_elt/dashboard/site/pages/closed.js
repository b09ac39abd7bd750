/** Closed months: what each said when it was closed, what it says now, and what moved it. */
(() => {
  "use strict";

  const { format, load, rowsOf, view: views } = wholesale;
  const { h, useLoaded, Loaded, Section, Segments, Tile, Empty } = wholesale.elements;
  const { monthsOf, totalsOf, isKnown, isMoved, isZero, nextOf } = wholesale.pieces.closed;
  const { Journal, signed, write } = wholesale.pieces.closed;
  const { Foot } = wholesale.parts;

  const read = () =>
    load("closed").then((tables) =>
      Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, rowsOf(table)])),
    );
  const choose = (view, own) => views.go(views.changed(view, { own }));
  /** The metrics that there are, sales first. */
  const namesOf = (months) =>
    [...new Set(months.map(({ metric }) => metric))].toSorted((one, other) => (other === "sales") - (one === "sales"));

  const named = (name) => [name, wholesale.meta.metrics[name].label];

  /** Sums of amounts and counts say something, those of averages nothing. */
  const addsUp = (metric) => ["amount", "count"].includes(wholesale.meta.metrics[metric].unit);

  function Command({ month }) {
    return h`<p class="lead">
      ${format.longMonth(`${month}-01`)} is over: <code>wholesale close ${month}</code> closes it, if the version is
      certified complete.
    </p>`;
  }

  function None({ months }) {
    const next = nextOf({ closed: [] });
    return h`<${Section} title="Closed months">
      <${Empty} title=${months.length === 0 ? "No month is closed yet" : "No month is closed"}>
        A closed month is kept as it is, to the last digit, and this page then tells what moved it since.
      <//>
      ${next && h`<${Command} month=${next} />`}
    <//>`;
  }

  function Lead({ metric, closed, totals }) {
    const moved = closed.filter(isMoved).length;
    const unknown = closed.filter((row) => !isKnown(row)).length;
    const many = format.plural(closed.length, "month");
    const isOne = closed.length === 1;
    const sum =
      totals.now !== null && addsUp(metric) && moved > 0 ? h`, by ${signed(metric, differenceOf(totals))}` : "";
    return h`
      <p class="sentence">
        ${many} ${isOne ? "is" : "are"} closed. ${" "}
        ${
          moved === 0
            ? unknown === 0
              ? `${isOne ? "It has" : "None has"} moved since.`.replace("It has", "It has not")
              : ""
            : h`${isOne ? "It" : format.count(moved)} ${isOne || moved === 1 ? "has" : "have"} moved since${sum}.`
        }
        ${unknown > 0 && ` Of ${format.plural(unknown, "month")} it is not known.`}
      </p>
      <p class="lead">
        Each was kept to the last digit when it was closed. What changed since stands in its journal, order by order.
      </p>
    `;
  }

  /** What both kinds of changes come to. */
  const differenceOf = ({ changed, counted_otherwise: otherwise }) =>
    wholesale.decimals.text(wholesale.decimals.units(changed) + wholesale.decimals.units(otherwise));

  function Tiles({ metric, totals }) {
    const tile = (name, label, note, isSigned) =>
      h`<${Tile} name=${name} label=${label} note=${note} exact=${totals[name]} isUnknown=${totals[name] === null}
          figure=${
            totals[name] === null ? "" : (isSigned ? format.signed : (same) => same)(write(metric))(totals[name])
          } />`;
    const rest = totals.residue === null ? "" : `unexplained: ${write(metric)(totals.residue)}`;
    return h`<div class="tiles">
      ${tile("as_closed", "As closed", "all closed months")}
      ${tile("changed", "Changed since", "orders", true)}
      ${tile("counted_otherwise", "Counted otherwise", "settings and definitions", true)}
      ${tile("now", "Now", rest)}
    </div>`;
  }

  function Months({ view, metric, closed, totals, chosen }) {
    const type = wholesale.meta.metrics[metric].unit === "amount" ? "exact" : "number";
    const amount = (name, label, more) => ({
      name,
      label,
      type,
      show: (row) => (row[name] === null ? h`<span class="unknown">Not known</span>` : write(metric)(row[name])),
      ...more,
    });
    const moved = (name, label, more) =>
      amount(name, label, {
        show: (row) => (row[name] === null ? h`<span class="unknown">Not known</span>` : signed(metric, row[name])),
        ...more,
      });
    return h`<${Section} title="Months" note="closed + changed + counted otherwise = now">
      <${wholesale.Table} caption="Closed months" file="closed-months" size=${24} rows=${closed}
          totals=${addsUp(metric) && closed.length > 1 ? { month_start: "All closed months", ...totals } : undefined}
          empty="No month is closed."
          columns=${[
            {
              name: "month_start",
              label: "Month",
              show: (row) =>
                h`<a class="name" aria-current=${row === chosen ? "true" : undefined}
                      href=${views.linkTo(view, {
                        page: "closed",
                        own: { ...view.own, month: row.month_start.slice(0, 7) },
                      })}>
                    ${format.longMonth(row.month_start)}
                  </a>`,
            },
            {
              name: "closed_at",
              label: "Closed",
              drop: 2,
              show: (row) => (row.closed_at ? format.date(row.closed_at) : ""),
            },
            { name: "closed_by", label: "By", drop: 1, show: (row) => row.closed_by ?? "" },
            amount("as_closed", "As closed"),
            moved("changed", "Changed since"),
            moved("counted_otherwise", "Counted otherwise", { drop: 3, phrase: "counted otherwise {}" }),
            amount("now", "Now"),
          ]} />
    <//>`;
  }

  function Opened({ opened }) {
    return (
      opened.length > 0 &&
      h`<${Section} title="Opened again">
        <ul class="plain">
          ${opened.map(
            (row) =>
              h`<li key=${row.month_start}>
                ${format.longMonth(row.month_start)}${row.reason && h`: <span dir="auto">${row.reason}</span>`}
              </li>`,
          )}
        </ul>
      <//>`
    );
  }

  function Books({ view, tables: { months = [], journal = [], counted = [] } }) {
    const names = namesOf(months);
    const metric = names.includes(view.own.metric) ? view.own.metric : names[0];
    const found = monthsOf(months, metric);
    const { closed, opened } = found;
    if (closed.length === 0) return h`<${None} months=${months} /><${Opened} opened=${opened} />`;
    const totals = totalsOf(closed);
    const chosen =
      closed.find((row) => row.month_start.startsWith(view.own.month ?? "-")) ?? closed.find(isMoved) ?? closed[0];
    const is = (row) =>
      row.metric === metric && row.month_start === chosen.month_start && row.close_number === chosen.close_number;
    const next = nextOf(found);
    const isExplained = closed.every((row) => !isKnown(row) || isZero(row.residue));
    const unsaid = closed.every(isKnown) ? "Nothing is unexplained." : "Not every closed month could be compared.";
    return h`
      <${Lead} metric=${metric} closed=${closed} totals=${totals} />
      ${
        names.length > 1 &&
        h`<div class="choices">
          <${Segments} label="Figure" value=${metric} options=${names.map(named)}
              onChoose=${(key) => choose(view, { metric: key })} />
        </div>`
      }
      ${addsUp(metric) && h`<${Tiles} metric=${metric} totals=${totals} />`}
      <${Months} view=${view} metric=${metric} closed=${closed} totals=${totals} chosen=${chosen} />
      <${Journal} key=${`${metric} ${chosen.month_start}`} row=${chosen} entries=${journal.filter(is)}
          total=${counted.find(is)?.entry_count ?? 0} />
      ${next && h`<${Command} month=${next} />`}
      <${Opened} opened=${opened} />
      <${Foot} aside="All orders that count, of the whole account">
        ${isExplained ? unsaid : "A part is not explained, which is a fault of this tool."}
      <//>
    `;
  }

  function Page({ view }) {
    const tables = useLoaded(read, "closed");
    return h`<div class="closed">
      <${Loaded} of=${tables} rows=${12}>${(value) => h`<${Books} view=${view} tables=${value} />`}<//>
    </div>`;
  }

  wholesale.receive("pages/closed", Page);
})();

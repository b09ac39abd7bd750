/** Health: whether these figures can be trusted; one sentence if they can, and only what differs if not. */
(() => {
  "use strict";

  const { age, format, load, rowsOf } = wholesale;
  const { h, useLoaded, usePrinting, Loaded, Icon, Link, Section } = wholesale.elements;
  const CURRENCY = ["table_name", "currency"];

  const read = () =>
    load("health").then((tables) =>
      Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, rowsOf(table)])),
    );

  /** Checks in the words of who reads the figures. */
  const CHECKS = {
    "fct_orders against rpt_daily_sales": "the days add up to all orders",
    "lines sold against rpt_catalogue": "products add up to all lines",
    "lines against sub_total": "lines add up to their order",
    "line discounts against the header": "discounts of lines add up to that of their order",
    "rows alive against the last sync": "as many as the service has",
    "items sold against never ordered": "none is both sold and never ordered",
    "items that can be ordered against inactive": "none is both for sale and off sale",
    "orders without a date": "all have a day",
  };
  const AMOUNTS = {
    sub_total: "amount",
    total: "amount to pay",
    total_price: "amount",
    unit_price: "price",
    quantity: "pieces",
  };

  function checkName({ resource, check_name: name }) {
    const [, part] = name.split(/, (?=[^,]*$)/);
    const of = name.startsWith("raw lines") ? "Lines of orders" : wholesale.resourceName(resource);
    return `${of}: ${CHECKS[name] ?? AMOUNTS[part] ?? format.word(part ?? name).toLowerCase()}`;
  }

  const tooOld = () => ({
    key: "age",
    what: `These figures are ${age.text()}`,
    means: `${format.word(age.due() ?? "no newer version has come")}: see why nothing was read since.`,
  });

  const partOf = (rows, name) =>
    `${format.count(rows.filter((row) => row[name]).length)} of ${format.count(rows.length)}`;

  const REFUSED = /^[A-Z]+ \S+ answered (\d+[^:]*): (.+)$/s;
  /** Why something was not read whole: what to do before what the service answered. */
  function reasonText(reason) {
    if (!reason) return "";
    const [, answer, step] = REFUSED.exec(reason) ?? [];
    if (step) return `What to do: ${step}. The service answered “${answer}”.`;
    return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  }

  const wholeOn = (asOf) =>
    asOf
      ? `What is shown was complete on ${format.moment(asOf)}.`
      : "It was never read to the end, so something may be missing.";

  /** Everything that is not as it should be: `{key, what, means}`. */
  function* faults({
    freshness,
    reconciliation,
    quarantine,
    set_aside: setAside,
    currencies,
    figures: [figures = {}],
  }) {
    for (const { resource, reason, is_complete: isComplete, complete_as_of: asOf } of freshness) {
      if (!isComplete) {
        yield {
          key: `resource ${resource}`,
          what: `${wholesale.resourceName(resource)}: not complete`,
          means: `${reasonText(reason)} ${wholeOn(asOf)}`.trim(),
        };
      }
    }
    for (const row of reconciliation) {
      if (row.is_reconciled === false) {
        yield {
          key: `check ${row.reconciliation_id}`,
          what: `${checkName(row)}: not so`,
          means:
            `Expected ${format.number(row.expected)}, found ${format.number(row.found)}: ` +
            `${format.plural(row.difference_count, "record")} ${row.difference_count === 1 ? "differs" : "differ"}.`,
        };
      }
    }
    for (const row of quarantine) {
      yield {
        key: `quarantine ${row.quarantine_id}`,
        what: `${format.plural(row.record_count, "record")} could not be read`,
        means: `${wholesale.resourceName(row.resource)}: ${row.reason}. Kept aside, and in no figure.`,
      };
    }
    for (const row of setAside) {
      yield {
        key: `aside ${row.set_aside_id}`,
        what: `${format.plural(row.value_count, "value")} cannot be true`,
        means: `${format.word(wholesale.parts.fieldName(row.field_name))}: left out of all figures.`,
        example: row.table_name === "orders" ? row.example_id : null,
      };
    }
    for (const row of currencies.filter(({ is_expected: isExpected }) => !isExpected)) {
      yield {
        key: `currency ${CURRENCY.map((name) => row[name]).join(" ")}`,
        what: `${format.plural(row.record_count, "record")} in ${row.currency}`,
        means: "Their amounts are added up with the others as they are.",
      };
    }
    yield* missing(figures);
  }

  /** What figures have no part of, as records lack it. */
  function* missing(figures) {
    const counted = [
      ["missing_amount_count", "order", "without an amount", "They count as orders, and add nothing to sales."],
      ["undated_order_count", "order", "without a day", "They are in “All time” alone."],
      ["lines_without_quantity_count", "line", "without a number of pieces", "They add nothing to pieces."],
      ["lines_without_amount_count", "line", "without an amount", "They add nothing to the sales of products."],
    ];
    for (const [name, one, what, means] of counted) {
      if (figures[name] > 0) yield { key: name, what: `${format.plural(figures[name], one)} ${what}`, means };
    }
  }

  function Folded({ title, children }) {
    const isPrinting = usePrinting();
    const [text, fold] = wholesale.useKept(`${title.toLowerCase().replaceAll(" ", "-")}.open`);
    const isOpen = text !== null;
    const press = (event) => (event.preventDefault(), fold(isOpen ? null : "1"));
    return h`<details class="folded" open=${isPrinting || isOpen || undefined}>
      <summary onClick=${press}>${title}</summary>
      ${children}
    </details>`;
  }

  const resource = { name: "resource", label: "What", value: (row) => wholesale.resourceName(row.resource) };
  const moment = (name, label) => ({ name, label, type: "moment", show: (row) => format.moment(row[name]) });
  const NOT_KNOWN = "Not known";
  const told = (row, name) => (row[name] === null ? NOT_KNOWN : row[name] ? "Yes" : "No");
  const yes = (name, label) => ({
    name,
    label,
    phrase: `${label.toLowerCase()}: {}`,
    show: (row) => (row[name] === false ? h`<span class="down">No</span>` : told(row, name)),
    value: (row) => told(row, name),
  });
  const counts = (names) => Object.entries(names).map(([name, label]) => ({ name, label, type: "count", drop: 4 }));

  function Details({ freshness, reconciliation, runs }) {
    return h`<${Section} title="Details">
      <${Folded} title="What was read, and when">
        <${wholesale.Table} caption="What was read, and when" rows=${freshness} size=${30}
            columns=${[
              resource,
              yes("is_complete", "Complete"),
              moment("complete_as_of", "Whole as of"),
              moment("last_run_at", "Last read"),
            ]} />
      <//>
      <${Folded} title="Each check">
        <${wholesale.Table} caption="Each check" rows=${reconciliation} size=${60} file="checks"
            columns=${[
              { name: "check_name", label: "Check", value: checkName },
              { name: "expected", label: "Expected", type: "number" },
              { name: "found", label: "Found", type: "number" },
              { name: "difference", label: "Difference", type: "number" },
              yes("is_reconciled", "Agrees"),
            ]} />
      <//>
      <${Folded} title="Each reading">
        <${wholesale.Table} caption="Each reading" rows=${runs} size=${30} file="readings"
            columns=${[
              resource,
              moment("started_at", "Began"),
              { name: "duration_seconds", label: "Seconds", type: "number" },
              ...counts({
                new_count: "New",
                changed_count: "Changed",
                deleted_count: "Gone",
                unreadable_count: "Not readable",
              }),
              yes("is_complete", "Complete"),
            ]} />
      <//>
    <//>`;
  }

  /** How many pictures of products were fetched, and why others were not; nothing where none are to be. */
  function Pictures() {
    const { pictures } = wholesale.meta;
    if (!pictures) return null;
    const { count, new: fresh, failed, left_out: left, reasons } = pictures;
    const rows = [...reasons, ...(left > 0 ? [["more than the setting allows", left]] : [])];
    const note = failed + left > 0 ? `${format.count(failed + left)} are only told by their address` : "";
    const here = `${format.count(count)} are here, ${format.count(fresh)} of them newly fetched`;
    return h`<${Section} title="Pictures of products" note=${here}>
      ${
        rows.length > 0 &&
        h`
          <p class="quiet">${note}; the figures do not depend on them.</p>
          <${wholesale.Table} caption="Pictures that are missing"
              rows=${rows.map(([reason, number]) => ({ key: reason, reason, number }))}
              columns=${[
                { name: "reason", label: "Why", value: ({ reason }) => format.word(reason) },
                { name: "number", label: "Pictures", type: "count" },
              ]} />
        `
      }
    <//>`;
  }

  function Page() {
    const of = useLoaded(read, "health");
    return h`<${Loaded} of=${of}>
      ${(health) => {
        const found = [...(age.isLate() || age.isOld() ? [tooOld()] : []), ...faults(health)];
        const { freshness } = health;
        const reconciliation = health.reconciliation.filter((row) => row.is_reconciled !== null);
        const agree = partOf(reconciliation, "is_reconciled");
        const isWell = found.length === 0 && wholesale.meta.verdict === "complete";
        return h`<div class="health">
          ${
            isWell
              ? h`<p class="well up" role="status">
                <${Icon} name="today" />
                <span>
                  All is well: everything was read, and all ${format.count(reconciliation.length)} checks agree.
                </span>
              </p>`
              : h`<${Section} title="What differs"
                  note=${`${partOf(freshness, "is_complete")} parts are complete, ${agree} checks agree`}>
                <${wholesale.Table} caption="What differs" rows=${found} size=${50}
                    empty=${wholesale.meta.reasons.join("; ") || "Not complete"}
                    columns=${[
                      { name: "what", label: "What" },
                      {
                        name: "means",
                        label: "What that means",
                        style: "prose",
                        show: ({ means, example }) =>
                          h`${means} ${example && h`<${Link} to="order" id=${example} class="a">One of them<//>`}`,
                      },
                    ]} />
              <//>`
          }
          <${Pictures} />
          <${Details} ...${health} />
        </div>`;
      }}
    <//>`;
  }

  wholesale.receive("pages/health", Page);
})();

/** Reports: what each report says, its first rows, and the tables that users added. */
(() => {
  "use strict";

  const { format, load, parts, rowsOf, view: views } = wholesale;
  const { h, useEffect, useState, useLoaded, Loaded, Link, Name, OrderNumber, Section, Segments, Empty } =
    wholesale.elements;

  /** `rpt_bought_together` → `Bought together`: its name, as somebody says it. */
  const titleOf = (name) => format.word(name.replace(/^rpt_/, ""));

  /** The first sentence of a text, and the rest of it. */
  function sentences(text) {
    const [, first, rest] = /^(.+?[.?!])(?:\s+(.*))?$/s.exec(text) ?? [null, text, ""];
    return { first, rest: rest ?? "" };
  }

  /** Words between signs of code, as they stand in a description. */
  function Text({ text }) {
    return text.split(/`([^`]+)`/).map((piece, place) => (place % 2 ? h`<code key=${place}>${piece}</code>` : piece));
  }

  const pageTitle = (name) => wholesale.meta.pages.find((page) => page.name === name)?.title;

  /** The pages that show a report; one that no other shows is here alone. */
  function Pages({ names }) {
    const shown = names.filter(pageTitle);
    if (!shown.length) return h`<span class="quiet">only here</span>`;
    return shown.map(
      (name, place) =>
        h`<span key=${name}>${place > 0 && ", "}<${Link} to=${name} class="a">${pageTitle(name)}<//></span>`,
    );
  }

  function List({ rows }) {
    return h`<${wholesale.Table} caption="Reports" rows=${rows} size=${100}
        columns=${[
          {
            name: "title",
            label: "Report",
            show: ({ name, title, says }) => h`
              <${Link} to="reports" id=${name} class="name">${title}<//>
              <span class="says"><${Text} text=${says} /></span>
            `,
          },
          {
            name: "pages",
            label: "Shown by",
            value: ({ pages }) => pages.map(pageTitle).filter(Boolean).join(", "),
            show: ({ pages }) => h`<${Pages} names=${pages} />`,
          },
          { name: "row_count", label: "Rows", type: "count" },
        ]} />`;
  }

  function All({ reports }) {
    const [text, write] = useState("");
    const rows = Object.entries(reports)
      .map(([name, report]) => ({
        ...report,
        key: name,
        name,
        title: titleOf(name),
        says: sentences(report.description).first,
      }))
      .filter(({ title, description }) => `${title} ${description}`.toLowerCase().includes(text.trim().toLowerCase()))
      .toSorted((left, right) => left.title.localeCompare(right.title));
    const [ours, own] = [rows.filter((row) => !row.is_own), rows.filter((row) => row.is_own)];
    return h`
      <p class="lead">
        ${format.plural(Object.values(reports).filter((report) => !report.is_own).length, "report")}, as they are
        published: the same rows that a spreadsheet or a BI tool reads.
      </p>
      <input type="search" class="filter-field" placeholder="Find a report" aria-label="Find a report" value=${text}
          onInput=${(event) => write(event.target.value)} />
      ${own.length > 0 && h`<${Section} title="Your own" note=${format.count(own.length)}><${List} rows=${own} /><//>`}
      <${Section} title="All reports" note=${format.count(ours.length)}>
        ${ours.length ? h`<${List} rows=${ours} />` : h`<${Empty} title="No report has these words." />`}
      <//>
    `;
  }

  /** Names that lead to a page of an object, each with the column that has its key. */
  const LEADING = {
    vendor_name: ["vendor", "vendor_id"],
    buyer_name: ["buyer", "buyer_id"],
    buyer_company_name: ["buyer", "buyer_id"],
    company_name: ["buyer", "buyer_id"],
    item_title: ["product", "product_id", "item_id"],
    other_item_title: ["product", "other_product_id"],
    category_name: ["category", "category_name"],
  };
  const FIGURES = ["amount", "count", "number", "date"];

  /** A value that is neither a figure nor a day, a link if it is the name of something with a page. */
  function Value({ column, kind, row }) {
    const value = row[column];
    if (value === null || value === "") return format.NONE;
    if (column === "order_number" && wholesale.meta.pages[0].name === "today")
      return h`<${OrderNumber} number=${value} id=${row.order_id} />`;
    const [page, ...keys] = LEADING[column] ?? [];
    const id = keys.map((key) => row[key]).find(Boolean);
    if (page && id && wholesale.meta.pages[0].name === "today") return h`<${Name} of=${page} id=${id} name=${value} />`;
    if (typeof value === "boolean") return value ? "Yes" : "No";
    return h`<span dir="auto">${kind === "moment" ? format.moment(value) : value}</span>`;
  }

  /** A column as a table takes it. */
  function columnOf({ name, kind }) {
    const isFigure = FIGURES.includes(kind);
    return {
      name,
      label: format.word(name),
      type: kind === "amount" ? "exact" : isFigure ? kind : "text",
      show: isFigure ? undefined : (row) => h`<${Value} column=${name} kind=${kind} row=${row} />`,
    };
  }

  /** Whether a column is a key that says nothing to people: an id, or the key of what has a name beside it. */
  function isKey(name, names) {
    const [, kind] = /^(.*?)_?(?:id|key)$/.exec(name) ?? [];
    return (
      kind !== undefined && (!name.endsWith("key") || [`${kind}_name`, `${kind}_title`].some((one) => names.has(one)))
    );
  }

  /** Without keys, unless nothing else tells the rows apart. */
  function readable(columns) {
    const names = new Set(columns.map(({ name }) => name));
    const found = columns.filter(({ name }) => !isKey(name, names));
    return found.some(({ kind }) => !FIGURES.includes(kind)) ? found : columns;
  }

  function firstRows({ row_count: count, sorted_by: by }, rows) {
    if (rows.length === count) return format.plural(count, "row");
    const order = by ? `, by ${format.word(by).toLowerCase()} from the top` : "";
    return `${format.count(rows.length)} of ${format.plural(count, "row")}${order}`;
  }

  /** What each column means. */
  function Columns({ columns }) {
    return h`<${Section} title="Columns" note=${format.count(columns.length)}>
      <dl class="meanings">
        ${columns.map(
          ({ name, description }) =>
            h`<div key=${name}>
              <dt>${format.word(name)} <code>${name}</code></dt>
              <dd>${description ? h`<${Text} text=${description} />` : h`<span class="quiet">not described</span>`}</dd>
            </div>`,
        )}
      </dl>
    <//>`;
  }

  function Rows({ name, title, report, rows }) {
    const [shown, show] = useState("readable");
    const some = readable(report.fields);
    const columns = shown === "all" ? report.fields : some;
    const choice = h`<${Segments} label="Columns" value=${shown} onChoose=${show}
        options=${[
          ["readable", "Without keys", format.count(some.length)],
          ["all", "All columns", format.count(report.fields.length)],
        ]} />`;
    const where = report.is_own ? "wholesale_own" : "wholesale_bi";
    return h`<${Section} title="Rows" note=${firstRows(report, rows)}
        more=${some.length < report.fields.length && choice}>
      <div class="wide-table" role="region" aria-label=${`Rows of ${title}`} tabindex="0">
        <${wholesale.Table} key=${shown} caption=${title} file=${name} size=${25} rows=${rows}
            total=${report.row_count} empty="It has no rows." columns=${columns.map(columnOf)} />
      </div>
      ${
        rows.length < report.row_count &&
        h`<p class="quiet small">All of them: <code>wholesale sql "from ${where}.${name}" --csv</code></p>`
      }
    <//>`;
  }

  function One({ name, report }) {
    const of = useLoaded(() => load(`reports/${name}`).then(rowsOf), name);
    const { first, rest } = sentences(report.description);
    const title = titleOf(name);
    useEffect(() => wholesale.nameShown(title), [name]);
    return h`
      <${parts.Head} title=${title}
          facts=${[
            first && h`<${Text} text=${first} />`,
            report.pages.some(pageTitle) && h`shown by <${Pages} names=${report.pages} />`,
          ]} />
      ${rest && h`<p class="quiet told"><${Text} text=${rest} /></p>`}
      <${Loaded} of=${of}>
        ${(rows) => h`<${Rows} name=${name} title=${title} report=${report} rows=${rows} />`}
      <//>
      <${Columns} columns=${report.fields} />
    `;
  }

  function Page({ view }) {
    const of = useLoaded(() => load("reports"), "reports");
    return h`<div class="reports">
      <${Loaded} of=${of}>
        ${(reports) => {
          if (!view.id) return h`<${All} reports=${reports} />`;
          if (reports[view.id]) return h`<${One} key=${view.id} name=${view.id} report=${reports[view.id]} />`;
          return h`<${parts.NotHere} what="report" id=${view.id}>
            <a class="more" href=${views.hashOf({ page: "reports" })}>All reports</a>
          <//>`;
        }}
      <//>
    </div>`;
  }

  wholesale.receive("pages/reports", Page);
})();

/** Controls: the one row that drives a page: period, comparison, and filters as chips. */
(() => {
  "use strict";

  const { days, facts, format, objects, view: views } = wholesale;
  const { h, useState, useEffect, useRef, useLoaded, Icon, Menu, Term } = wholesale.elements;
  const PERIODS = [
    ["last_7_days", "Last 7 days"],
    ["last_28_days", "Last 28 days"],
    ["last_90_days", "Last 90 days"],
    ["last_12_months", "Last 12 months"],
    ["this_month", "This month"],
    ["this_quarter", "This quarter"],
    ["this_year", "This year"],
    ["all_time", "All time"],
  ];
  const COMPARED = { year: "the year before", period: "the period before", none: "nothing" };
  const LABELS = {
    vendor: "Vendor",
    buyer: "Buyer",
    state: "State",
    country: "Country",
    order_status: "Status",
    payment_status: "Payment",
    buyer_kind: "New or returning",
    price_list: "Price list",
    account_manager: "Account manager",
  };
  const MOST_MONTHS = 12;
  const MOST_QUARTERS = 6;
  const MOST_FOUND = 60;

  function periodName(name) {
    const known = PERIODS.find(([key]) => key === name);
    if (known) return known[1];
    if (/^\d{4}-\d\d$/.test(name)) return format.longMonth(`${name}-01`);
    if (/^\d{4}(-Q\d)?$/.test(name)) return name.replace(/^(\d{4})-(Q\d)$/, "$2 $1");
    const { first, last } = days.period(name, wholesale.meta.figures_up_to) ?? {};
    return first === undefined ? name : format.days(days.text(first), days.text(last));
  }

  const written = ({ first, last }) => format.days(days.text(first), days.text(last));
  const unbroken = (text) => h`<span class="unbroken">${text}</span>`;

  /** The days that a view is compared with, and whether all of them are known, or `isMissing`. */
  function before({ period, compare }) {
    const span = days.period(period, wholesale.meta.figures_up_to);
    const compared = span && days.compared(span, compare);
    const isAsked = Boolean(compared) && wholesale.axes.spanOf(span) !== null;
    const isCovered = isAsked && days.isCovered(compared, wholesale.meta.figures_from);
    return { compared, isCovered, isMissing: isAsked && !isCovered };
  }

  /** The days of the period that are known and those of the comparison, or why there are none of these. */
  function Days({ view: { period, compare } }) {
    const { figures_from: from, figures_up_to: upTo } = wholesale.meta;
    const span = days.period(period, upTo);
    if (!span || span.first === undefined) return "All orders";
    const { compared, isCovered, isMissing } = before({ period, compare });
    const now = written(wholesale.axes.spanOf(span) ?? span);
    const told = h`<${Term} of=${period.replaceAll("_", "-")}>${unbroken(now)}<//>`;
    if (isCovered) return h`${told}, ${unbroken(h`<${Term} of="comparison">against<//> ${written(compared)}`)}`;
    return isMissing && from
      ? h`${told}, <span class="unknown" role="note">not compared: data begin ${format.date(from)}</span>`
      : told;
  }

  /** What a tile says below its figure where nothing is compared. */
  const notCompared = (view) =>
    before(view).isMissing
      ? h`<span class="unknown">${COMPARED[view.compare]} not known</span>`
      : periodName(view.period);

  /** The period of the same kind after or before this one; null where there is none. */
  function beside({ period }, by) {
    const upTo = wholesale.meta.figures_up_to;
    const { first, last, whole, months } = days.period(period, upTo) ?? {};
    if (first === undefined) return null;
    const length = (whole ?? last) - first + 1;
    const start = months ? days.monthsLater(first, by * months) : first + by * length;
    const end = months ? days.monthsLater(start, months) - 1 : start + length - 1;
    const name = nameOf(days.text(start), days.text(end), months);
    return start <= days.number(upTo) && end >= days.number(wholesale.meta.figures_from ?? upTo) ? name : null;
  }

  const quarterOf = (day) => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`;

  /** What a month, a quarter, a year or some days are called. */
  function nameOf(first, last, months) {
    if (months === 1 && first.endsWith("-01")) return first.slice(0, 7);
    if (months === 3 && /-(01|04|07|10)-01$/.test(first)) return quarterOf(first);
    return months === 12 && first.endsWith("-01-01") ? first.slice(0, 4) : `${first}..${last}`;
  }

  /** The months, quarters and years that have orders, the newest first. */
  function calendar() {
    const { figures_up_to: upTo, figures_from: first } = wholesale.meta;
    if (!upTo || !first) return { months: [], quarters: [], years: [] };
    const months = days.monthsOf(days.number(first), days.number(upTo)).toReversed();
    const each = (named) => [...new Set(months.map(named))];
    return {
      months: months.slice(0, MOST_MONTHS),
      quarters: each(quarterOf).slice(0, MOST_QUARTERS),
      years: each((month) => month.slice(0, 4)),
    };
  }

  /** The month before this one, as a choice by that name. */
  function lastMonth() {
    const key = calendar().months[1];
    return key ? [[key, `Last month, ${format.longMonth(`${key}-01`).split(" ")[0]}`]] : [];
  }

  function OwnDays({ view, choose }) {
    const { first, last } = days.period(view.period, wholesale.meta.figures_up_to);
    const least = wholesale.meta.figures_from;
    const most = wholesale.meta.figures_up_to;
    const [from, setFrom] = useState(first === undefined ? least : days.text(first));
    const [to, setTo] = useState(last === undefined ? most : days.text(last));
    const isRight = from <= to && from <= most && to >= least && days.period(`${from}..${to}`, most) !== null;
    return h`<div class="pair">
      <label>
        From
        <input type="date" value=${from} min=${least} max=${most} onInput=${(event) => setFrom(event.target.value)} />
      </label>
      <label>
        To<input type="date" value=${to} min=${least} max=${most} onInput=${(event) => setTo(event.target.value)} />
      </label>
      <button type="button" class="pick" disabled=${!isRight} onClick=${() => choose(`${from}..${to}`)}>
        Show these days
      </button>
    </div>`;
  }

  function Period({ view, choose }) {
    const { months, quarters, years } = calendar();
    const named = (close, title, keys) =>
      keys.length > 0 &&
      h`<div role="group" aria-label=${title}>
        <h3 aria-hidden="true">${title}</h3>
        ${keys.map((key) => button(close)([key, periodName(key)]))}
      </div>`;
    const button =
      (close) =>
      ([key, text]) =>
        h`<button type="button" key=${key} aria-pressed=${key === view.period}
            onClick=${() => (close(), choose({ period: key }))}>
          ${text}
        </button>`;
    return h`<${Menu} label="Period" text=${h`${periodName(view.period)}<${Icon} name="down" />`}>
      ${(close) =>
        h`<div>
          <div class="columns">
            <div>${[...PERIODS, ...lastMonth()].map(button(close))}${named(close, "Years", years)}</div>
            <div>${named(close, "Months", months)}</div>
            <div>
              ${named(close, "Quarters", quarters)}
              ${
                wholesale.meta.figures_up_to &&
                h`<div role="group" aria-label="Other days">
                  <h3 aria-hidden="true">Other days</h3>
                  <${OwnDays} view=${view} choose=${(period) => (close(), choose({ period }))} />
                </div>`
              }
            </div>
          </div>
        </div>`}
    <//>`;
  }

  /** The members of a dimension to choose from, those that match what is typed. */
  function Members({ name, chosen, choose }) {
    const [typed, type] = useState("");
    const field = useRef(null);
    const of = useLoaded(() => facts.members(name), name);
    useEffect(() => field.current?.focus(), [Boolean(of.value)]);
    if (!of.value) return null;
    const { keys, names } = of.value;
    const wanted = typed.trim().toLowerCase();
    const found = keys
      .map((key, code) => ({ key, text: objects.nameOf(key, names[code]) }))
      .filter(({ text }) => text.toLowerCase().includes(wanted))
      .toSorted((left, right) => left.text.localeCompare(right.text));
    return h`<div>
      <input type="search" ref=${field} aria-label=${LABELS[name]} placeholder=${`Search ${LABELS[name].toLowerCase()}`}
          value=${typed} onInput=${(event) => type(event.target.value)} />
      ${found.slice(0, MOST_FOUND).map(
        ({ key, text }) =>
          h`<button type="button" key=${key} dir="auto" aria-pressed=${chosen.includes(key)}
              onClick=${() => choose(key)}>
            ${text}
          </button>`,
      )}
      ${found.length === 0 && h`<p class="quiet">Nothing has this name.</p>`}
      ${
        found.length > MOST_FOUND &&
        h`<p class="quiet">${`${format.count(found.length - MOST_FOUND)} more: type to find them`}</p>`
      }
    </div>`;
  }

  /** First what to count alone by, then which: it begins anew each time that it is opened. */
  function Filters({ view, offered, choose }) {
    const [name, open] = useState(null);
    if (!name)
      return h`<div>
        ${offered.map(
          (filter) => h`<button type="button" key=${filter} onClick=${() => open(filter)}>${LABELS[filter]}</button>`,
        )}
      </div>`;
    const now = view.where[name] ?? [];
    const add = (key) =>
      choose({ where: { [name]: now.includes(key) ? now.filter((one) => one !== key) : [...now, key] } });
    return h`<${Members} name=${name} chosen=${now} choose=${add} />`;
  }

  function AddFilter({ view, filters, choose }) {
    const of = useLoaded(facts.index, "index");
    if (!of.value) return null;
    const offered = filters.filter((filter) => of.value.fileOf[facts.ORDERS].has(filter));
    return h`<${Menu} label="Add a filter" style="ghost" text=${h`<${Icon} name="plus" />Filter`}>
      ${(close) => h`<${Filters} view=${view} offered=${offered} choose=${(changes) => (close(), choose(changes))} />`}
    <//>`;
  }

  /** What is counted alone, by its name. */
  function Chip({ name, keys, choose }) {
    const of = useLoaded(() => facts.members(name), name);
    const named = (key) => (of.value ? objects.nameOf(key, of.value.names[of.value.keys.indexOf(key)]) : "…");
    return h`<span class="chip">
      <span class="quiet">${LABELS[name]}</span>
      <span dir="auto">${keys.map((key) => (key === null ? "Not known" : named(key))).join(", ")}</span>
      <button type="button" aria-label=${`Without ${LABELS[name]}`}
          onClick=${() => choose({ where: { [name]: undefined } })}>
        <${Icon} name="cross" />
      </button>
    </span>`;
  }

  /** What is counted alone, and the way to more of it; on a phone behind a button that says how many there are. */
  function Filtered({ view, filters, choose }) {
    const [isOpen, open] = useState(false);
    const chosen = Object.entries(view.where).filter(([name]) => filters.includes(name));
    return h`
      <button type="button" class="pick filters-button" aria-expanded=${isOpen} onClick=${() => open(!isOpen)}>
        <${Icon} name="explore" /><span class="hidden">Filters</span>
        ${chosen.length > 0 && h`<b>${format.count(chosen.length)}</b>`}
      </button>
      <div class=${isOpen ? "filters open" : "filters"}>
        ${chosen.map(([name, keys]) => h`<${Chip} key=${name} name=${name} keys=${keys} choose=${choose} />`)}
        <${AddFilter} view=${view} filters=${filters} choose=${choose} />
      </div>
    `;
  }

  /** `children` stand first: what a page lets choose besides. */
  function Controls({ view, filters = views.FILTERS, children }) {
    const choose = (changes) =>
      views.go(views.changed(view, changes.period ? { ...changes, own: { whole: null } } : changes));
    return h`<div class="controls" role="group" aria-label="Period and filters">
      ${children}
      <${Period} view=${view} choose=${choose} />
      ${
        view.period === "all_time"
          ? h`<span class="quiet">with nothing before <${Term} of="all-time">all there is<//> to compare</span>`
          : h`<${Menu} label="Compared with"
              text=${h`<span class="quiet">against</span> ${COMPARED[view.compare]}<${Icon} name="down" />`}>
            ${(close) =>
              Object.entries(COMPARED).map(
                ([key, text]) =>
                  h`<button type="button" key=${key} aria-pressed=${key === view.compare}
                      onClick=${() => (close(), choose({ compare: key }))}>
                    ${text}
                  </button>`,
              )}
          <//>`
      }
      ${filters.length > 0 && h`<${Filtered} view=${view} filters=${filters} choose=${choose} />`}
      <span class="end">
        <span class="quiet"><${Days} view=${view} /></span>
        ${wholesale.parts && h`<${wholesale.parts.CopyLink} />`}
      </span>
    </div>`;
  }

  wholesale.controls = { PERIODS, COMPARED, LABELS, periodName, notCompared, beside, nameOf };
  wholesale.Controls = Controls;
})();

/** Controls: the one row that drives a page: period, comparison, and filters as chips. */
(() => {
  "use strict";

  const { days, facts, format, objects, view: views } = wholesale;
  const { h, useState, useLoaded, Icon, Menu } = wholesale.elements;
  const PERIODS = [
    ["last_7_days", "Last 7 days"], ["last_28_days", "Last 28 days"], ["last_90_days", "Last 90 days"],
    ["last_12_months", "Last 12 months"], ["this_month", "This month"], ["this_quarter", "This quarter"],
    ["this_year", "This year"], ["all_time", "All time"],
  ];
  const COMPARED = { year: "the year before", period: "the period before", none: "nothing" };
  const LABELS = {
    vendor: "Vendor", buyer: "Buyer", state: "State", country: "Country", order_status: "Status",
    payment_status: "Payment", buyer_kind: "Buyers", price_list: "Price list", account_manager: "Account manager",
  };
  const MOST_MONTHS = 12;
  const MOST_FOUND = 60;

  function periodName(name) {
    const known = PERIODS.find(([key]) => key === name);
    if (known) return known[1];
    if (/^\d{4}-\d\d$/.test(name)) return format.longMonth(`${name}-01`);
    if (/^\d{4}(-Q\d)?$/.test(name)) return name.replace(/^(\d{4})-(Q\d)$/, "$2 $1");
    const { first, last } = days.period(name, wholesale.meta.figures_up_to) ?? {};
    return first === undefined ? name : format.days(days.text(first), days.text(last));
  }

  /** The days of the period and of the comparison, in words. */
  function daysText({ period, compare }) {
    const span = days.period(period, wholesale.meta.figures_up_to);
    if (!span || span.first === undefined) return "All orders";
    const before = days.compared(span, compare);
    const now = format.days(days.text(span.first), days.text(span.last));
    return before ? `${now}, against ${format.days(days.text(before.first), days.text(before.last))}` : now;
  }

  /** The period of the same kind after or before this one; null where there is none. */
  function beside({ period }, by) {
    const upTo = wholesale.meta.figures_up_to;
    const { first, last, whole, months } = days.period(period, upTo) ?? {};
    if (first === undefined) return null;
    const length = (whole ?? last) - first + 1;
    const start = months ? days.monthsLater(first, by * months) : first + by * length;
    const end = months ? days.monthsLater(start, months) - 1 : start + length - 1;
    const name = months === 1 && days.text(start).endsWith("-01") ? days.text(start).slice(0, 7) : `${days.text(start)}..${days.text(end)}`;
    return start <= days.number(upTo) && end >= days.number(wholesale.meta.first_ordered_date ?? upTo) ? name : null;
  }

  /** The months and years that have orders, the newest first. */
  function calendar() {
    const { figures_up_to: upTo, first_ordered_date: first } = wholesale.meta;
    if (!upTo || !first) return { months: [], years: [] };
    const months = days.monthsOf(days.number(first), days.number(upTo)).toReversed();
    return { months: months.slice(0, MOST_MONTHS), years: [...new Set(months.map((month) => month.slice(0, 4)))] };
  }

  function OwnDays({ view, choose }) {
    const { first, last } = days.period(view.period, wholesale.meta.figures_up_to);
    const least = wholesale.meta.first_ordered_date;
    const most = wholesale.meta.figures_up_to;
    const [from, setFrom] = useState(first === undefined ? least : days.text(first));
    const [to, setTo] = useState(last === undefined ? most : days.text(last));
    const isRight = from && to && from <= to && from <= most;
    return h`<div class="pair"><label>From<input type="date" value=${from} min=${least} max=${most} onInput=${(event) => setFrom(event.target.value)} /></label>
      <label>To<input type="date" value=${to} min=${least} max=${most} onInput=${(event) => setTo(event.target.value)} /></label>
      <button type="button" disabled=${!isRight} onClick=${() => choose(`${from}..${to}`)}>Show these days</button></div>`;
  }

  function Period({ view, choose }) {
    const { months, years } = calendar();
    const button = (close) => ([key, text]) => h`<button type="button" key=${key} aria-pressed=${key === view.period} onClick=${() => (close(), choose({ period: key }))}>${text}</button>`;
    return h`<${Menu} label="Period" text=${h`${periodName(view.period)}<${Icon} name="down" />`}>${(close) => h`<div>
      ${PERIODS.map(button(close))}
      ${years.length > 0 && h`<h3>Years</h3>`}${years.map((year) => button(close)([year, year]))}
      ${months.length > 0 && h`<h3>Months</h3>`}${months.map((month) => button(close)([month, periodName(month)]))}
      ${wholesale.meta.figures_up_to && h`<h3>Own days</h3><${OwnDays} view=${view} choose=${(period) => (close(), choose({ period }))} />`}</div>`}<//>`;
  }

  /** The members of a dimension to choose from, those that match what is typed. */
  function Members({ name, chosen, choose }) {
    const [typed, type] = useState("");
    const of = useLoaded(() => facts.members(name), name);
    if (!of.value) return null;
    const { keys, names } = of.value;
    const wanted = typed.trim().toLowerCase();
    const found = keys.map((key, code) => ({ key, text: objects.nameOf(key, names[code]) }))
      .filter(({ text }) => text.toLowerCase().includes(wanted))
      .toSorted((left, right) => left.text.localeCompare(right.text));
    return h`<div><input type="search" aria-label=${LABELS[name]} placeholder=${`Search ${LABELS[name].toLowerCase()}`} value=${typed} onInput=${(event) => type(event.target.value)} />
      ${found.slice(0, MOST_FOUND).map(({ key, text }) => h`<button type="button" key=${key} dir="auto" aria-pressed=${chosen.includes(key)} onClick=${() => choose(key)}>${text}</button>`)}
      ${found.length > MOST_FOUND && h`<h3>${`${format.count(found.length - MOST_FOUND)} more: type to find them`}</h3>`}</div>`;
  }

  function AddFilter({ view, filters, choose }) {
    const [name, open] = useState(null);
    const of = useLoaded(facts.index, "index");
    if (!of.value) return null;
    const offered = filters.filter((filter) => of.value.fileOf[facts.ORDERS].has(filter));
    const add = (key) => {
      const now = view.where[name] ?? [];
      choose({ where: { [name]: now.includes(key) ? now.filter((one) => one !== key) : [...now, key] } });
    };
    return h`<${Menu} label="Add a filter" style="ghost" text=${h`<${Icon} name="plus" />Filter`}>${(close) => (name
      ? h`<${Members} name=${name} chosen=${view.where[name] ?? []} choose=${(key) => (close(), open(null), add(key))} />`
      : offered.map((filter) => h`<button type="button" key=${filter} onClick=${() => open(filter)}>${LABELS[filter]}</button>`))}<//>`;
  }

  /** What is counted alone, by its name. */
  function Chip({ name, keys, choose }) {
    const of = useLoaded(() => facts.members(name), name);
    const named = (key) => (of.value ? objects.nameOf(key, of.value.names[of.value.keys.indexOf(key)]) : "…");
    return h`<span class="chip"><span class="quiet">${LABELS[name]}</span><span dir="auto">${keys.map((key) => (key === null ? "Not known" : named(key))).join(", ")}</span>
      <button type="button" aria-label=${`Without ${LABELS[name]}`} onClick=${() => choose({ where: { [name]: undefined } })}><${Icon} name="cross" /></button></span>`;
  }

  function Controls({ view, filters = views.FILTERS }) {
    const choose = (changes) => views.go(views.changed(view, changes));
    return h`<div class="controls" role="group" aria-label="Period and filters">
      <${Period} view=${view} choose=${choose} />
      <${Menu} label="Compared with" text=${h`<span class="quiet">against</span> ${COMPARED[view.compare]}<${Icon} name="down" />`}>${(close) => Object.entries(COMPARED).map(([key, text]) =>
        h`<button type="button" key=${key} aria-pressed=${key === view.compare} onClick=${() => (close(), choose({ compare: key }))}>${text}</button>`)}<//>
      ${Object.entries(view.where).filter(([name]) => filters.includes(name)).map(([name, keys]) => h`<${Chip} key=${name} name=${name} keys=${keys} choose=${choose} />`)}
      ${filters.length > 0 && h`<${AddFilter} view=${view} filters=${filters} choose=${choose} />`}
      <span class="end quiet">${daysText(view)}</span>
    </div>`;
  }

  wholesale.controls = { PERIODS, COMPARED, LABELS, periodName, daysText, beside };
  wholesale.Controls = Controls;
})();

/** Controls: the one row that drives a page: period, comparison, and filters as chips. */
(() => {
  "use strict";

  const { days, format, view: views } = wholesale;
  const { h, Icon, Menu } = wholesale.elements;
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

  function periodName(name) {
    const known = PERIODS.find(([key]) => key === name);
    if (known) return known[1];
    if (/^\d{4}-\d\d$/.test(name)) return format.longMonth(`${name}-01`);
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

  wholesale.controls = { PERIODS, COMPARED, LABELS, periodName, daysText };

  function Controls({ view, filters = views.FILTERS }) {
    const choose = (changes) => views.go(views.changed(view, changes));
    return h`<div class="controls" role="group" aria-label="Period and filters">
      <${Menu} label="Period" text=${h`${periodName(view.period)}<${Icon} name="down" />`}>${(close) => PERIODS.map(([key, text]) =>
        h`<button type="button" key=${key} aria-pressed=${key === view.period} onClick=${() => (close(), choose({ period: key }))}>${text}</button>`)}<//>
      <${Menu} label="Compared with" text=${h`<span class="quiet">against</span> ${COMPARED[view.compare]}<${Icon} name="down" />`}>${(close) => Object.entries(COMPARED).map(([key, text]) =>
        h`<button type="button" key=${key} aria-pressed=${key === view.compare} onClick=${() => (close(), choose({ compare: key }))}>${text}</button>`)}<//>
      ${Object.entries(view.where).filter(([name]) => filters.includes(name)).map(([name, values]) => h`<span class="chip" key=${name}>
        <span class="quiet">${LABELS[name]}</span> ${values.map((value) => value ?? "Not known").join(", ")}
        <button type="button" aria-label=${`Without ${LABELS[name]}`} onClick=${() => choose({ where: { [name]: undefined } })}><${Icon} name="cross" /></button></span>`)}
      <span class="end quiet">${daysText(view)}</span>
    </div>`;
  }

  wholesale.Controls = Controls;
})();

/** Filters: a labelled list each, changed through the URL. */
(() => {
  "use strict";

  const { element, button, spans } = wholesale;
  const { hashOf, filtersOf } = wholesale.view;
  const [FROM, TO, CHOSEN] = ["from", "to", "chosen"];

  /** What people call a value of a filter, such as the name of a vendor. */
  function labelOf(filter, value) {
    const days = filter === "period" && spans.chosen(value);
    return days ? `${days.first} to ${days.last}` : wholesale.meta.labels.get(filter).get(value) ?? value;
  }

  function options(choices) {
    const groups = Map.groupBy(choices, (choice) => choice.group ?? "");
    return [...groups].flatMap(([label, members]) => {
      const listed = members.map((choice) => element("option", { value: choice.value }, choice.label));
      return label ? element("optgroup", { label }, listed) : listed;
    });
  }

  function field({ name, label, choices }) {
    const select = element("select", { id: `filter-${name}`, name }, options(choices));
    return element("div", { class: "field" }, element("label", { for: select.id }, label), select);
  }

  /** A field of a day of one's own choice, among those of `bounds`. */
  function dayField(name, label, bounds) {
    const input = element("input", {
      type: "date", id: `filter-${name}`, name, required: true, min: bounds.first_day, max: bounds.last_day,
    });
    return element("div", { class: "field" }, element("label", { for: input.id }, label), input);
  }

  /** Both days stand beside the spans on offer, where there is any day. */
  function fields(meta) {
    const bounds = spans.of(meta.everything, meta);
    return meta.filters.flatMap((filter) => {
      if (filter.name !== "period" || !bounds.first_day) return [field(filter)];
      const [own, ...days] = [field(filter), dayField(FROM, "From", bounds), dayField(TO, "To", bounds)];
      own.lastChild.append(element("option", { value: CHOSEN, hidden: true }, "Chosen days"));
      return [own, ...days];
    });
  }

  /** Fills the form; each choice becomes a new hash, which the page then follows. */
  function build(meta, current) {
    const form = document.getElementById("filters");
    const otherwise = Object.fromEntries(meta.filters.map((filter) => [filter.name, filter.otherwise]));
    form.replaceChildren(
      ...fields(meta),
      button("Reset", { run: () => go(otherwise), style: "quiet" }),
    );
    form.addEventListener("change", ({ target }) => {
      if (target.type !== "date") go({ [target.name]: target.value });
      else if (form.checkValidity()) go({ period: spans.between(form.elements[FROM].value, form.elements[TO].value) });
    });
    form.addEventListener("submit", (event) => event.preventDefault());

    function go(changes) {
      location.hash = hashOf({ ...current(), ...changes }, meta);
    }

    wholesale.go = go;
  }

  /** Shows what the URL says, only the filters that the page follows, and keeps them in links. */
  function show(view, page, meta) {
    const form = document.getElementById("filters");
    const used = filtersOf(page, meta);
    form.hidden = used.length === 0;
    for (const filter of meta.filters) {
      form.elements[filter.name].value = view[filter.name];
      form.elements[filter.name].parentElement.hidden = !used.includes(filter);
    }
    showDays(form, view, meta);
    document.querySelectorAll("a[href^='#/']").forEach((link) => {
      const target = link.hash.replace(/^#\/([a-z]+).*$/, "$1");
      link.setAttribute("href", hashOf({ ...view, page: target }, meta));
      if (target === view.page) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    });
    bringCurrentIntoSight();
  }

  /** The days of the period, whether on offer or chosen, from which others may be chosen. */
  function showDays(form, { period }, meta) {
    if (!form.elements[FROM]) return;
    const { first_day: first, last_day: last } = spans.of(period, meta);
    if (spans.chosen(period)) form.elements.period.value = CHOSEN;
    for (const [name, day] of [[FROM, first], [TO, last]]) {
      form.elements[name].value = day;
      form.elements[name].parentElement.hidden = form.elements.period.parentElement.hidden;
    }
  }

  /** On a phone the pages stand in one line: the one that is shown is within sight. */
  function bringCurrentIntoSight() {
    const list = document.getElementById("pages");
    const link = list.querySelector("[aria-current]");
    if (link) list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2 - list.offsetLeft;
  }

  /** The view in words, for headings and announcements; `filters` are those that matter. */
  function words(view, filters = wholesale.meta.filters) {
    return filters.map(({ name }) => labelOf(name, view[name])).join(" · ");
  }

  wholesale.filters = { build, show, words, labelOf };
})();

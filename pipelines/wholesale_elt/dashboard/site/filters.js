/** Filters: a labelled list each, changed through the URL. */
(() => {
  "use strict";

  const { element, button } = wholesale;
  const { hashOf, filtersOf } = wholesale.view;

  /** What people call a value of a filter, such as the name of a vendor. */
  function labelOf(filter, value) {
    return wholesale.meta.labels.get(filter).get(value) ?? value;
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

  /** Fills the form; each choice becomes a new hash, which the page then follows. */
  function build(meta, current) {
    const form = document.getElementById("filters");
    const otherwise = Object.fromEntries(meta.filters.map((filter) => [filter.name, filter.otherwise]));
    form.replaceChildren(
      ...meta.filters.map(field),
      button("Reset", { run: () => go(otherwise), style: "quiet" }),
    );
    form.addEventListener("change", (event) => go({ [event.target.name]: event.target.value }));
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
    document.querySelectorAll("a[href^='#/']").forEach((link) => {
      const target = link.hash.replace(/^#\/([a-z]+).*$/, "$1");
      link.setAttribute("href", hashOf({ ...view, page: target }, meta));
      if (target === view.page) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    });
    bringCurrentIntoSight();
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

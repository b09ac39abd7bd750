/** The filters: period, vendor and state as labelled lists, changed through the URL. */
(() => {
  "use strict";

  const { element, button } = wholesale;
  const { ALL, hashOf } = wholesale.view;
  const NAMES = ["period", "vendor", "state"];
  const KINDS = [
    ["rolling", "Up to the last day"],
    ["all", "Everything"],
    ["year", "Years"],
    ["month", "Months"],
  ];

  function option(value, text) {
    return element("option", { value }, text);
  }

  function periodOptions(meta) {
    return KINDS.map(([kind, label]) => {
      const periods = meta.periods.filter((period) => period.period_kind === kind);
      const newestFirst = kind === "year" || kind === "month" ? periods.reverse() : periods;
      const options = newestFirst.map((period) => option(period.period_key, period.period_label));
      return options.length > 0 && element("optgroup", { label }, options);
    });
  }

  /** The name of a vendor, which the data files keep once. */
  function vendorOf(id) {
    if (id === ALL) return "All vendors";
    return wholesale.meta.vendorNames.get(id) ?? id;
  }

  function stateName(state) {
    return state === ALL ? "All states" : state;
  }

  function field(name, label, options) {
    const select = element("select", { id: `filter-${name}`, name }, options);
    return element("div", { class: "field" }, element("label", { for: select.id }, label), select);
  }

  /** Fills the form; each choice becomes a new hash, which the page then follows. */
  function build(meta, current) {
    const form = document.getElementById("filters");
    form.replaceChildren(
      field("period", "Period", periodOptions(meta)),
      field("vendor", "Vendor", meta.vendors.map((vendor) => option(vendor.id, vendorOf(vendor.id)))),
      field("state", "State", meta.states.map((state) => option(state, stateName(state)))),
      button("Reset", { run: () => go({ period: meta.defaultPeriod, vendor: ALL, state: ALL }), kind: "quiet" }),
    );
    form.addEventListener("change", (event) => go({ [event.target.name]: event.target.value }));
    form.addEventListener("submit", (event) => event.preventDefault());

    function go(changes) {
      location.hash = hashOf({ ...current(), ...changes }, meta);
    }

    wholesale.go = go;
  }

  /** The filters that any tile of a page follows. */
  function used(page) {
    return NAMES.filter((name) => page.tiles.some((tile) => tile.filters.includes(name)));
  }

  /** Shows what the URL says, only the filters that the page follows, and keeps them in links. */
  function show(view, meta) {
    const form = document.getElementById("filters");
    const page = meta.pages.find((one) => one.name === view.page);
    const names = used(page);
    form.hidden = names.length === 0;
    for (const name of NAMES) {
      form.elements[name].value = view[name];
      form.elements[name].parentElement.hidden = !names.includes(name);
    }
    document.querySelectorAll("a[href^='#/']").forEach((link) => {
      const target = link.hash.replace(/^#\/([a-z]+).*$/, "$1");
      link.setAttribute("href", hashOf({ ...view, page: target }, meta));
      if (target === view.page) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    });
  }

  /** The view in words, for headings and announcements; `names` are the filters that matter. */
  function words(view, meta, names = NAMES) {
    const texts = {
      period: meta.periods.find((one) => one.period_key === view.period).period_label,
      vendor: vendorOf(view.vendor),
      state: stateName(view.state),
    };
    return names.map((name) => texts[name]).join(" · ");
  }

  Object.assign(wholesale, { vendorOf, filters: { build, show, used, words } });
})();

/**
 * View: the page, the object on it, and the choices, kept in the address: `#/buyer/ID?period=2026-05`.
 *
 * `period`, `compare` and the filters hold on all pages; every other choice (a tab, a metric) is the page's own. What a
 * part of the page keeps (how a table is sorted, what its rows are searched for) has a name with a point in it.
 */
(() => {
  "use strict";

  const DEFAULTS = { period: "last_12_months", compare: "year" };
  const COMPARISONS = ["year", "period", "none"];
  const FILTERS = [
    "vendor",
    "buyer",
    "state",
    "country",
    "order_status",
    "payment_status",
    "buyer_kind",
    "price_list",
    "account_manager",
  ];
  const MISSING = "";
  /** Pages of one object: what they are called without its name, and the page that lists such objects. */
  const OBJECTS = {
    buyer: { title: "Buyer", list: "buyers" },
    vendor: { title: "Vendor", list: "vendors" },
    product: { title: "Product", list: "products" },
    category: { title: "Category", list: "products" },
    order: { title: "Order", list: "orders" },
  };
  /** `buyers.sort`: what is kept of a part of a page. */
  const isKept = (name) => name.includes(".");
  const isObject = (page) => Object.hasOwn(OBJECTS, page);

  /** The view of a hash; what it does not say, or says wrongly, falls back. */
  function parse(hash) {
    const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
    const [page, ...rest] = path.split("/").map(decoded);
    const said = Object.fromEntries(new URLSearchParams(query));
    const [front] = wholesale.meta.pages;
    const isListed = wholesale.meta.pages.some(({ name }) => name === page);
    const known = isListed || (front.name === "today" && isObject(page)) ? page : front.name;
    const { period = DEFAULTS.period, compare = DEFAULTS.compare, ...own } = said;
    const upTo = wholesale.meta.figures_up_to;
    return {
      page: known,
      id: known === page ? rest.join("/") : "",
      period: wholesale.days.period(period, upTo) ? period : upTo ? DEFAULTS.period : "all_time",
      compare: COMPARISONS.includes(compare) ? compare : DEFAULTS.compare,
      where: Object.fromEntries(
        FILTERS.filter((name) => name in own).map((name) => [name, own[name].split(",").map(plain)]),
      ),
      own: Object.fromEntries(Object.entries(own).filter(([name]) => !FILTERS.includes(name) && !isKept(name))),
      kept: Object.fromEntries(Object.entries(own).filter(([name]) => isKept(name))),
    };
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  const plain = (value) => (value === MISSING ? null : value.replaceAll("%2C", ","));
  const written = (value) => (value === null ? MISSING : value.replaceAll(",", "%2C"));

  /** The hash of a view; what is not chosen is not in it. */
  function hashOf({
    page,
    id = "",
    period = DEFAULTS.period,
    compare = DEFAULTS.compare,
    where = {},
    own = {},
    kept = {},
  }) {
    const said = new URLSearchParams();
    if (period !== DEFAULTS.period) said.set("period", period);
    if (compare !== DEFAULTS.compare) said.set("compare", compare);
    for (const [name, values] of Object.entries(where))
      if (values?.length) said.set(name, values.map(written).join(","));
    for (const [name, value] of [...Object.entries(own), ...Object.entries(kept)])
      if (value !== null && value !== undefined && value !== "") said.set(name, value);
    const query = said.toString();
    return `#/${page}${id === "" ? "" : `/${encodeURIComponent(id)}`}${query && `?${query}`}`;
  }

  /** A link to a page or an object that keeps period, comparison and filters. */
  function linkTo(view, changes) {
    return hashOf({ period: view.period, compare: view.compare, where: view.where, ...changes });
  }

  /** Another view of the same page: choices changed, or taken back by null. */
  function changed(view, { where, own, kept, ...rest }) {
    return {
      ...view,
      ...rest,
      where: { ...view.where, ...where },
      own: { ...view.own, ...own },
      kept: { ...view.kept, ...kept },
    };
  }

  /** To another view, as a new entry of the history: for what is pressed. */
  function go(view) {
    location.hash = hashOf(view);
  }

  /** The same entry says another view: for what is typed. */
  function put(view) {
    try {
      history.replaceState(history.state, "", hashOf(view));
    } catch {
      // Browsers allow only so many changes a minute: the next one is written again.
    }
  }

  wholesale.view = { DEFAULTS, FILTERS, OBJECTS, isObject, parse, hashOf, linkTo, changed, decoded, go, put };
})();

/**
 * Address: what an address asks for that there is not, each in one line with what is shown and the nearest right thing.
 *
 * `{said, shown, text, hash}`; the last two are the nearest, if there is one.
 */
(() => {
  "use strict";

  const { axes, days, format, nearest: near, view: views } = wholesale;
  const { nearest } = near;
  const COMPARED = { year: "the year before", period: "the period before", none: "nothing" };
  const PERIODS = [
    "yesterday",
    "last_day",
    "last_7_days",
    "last_28_days",
    "last_90_days",
    "last_12_months",
    "last_week",
    ...["this", "last"].flatMap((which) => ["month", "quarter", "year"].map((unit) => `${which}_${unit}`)),
    ...["month", "quarter", "year"].map((unit) => `${unit}_to_date`),
    "all_time",
  ];
  const METRICS = ["sales", "orders", "active_buyers", "average_order_value"];
  const OF_PRODUCTS = ["product_sales", "product_units", "products_sold", "product_buyers"];
  const GRAINS = ["day", "week", "month", "quarter", "year"];
  const ANY = null;
  const TREND = { grain: GRAINS, whole: ANY };
  /** The choices of each page's own, and what may be chosen; `ANY`: a text, a number, or what only the page knows. */
  const CHOICES = {
    today: { show: ["all", "buyers", "orders", "money", "prices"], since: ["version", "yesterday", "week"] },
    sales: { ...TREND, metric: METRICS, by: ["buyer", "vendor", "product", "category", "state"] },
    buyers: { show: ["all", "active", "silent", "lost", "open"] },
    products: {
      ...TREND,
      metric: OF_PRODUCTS,
      by: ["product", "product_id", "category"],
      show: ["sold", "unsold", "all"],
    },
    vendors: { ...TREND, metric: METRICS },
    orders: {
      payment: ["owed", "open", "unknown", "settled"],
      days: ANY,
      product: ANY,
      category: ANY,
      below: ["minimum", "near"],
      kind: ["cancelled", "deleted", "returns"],
      po: ANY,
      ids: ANY,
    },
    fulfilment: {},
    calls: { at: ANY },
    next: {
      show: ["all", "passed", "due", "later", "without"],
      by: ["vendor", "account_manager"],
      month: ["running", "following"],
    },
    changes: {
      since: ["version", "yesterday", "week"],
      kind: ANY,
      metric: METRICS,
      cause: ANY,
      from: ["version_before", "day_before", "week_before", "oldest_version"],
      span: ["all_time", "this_month", "last_month"],
    },
    closed: { month: ANY, metric: () => Object.keys(wholesale.meta.metrics) },
    explore: {
      ...TREND,
      metric: () => Object.keys(wholesale.meta.metrics),
      by: () => Object.values(wholesale.meta.dimensions).flatMap((named) => Object.keys(named)),
      shape: ["lines", "time", "moved"],
      across: ANY,
      cells: ANY,
    },
    reports: {},
    health: {},
    glossary: {},
    buyer: { ...TREND },
    vendor: { ...TREND, metric: METRICS },
    product: {
      ...TREND,
      metric: ["product_sales", "product_units", "product_orders", "average_unit_price"],
      list: ANY,
    },
    category: { ...TREND, metric: OF_PRODUCTS },
    order: {},
  };
  /** Pages that look up themselves what their address names. */
  const LOOKED_UP = new Set(["reports"]);
  /** What an address may name on a page besides an object. */
  const LISTS = {
    today: () => Object.entries(wholesale.todo.LISTS).map(([key, { title }]) => [key, title]),
    fulfilment: () => ["accepted", "sent", "done", "settled"].map((step) => [step, format.became(step)]),
    glossary: () => wholesale.terms.map(({ id, term }) => [id, term]),
  };

  const titleOf = (page) =>
    wholesale.meta.pages.find(({ name }) => name === page)?.title ?? views.OBJECTS[page]?.title ?? page;
  const words = (name) => format.word(name).toLowerCase();

  function ofPage(view, path) {
    const [asked] = path;
    if (asked === "" || asked === view.page) return null;
    const known = wholesale.meta.pages.map(({ name, title }) => [name, title]);
    const objects =
      known[0][0] === "today" ? Object.entries(views.OBJECTS).map(([name, { title }]) => [name, title]) : [];
    const found = nearest(asked, [...known, ...objects.filter(() => path.length > 1)]);
    return {
      said: `There is no page “${asked}”.`,
      shown: `This is ${titleOf(view.page)}.`,
      ...(found && { text: titleOf(found), hash: views.hashOf({ ...view, page: found, id: path.slice(1).join("/") }) }),
    };
  }

  function ofId(view) {
    if (view.id === "" || views.isObject(view.page) || !CHOICES[view.page] || LOOKED_UP.has(view.page)) return null;
    const known = LISTS[view.page]?.() ?? [];
    if (known.some(([key]) => key === view.id)) return null;
    const found = nearest(view.id, known);
    return {
      said: `${titleOf(view.page)} has no “${view.id}”.`,
      shown: "This is the whole page.",
      ...(found && {
        text: known.find(([key]) => key === found)[1],
        hash: views.hashOf({ ...view, id: found }),
      }),
    };
  }

  /** The period that a text most likely means; null where none is near. */
  function periodNear(text, upTo) {
    const isPeriod = (name) => days.period(name, upTo) !== null;
    const tidy = text.trim().replaceAll(/[\s/.]+(?=\S)/g, (gap) => (gap.startsWith("..") ? ".." : "-"));
    const [first, last] = text.split("..");
    const tries = [
      tidy.toLowerCase().replaceAll("-", "_"),
      tidy.toUpperCase(),
      tidy.replace(/^(\d{4})-(\d)$/, "$1-0$2"),
      tidy.replace(/^(\d{1,2})-(\d{4})$/, (_, month, year) => `${year}-${month.padStart(2, "0")}`),
      tidy.replace(/^(\d{4})-?[qQ](\d)$/, "$1-Q$2"),
      tidy.replace(/^[qQ](\d)-?(\d{4})$/, "$2-Q$1"),
      last && `${last}..${first}`,
    ];
    const found = tries.find((name) => name && name !== text && isPeriod(name));
    if (found) return found;
    // What has not begun yet: the same that has.
    if (/^\d{4}-Q\d$/.test(text)) return `${upTo.slice(0, 4)}-Q${Math.ceil(Number(upTo.slice(5, 7)) / 3)}`;
    if (/^\d{4}(-\d\d)?$/.test(text)) return upTo.slice(0, text.length);
    return nearest(
      text,
      PERIODS.map((name) => [name]).filter(([name]) => isPeriod(name)),
    );
  }

  function ofPeriod(view, asked) {
    const upTo = wholesale.meta.figures_up_to;
    if (asked === undefined || asked === view.period || upTo === null) return null;
    const found = periodNear(asked, upTo);
    const shown = wholesale.controls.periodName(view.period).toLowerCase();
    const hasNotBegun = days.period(asked, "9999-12-31") !== null;
    return {
      said: hasNotBegun
        ? `${wholesale.controls.periodName(asked)} has not begun: figures go to ${format.date(upTo)}.`
        : `“${asked}” is no period.`,
      shown: `This is ${view.period === days.ALL_TIME ? "" : "the "}${shown}.`,
      ...(found && {
        text: wholesale.controls.periodName(found),
        hash: views.hashOf({ ...view, period: found }),
      }),
    };
  }

  function ofComparison(view, asked) {
    if (asked === undefined || asked === view.compare) return null;
    const found = nearest(asked, Object.entries(COMPARED));
    return {
      said: `“${asked}” is nothing to compare with.`,
      shown: `This is compared with ${COMPARED[view.compare]}.`,
      ...(found && { text: COMPARED[found], hash: views.hashOf({ ...view, compare: found }) }),
    };
  }

  /** Which names of choices a page knows; the orders may be chosen by whatever is told of them. */
  const named = (page) => [
    ...views.FILTERS,
    "period",
    "compare",
    ...Object.keys(CHOICES[page] ?? {}),
    ...(page === "orders" ? Object.keys(wholesale.meta.dimensions?.fct_orders ?? {}) : []),
  ];

  function ofChoice(view, name, value) {
    const choices = CHOICES[view.page];
    if (!choices) return null;
    const without = { ...view, own: { ...view.own, [name]: null } };
    if (!named(view.page).includes(name)) {
      const found = nearest(
        name,
        named(view.page).map((one) => [one]),
      );
      const isFilter = found && views.FILTERS.includes(found);
      const where = isFilter ? { ...view.where, [found]: value.split(",") } : view.where;
      return {
        said: `Nothing is chosen by “${name}” here.`,
        shown: "This is without it.",
        ...(found && {
          text: words(found),
          hash: views.hashOf(
            isFilter ? { ...without, where } : { ...without, own: { ...without.own, [found]: value } },
          ),
        }),
      };
    }
    const may = typeof choices[name] === "function" ? choices[name]() : choices[name];
    if (!may || may.includes(value)) return name === "grain" ? ofGrain(view, value) : null;
    const found = nearest(
      value,
      may.map((one) => [one, labelOf(one)]),
    );
    return {
      said: `“${value}” is no ${NAMES[name] ?? words(name)} here.`,
      shown: "This is without it.",
      ...(found && { text: labelOf(found), hash: views.hashOf({ ...view, own: { ...view.own, [name]: found } }) }),
    };
  }

  const NAMES = {
    metric: "figure",
    grain: "cut",
    by: "way to split it",
    show: "part of the list",
    since: "day to count from",
  };
  const labelOf = (name) => wholesale.meta.metrics[name]?.label ?? words(name);

  /** A cut that there is, but not of these days. */
  function ofGrain(view, grain) {
    const span = axes.spanOf(days.period(view.period, wholesale.meta.figures_up_to) ?? {});
    const offered = span ? axes.grainsOf(span).map(([key]) => key) : [];
    const used = axes.grainIn(span, grain);
    if (!span || offered.includes(grain) || used === grain) return null;
    return {
      said: `These days are not cut by ${grain}.`,
      shown: `This is by ${used}.`,
      ...(offered.length > 0 && offered.includes(used)
        ? { text: `by ${used}`, hash: views.hashOf({ ...view, own: { ...view.own, grain: null } }) }
        : {}),
    };
  }

  /** All that is wrong with an address. */
  function wrongIn(hash) {
    const view = views.parse(hash);
    const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
    const said = Object.fromEntries(new URLSearchParams(query));
    const page = ofPage(view, path.split("/").map(views.decoded));
    if (page) return [page];
    return [
      ofId(view),
      ofPeriod(view, said.period),
      ofComparison(view, said.compare),
      ...Object.entries(view.own).map(([name, value]) => ofChoice(view, name, value)),
    ].filter(Boolean);
  }

  wholesale.address = { wrongIn, CHOICES };
})();

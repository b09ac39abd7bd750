/**
 * Orders: the orders of a view, read by month, the newest first.
 *
 * A view's orders are those of its period and filters, cancelled and deleted ones among them, and of choices of
 * its own: `payment` (how it stands), `days` (older than so many), `product` (or one size of it), `category` (with
 * those below it), `below` (`minimum` or `near`), `kind` (`cancelled`, `deleted`, `returns`), `po` and `ids`.
 */
(() => {
  "use strict";

  const {
    age: { today },
    days,
    decimals,
    facts,
    reader,
  } = wholesale;
  const UNDATED = "undated";
  const BRIEF = ["day", "vendor", "buyer", "state", "orders"];
  const SHOWN = [
    ...BRIEF,
    "order_status",
    "payment_status",
    "invoice_status",
    "payment_method_type",
    "shipping_city",
    "country",
    "order_id",
    "order_number",
    "po_number",
    "payment_standing",
    "sub_total",
    "total",
    "line_discount_amount",
    "unit_count",
    "is_cancelled",
    "is_deleted",
    "is_return",
    "vendor_minimum_order_value",
    "ordered_at",
    "updated_at",
    "value_shortfall",
    "quantity_shortfall",
    "minimum_order_quantity",
    "is_near_miss",
    "is_owed",
    "due_date",
    "is_overdue",
  ];
  const KINDS = { cancelled: "is_cancelled", deleted: "is_deleted", returns: "is_return" };
  const CHOICES = ["payment", "days", "product", "category", "below", "kind", "po", "ids"];
  const NO_MONTHS = "0000";
  /** What `is_owed` says of an order, by choice; of other choices `payment_standing` does. */
  const OWED = { owed: true, unknown: false };

  const isDimension = (read, name) =>
    Object.values(read[facts.ORDERS].dimensions).some((names) => names.includes(name));

  /** Functions from the place of an order in a month to its values; what is not published is null. */
  async function columnsOf(month, names, places = null) {
    const read = await facts.index();
    const found = {};
    await Promise.all(
      names.map(async (name) => {
        const file = fileOf(read, name);
        const value = file ? valueIn(await facts.month(file, month), name) : await detailOf(read, month, name, places);
        found[name] = value;
        if (!isDimension(read, name)) return;
        const { keys, names: called } = await facts.members(name);
        found[name] = (place) => keys[value(place)] ?? null;
        found[`${name}_name`] = (place) => called[value(place)] ?? null;
      }),
    );
    return found;
  }

  /** The file of a month that has a column; null for one of the details, which have files for parts of it. */
  function fileOf(read, name) {
    if (read.flags.includes(name)) return "flags";
    return name === "day" ? "orders" : (read.fileOf[facts.ORDERS].get(name) ?? null);
  }

  const valueIn = (table, name) => (table.columns[name] ? reader(table, name) : () => null);

  /** The same of a detail: only the parts that have these places are read, or else all. */
  async function detailOf({ part, [facts.ORDERS]: { months: sizes } }, month, name, places) {
    const all = Array.from({ length: Math.ceil(sizes[month] / part) }, (_, number) => number);
    const wanted = places ? [...new Set(places.map((place) => Math.floor(place / part)))] : all;
    const found = new Map(
      await Promise.all(
        wanted.map(async (number) => [number, valueIn(await facts.month("details", `${month}-${number}`), name)]),
      ),
    );
    return (place) => found.get(Math.floor(place / part))(place % part);
  }

  /** The places of a month's orders that have a line of which one of these columns has a wanted key. */
  async function placesWith(month, columns, wanted) {
    if (!(await facts.index())[facts.LINES].months[month]) return new Set();
    const kinds = await facts.kinds();
    const named = columns.map((column) => reader(kinds, column));
    const isWanted = (kind) => named.some((key) => wanted.has(key(kind)));
    const part = await facts.partOf(isWanted);
    const found = withKinds(
      await facts.month(...(part === null ? ["lines", month] : ["lines_of_part", part])),
      isWanted,
    );
    return part === null ? found : inMonth(found, await facts.month("orders_of_part", part), month);
  }

  /** The places of orders with a line of a wanted kind. */
  function withKinds(lines, isWanted) {
    const [kind, further] = [reader(lines, "kind"), reader(lines, "further")];
    const places = new Set();
    for (let line = 0, place = 0; line < lines.length; line += 1) {
      place += further(line);
      if (isWanted(kind(line))) places.add(place);
    }
    return places;
  }

  /** The places in a month of those orders of a part that are of it. */
  function inMonth(found, orders, month) {
    const [day, place] = [reader(orders, "day"), reader(orders, "place")];
    const start = month === UNDATED ? null : days.number(`${month}-01`);
    const next = month === UNDATED ? null : days.monthsLater(start, 1);
    const isIn = (at) => (start === null ? day(at) === null : day(at) !== null && day(at) >= start && day(at) < next);
    return new Set([...found].filter(isIn).map(place));
  }

  /** What a filter asks of an order of a month: a list of tests of its place. */
  async function testsOf(month, { span, where, own }) {
    const tests = [];
    const start = month === UNDATED ? null : days.number(`${month}-01`) - 1;
    const columns = (names) => columnsOf(month, names);
    if (span.first !== undefined) {
      const { day } = await columns(["day"]);
      tests.push((place) => start !== null && start + day(place) >= span.first && start + day(place) <= span.last);
    }
    for (const [name, keys] of Object.entries(where)) {
      const { [name]: key } = await columns([name]);
      const wanted = new Set(keys);
      tests.push((place) => wanted.has(key(place)));
    }
    if (own.days) {
      const { day } = await columns(["day"]);
      tests.push((place) => start !== null && today() - start - day(place) > Number(own.days));
    }
    if (own.payment) {
      const {
        payment_standing: standing,
        orders,
        is_return: back,
        is_owed: owed,
      } = await columns(["payment_standing", "orders", "is_return", "is_owed"]);
      tests.push(
        own.payment in OWED
          ? (place) => owed(place) === OWED[own.payment]
          : (place) => orders(place) === 1 && back(place) !== true && standing(place) === own.payment,
      );
    }
    if (KINDS[own.kind]) {
      const { [KINDS[own.kind]]: is } = await columns([KINDS[own.kind]]);
      tests.push((place) => is(place) === true);
    }
    if (own.below) {
      const { is_near_miss: near } = await columns(["is_near_miss"]);
      tests.push((place) => (own.below === "near" ? near(place) === true : near(place) !== null));
    }
    if (own.po) {
      const { po_number: po } = await columns(["po_number"]);
      tests.push((place) => (po(place) ?? "").toLowerCase().includes(own.po.toLowerCase()));
    }
    if (own.ids) {
      const { order_id: id } = await columns(["order_id"]);
      const wanted = new Set(own.ids.split(","));
      tests.push((place) => wanted.has(id(place)));
    }
    if (own.product) {
      const places = await placesWith(month, ["product_id", "product"], new Set([own.product]));
      tests.push((place) => places.has(place));
    }
    if (own.category) {
      const categories = wholesale.catalogue.below(await wholesale.objects.all("categories"), own.category);
      const places = await placesWith(month, ["category"], new Set(categories));
      tests.push((place) => places.has(place));
    }
    return tests;
  }

  /** The rows of these places of a month, the newest first. */
  async function rowsAt(month, places, names = SHOWN) {
    const columns = await columnsOf(month, names, places);
    const { scale } = await facts.measureOf("sales");
    const start = month === UNDATED ? null : days.number(`${month}-01`) - 1;
    return places.toReversed().map((place) => {
      const row = { key: `${month}/${place}`, month, place };
      for (const [name, value] of Object.entries(columns)) row[name] = value(place);
      row.date = start === null ? null : days.text(start + row.day);
      row.age = start === null ? null : today() - start - row.day;
      row.is_sale = row.orders === 1;
      row.amount = row.sales === undefined ? row.sub_total : decimals.shifted(row.sales ?? 0, scale);
      return row;
    });
  }

  async function months({ span }) {
    const found = await facts.monthsIn(facts.ORDERS, span.first, span.last);
    const key = (name) => (name === UNDATED ? NO_MONTHS : name);
    return found.toSorted((left, right) => (key(left) < key(right) ? 1 : -1));
  }

  /** A view's filter, with its days; a state of orders among the regions is one of orders. */
  async function filterOf({ period = days.ALL_TIME, where = {}, own = {} }) {
    const span = days.period(period, wholesale.meta.figures_up_to) ?? { name: days.ALL_TIME };
    const asked = Object.fromEntries(Object.entries(where).filter(([, keys]) => keys?.length));
    const read = await facts.index();
    for (const [name, value] of Object.entries(own))
      if (isDimension(read, name)) asked[name] = String(value).split(",");
    if (asked.state) {
      const [{ keys: states }, { keys: regions }] = await Promise.all([
        facts.members("order_status"),
        facts.members("state"),
      ]);
      if (asked.state.every((key) => states.includes(key) && !regions.includes(key))) {
        asked.order_status = asked.state;
        delete asked.state;
      }
    }
    return { span, where: asked, own };
  }

  /** The places of a month's orders that are of a filter, the oldest first. */
  async function placesIn(month, filter) {
    const tests = await testsOf(month, filter);
    const size = (await facts.index())[facts.ORDERS].months[month];
    const places = [];
    for (let place = 0; place < size; place += 1) if (tests.every((test) => test(place))) places.push(place);
    return places;
  }

  /**
   * Reads the orders of a view month by month, and gives `take(rows, isLast)` those of each; it stops when that
   * returns false, or has got `most`. `isBrief` reads only dates, buyers, vendors and sales, and `names` besides.
   */
  async function each(view, take, { isBrief = false, names: besides = null, most = Infinity } = {}) {
    const filter = await filterOf(view);
    const all = await months(filter);
    const names = isBrief || besides ? [...BRIEF, "sales", ...(besides ?? [])] : SHOWN;
    let left = most;
    for (const [number, month] of all.entries()) {
      const places = await placesIn(month, filter);
      const wanted = left < places.length ? places.slice(-left) : places;
      const rows = wanted.length ? await rowsAt(month, wanted, names) : [];
      left -= rows.length;
      if (take(rows, number === all.length - 1) === false || left <= 0) return;
    }
    if (all.length === 0) take([], true);
  }

  /** The first `most` orders of a view, or all of them. */
  async function first(view, most = Infinity, options = {}) {
    const found = [];
    await each(view, (rows) => void found.push(...rows), { ...options, most });
    return found;
  }

  wholesale.orders = { BRIEF, CHOICES, columnsOf, rowsAt, placesIn, months, filterOf, each, first };
})();

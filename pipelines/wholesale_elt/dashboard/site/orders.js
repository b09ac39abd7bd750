/**
 * Orders: the orders of a view, read by month, the newest first, and found by their number.
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
    load,
    reader,
  } = wholesale;
  const UNDATED = "undated";
  const BRIEF = ["day", "vendor", "buyer", "state", "orders"];
  const SHOWN = [
    ...BRIEF,
    "order_status",
    "payment_status",
    "invoice_status",
    "payment_method",
    "city",
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
  const NO_MONTHS = "0000";
  /** What `is_owed` says of an order, by choice; of other choices `payment_standing` does. */
  const OWED = { owed: true, unknown: false };

  const isDimension = (read, name) =>
    Object.values(read[facts.ORDERS].dimensions).some((names) => names.includes(name));

  /** Functions from the place of an order in a month to its values; what is not published is null. */
  async function columnsOf(month, names) {
    const read = await facts.index();
    const files = read.fileOf[facts.ORDERS];
    const found = {};
    await Promise.all(
      names.map(async (name) => {
        const table = await facts.month(files.get(name) ?? (name === "day" ? "orders" : "details"), month);
        if (!table.columns[name]) {
          found[name] = () => null;
          return;
        }
        const value = reader(table, name);
        found[name] = value;
        if (!isDimension(read, name)) return;
        const { keys, names: called } = await facts.members(name);
        found[name] = (place) => keys[value(place)] ?? null;
        found[`${name}_name`] = (place) => called[value(place)] ?? null;
      }),
    );
    return found;
  }

  /** The places of a month's orders that have a line of which one of these columns has a wanted key. */
  async function placesWith(month, columns, wanted) {
    if (!(await facts.index())[facts.LINES].months[month]) return new Set();
    const [kinds, lines] = await Promise.all([facts.kinds(), facts.month("lines", month)]);
    const named = columns.map((column) => reader(kinds, column));
    const [kind, further] = [reader(lines, "kind"), reader(lines, "further")];
    const places = new Set();
    for (let line = 0, place = 0; line < lines.length; line += 1) {
      place += further(line);
      if (named.some((key) => wanted.has(key(kind(line))))) places.add(place);
    }
    return places;
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
    const columns = await columnsOf(month, names);
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

  async function inMonth(month, filter, names) {
    const tests = await testsOf(month, filter);
    const size = (await facts.index())[facts.ORDERS].months[month];
    const places = [];
    for (let place = 0; place < size; place += 1) if (tests.every((test) => test(place))) places.push(place);
    return places.length ? rowsAt(month, places, names) : [];
  }

  /**
   * Reads the orders of a view month by month, and gives `take(rows, isLast)` those of each; it stops when that
   * returns false. `isBrief` reads only dates, buyers, vendors and sales, and `names` besides.
   */
  async function each(view, take, { isBrief = false, names: besides = null } = {}) {
    const filter = await filterOf(view);
    const names = await months(filter);
    for (const [number, month] of names.entries()) {
      const rows = await inMonth(month, filter, isBrief || besides ? [...BRIEF, "sales", ...(besides ?? [])] : SHOWN);
      if (take(rows, number === names.length - 1) === false) return;
    }
    if (names.length === 0) take([], true);
  }

  /** The first `most` orders of a view, or all of them. */
  async function first(view, most = Infinity, options = {}) {
    const found = [];
    await each(
      view,
      (rows) => {
        found.push(...rows);
        return found.length < most;
      },
      options,
    );
    return found.slice(0, most);
  }

  const bare = (number) => (number ?? "").trim().replace(/^0+(?=.)/, "");

  /** The months that may have an order of a number between these. */
  async function monthsOfNumbers(least, most) {
    const { numbers } = await facts.index();
    return Object.entries(numbers)
      .filter(([, [low, high]]) => low === null || (low <= most && high >= least))
      .map(([month]) => month)
      .toReversed();
  }

  async function withNumbers(month, isWanted, column) {
    const { [column]: value } = await columnsOf(month, [column]);
    const size = (await facts.index())[facts.ORDERS].months[month];
    const places = [];
    for (let place = 0; place < size; place += 1) if (isWanted(value(place))) places.push(place);
    return places.length ? rowsAt(month, places) : [];
  }

  /** All orders of that number, with its zeros or without, or else the one of that id. */
  async function find(text) {
    const wanted = bare(text);
    const found = [];
    const isNumber = /^\d{1,15}$/.test(wanted);
    const likely = isNumber
      ? await monthsOfNumbers(Number(wanted), Number(wanted))
      : Object.keys((await facts.index()).numbers).toReversed();
    for (const month of likely)
      found.push(...(await withNumbers(month, (number) => bare(number) === wanted, "order_number")));
    if (found.length || isNumber) return found;
    for (const month of await months({ span: {} })) {
      const rows = await withNumbers(month, (id) => id === text, "order_id");
      if (rows.length) return rows;
    }
    return [];
  }

  /** Some orders whose number begins so, the newest first; it reads two months at most. */
  async function suggest(digits, most = 4) {
    const wanted = bare(digits);
    if (!/^\d{1,12}$/.test(wanted)) return [];
    const exact = (await find(wanted)).slice(0, most);
    const longest = String(
      Math.max(0, ...Object.values((await facts.index()).numbers).map(([, high]) => high ?? 0)),
    ).length;
    const found = new Map(exact.map((row) => [row.key, row]));
    let read = 0;
    for (let zeros = 1; wanted.length + zeros <= longest; zeros += 1) {
      const from = Number(wanted) * 10 ** zeros;
      for (const month of await monthsOfNumbers(from, from + 10 ** zeros - 1)) {
        if (found.size >= most || read >= 2) break;
        read += 1;
        const rows = await withNumbers(month, (number) => bare(number).startsWith(wanted), "order_number");
        for (const row of rows) if (found.size < most) found.set(row.key, row);
      }
    }
    return [...found.values()];
  }

  /** The lines of an order, as they stand in it. */
  async function linesOf({ month, place }) {
    if (!(await facts.index())[facts.LINES].months[month]) return [];
    const [kinds, lines, details] = await Promise.all([
      facts.kinds(),
      facts.month("lines", month),
      facts.month("line_details", month),
    ]);
    const [further, kind] = [reader(lines, "further"), reader(lines, "kind")];
    const columns = Object.keys(details.columns).map((name) => [name, reader(details, name)]);
    const told = Object.keys(kinds.columns)
      .filter((name) => name !== "code")
      .map((name) => [name, reader(kinds, name)]);
    const found = [];
    for (let line = 0, at = 0; line < lines.length && at <= place; line += 1) {
      at += further(line);
      if (at !== place) continue;
      const row = Object.fromEntries(columns.map(([name, value]) => [name, value(line)]));
      for (const [name, value] of told) row[name] = value(kind(line));
      found.push({ ...row, key: line });
    }
    return found;
  }

  /** What was seen to change in the states of an order, the oldest first. */
  async function stepsOf({ month, place }) {
    const table = await load(`facts/steps-${month}`);
    const at = reader(table, "place");
    return wholesale.rowsOf(table).filter((_, row) => at(row) === place);
  }

  wholesale.orders = { each, first, find, suggest, linesOf, stepsOf, filterOf };
})();

/** Objects: buyers, vendors, products and categories: what they are called, and those seen last. */
(() => {
  "use strict";

  const { load, rowsOf } = wholesale;
  const KEYS = { buyers: "buyer_id", vendors: "vendor_id", products: "product_id", categories: "category_title" };
  const found = new Map();

  /** All objects of a kind by their key, those who sold most first. */
  function all(kind) {
    if (!found.has(kind)) {
      const read = load(kind).then((table) => new Map(rowsOf(table).map((row) => [row[KEYS[kind]], row])));
      found.set(kind, read);
      read.catch(() => found.delete(kind));
    }
    return found.get(kind);
  }

  /** What there is of a buyer or a product besides its list, in the part that the list names: tables by name. */
  function part(kind, number) {
    return load(`of_${kind}/${number}`);
  }

  /**
   * The orders of a buyer, the newest first, in the shape that lists of orders have; with their lines and what became
   * of them, by the place of the order, and its people.
   */
  async function ofBuyer({ buyer_id: id, part: first, last_part: last }) {
    const own = { orders: [], lines: [], seen: [], events: [], changedLines: [], comments: [], users: [] };
    if (first === null) return own;
    const numbers = Array.from({ length: last - first + 1 }, (_, number) => first + number);
    const products = await load("products");
    let before = 0;
    for (const tables of await Promise.all(numbers.map((number) => part("buyers", number)))) {
      const those = ordersIn(tables, products, id, before);
      for (const name of Object.keys(those)) own[name] = own[name].concat(those[name]);
      before += tables.orders.length;
    }
    return own;
  }

  /** What a part has of orders besides themselves; `rowsIn` gives the rows of a table that are wanted. */
  const told = (tables, products, rowsIn) => ({
    lines: linesOf(rowsIn(tables.lines), wholesale.reader(products, "product_id")),
    seen: rowsIn(tables.seen),
    events: rowsIn(tables.events),
    changedLines: rowsIn(tables.changed_lines),
    comments: rowsIn(tables.comments),
  });

  /** Lines with the product that they name by its row in the list, and with the amount that price and pieces give. */
  function linesOf(lines, idOf) {
    const { decimals } = wholesale;
    const amountOf = ({ quantity, unit_price: price }) => decimals.text(BigInt(quantity) * decimals.units(price));
    return lines.map((line) => ({
      ...line,
      product_id: line.product === null ? line.product_id : idOf(line.product),
      total_price: line.is_product ? amountOf(line) : line.total_price,
    }));
  }

  /** The same of one part, whose first order has that place. */
  function ordersIn(tables, products, id, before) {
    const buyerOf = wholesale.reader(tables.orders, "buyer_id");
    const places = Array.from({ length: tables.orders.length }, (_, place) => place).filter(
      (place) => buyerOf(place) === id,
    );
    const [first, last] = [places[0], places.at(-1)];
    // Orders of a buyer stand side by side, and so does what belongs to them.
    const own = (table) => {
      const at = wholesale.reader(table, "place");
      const rows = Array.from({ length: table.length }, (_, row) => row).filter(
        (row) => at(row) >= first && at(row) <= last,
      );
      return rowsOf(table, rows).map((row) => ({ ...row, place: before + row.place }));
    };
    return {
      orders: rowsOf(tables.orders, places).map((row, number) => orderOf(row, before + places[number])),
      ...told(tables, products, own),
      users: rowsOf(tables.users).filter(({ buyer_id: of }) => of === id),
    };
  }

  function orderOf(row, place) {
    const { days, age } = wholesale;
    return {
      ...row,
      key: place,
      place,
      date: row.ordered_date,
      age: row.ordered_date === null ? null : age.today() - days.number(row.ordered_date),
      buyer: row.buyer_id,
      vendor: row.vendor_id,
      amount: row.sub_total,
    };
  }

  /** What the catalogue has of an item or a product in its part: a function from the name of a table to its rows. */
  async function ofProduct({ part: number }) {
    const tables = number === null ? {} : await part("products", number);
    return (name, isWanted) => (tables[name] ? rowsOf(tables[name]).filter(isWanted) : []);
  }

  const trimmed = (text) => (text ?? "").trim();

  /** What people call a member of a dimension, given its key and perhaps its name. */
  function nameOf(key, name) {
    if (key === null || key === undefined || key === "") return "Not known";
    return trimmed(name) || (wholesale.meta?.people?.[key] ?? key);
  }

  function productName({ item_title: item, variant_title: variant, sku, product_id: key }) {
    const title = trimmed(item) || trimmed(sku) || key;
    return trimmed(variant) ? `${title}, ${trimmed(variant)}` : title;
  }

  /** What the product of a line is called; of one that no catalogue has, a line may say no more than a title. */
  function lineName(line, products) {
    const product = products.get(line.product_id);
    if (product) return productName(product);
    return trimmed(line.product_name ?? line.sku_name) || trimmed(line.sku) || "Not known";
  }

  const buyerName = (row) => nameOf(row.buyer_id, row.company_name);
  const vendorName = (row) => nameOf(row.vendor_id, row.vendor_name);

  wholesale.objects = { all, ofBuyer, told, ofProduct, nameOf, productName, lineName, buyerName, vendorName };
})();

/** Kept: what was seen last, if this browser keeps anything. */
(() => {
  "use strict";

  const MOST_RECENT = 6;

  function read(name, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`wholesale.${name}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  function write(name, value) {
    try {
      localStorage.setItem(`wholesale.${name}`, JSON.stringify(value));
    } catch {
      // A browser that keeps nothing loses only this comfort.
    }
    window.dispatchEvent(new CustomEvent("kept", { detail: name }));
  }

  /** The objects seen last, the newest first: `{page, id, name}`. */
  const recent = {
    all: () => {
      const kept = read("recent", []);
      return Array.isArray(kept)
        ? kept.filter((each) => wholesale.view.isObject(each?.page) && each.id && each.name)
        : [];
    },
    add: ({ page, id, name }) =>
      write(
        "recent",
        [{ page, id, name }, ...recent.all().filter((each) => each.page !== page || each.id !== id)].slice(
          0,
          MOST_RECENT,
        ),
      ),
  };

  // What another window keeps is news here, too.
  window.addEventListener?.("storage", ({ key }) => {
    if (key?.startsWith("wholesale.")) window.dispatchEvent(new CustomEvent("kept", { detail: key.slice(10) }));
  });

  Object.assign(wholesale, { recent });
})();

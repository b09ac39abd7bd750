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

  wholesale.objects = { all, nameOf, productName, lineName, buyerName, vendorName };
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

  Object.assign(wholesale, { recent });
})();

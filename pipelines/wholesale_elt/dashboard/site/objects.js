/** Objects: buyers, vendors, products: what they are called, and where their pages are. */
(() => {
  "use strict";

  const { load, rowsOf } = wholesale;
  const KEYS = { buyers: "buyer_id", vendors: "vendor_id", products: "product_id" };
  const found = new Map();

  /** All objects of a kind by their key, those who sold most first. */
  function all(kind) {
    if (!found.has(kind)) {
      found.set(kind, load(kind).then((table) => new Map(rowsOf(table).map((row) => [row[KEYS[kind]], row]))));
    }
    return found.get(kind);
  }

  /** What people call a member of a dimension, given its key and perhaps its name. */
  function nameOf(key, name) {
    if (key === null || key === undefined || key === "") return "Not known";
    return (name ?? "").trim() || key;
  }

  function productName({ item_title: item, variant_title: variant, sku, product_id: key }) {
    const title = (item ?? "").trim() || (sku ?? "").trim() || key;
    return variant?.trim() ? `${title}, ${variant.trim()}` : title;
  }

  wholesale.objects = { all, nameOf, productName };
})();

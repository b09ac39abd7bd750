/** Catalogue: products with their sizes, what each cost when, and categories with those below. */
(() => {
  "use strict";

  const { decimals, format, objects } = wholesale;

  const itemOf = (product) => product.item_id ?? product.product_id;
  const different = (rows, name) => [
    ...new Set(rows.map((row) => row[name]).filter((value) => value !== null && value !== "")),
  ];

  /** The sum of what was sold of sizes; null where none of those that were sold tells it. */
  function summed(sizes, name) {
    const isUnknown = sizes.some((row) => row[name] === null);
    if (isUnknown && sizes.every((row) => row[name] === null || !(row.order_count > 0))) return null;
    return decimals.text(sizes.reduce((sum, row) => sum + decimals.units(row[name] ?? "0"), 0n));
  }

  /** A product as people see it, made of its sizes: those that sold most come first. */
  function itemIn(key, sizes) {
    const [first] = sizes;
    const prices = different(sizes, "unit_price").toSorted(decimals.compare);
    const days = (name) => different(sizes, name).toSorted();
    return {
      ...first,
      key,
      product_id: key,
      item_id: first.item_id,
      sizes,
      variant_title: sizes.length === 1 ? first.variant_title : null,
      sku: sizes.length === 1 ? first.sku : null,
      skus: different(sizes, "sku"),
      least_price: prices[0] ?? null,
      most_price: prices.at(-1) ?? null,
      // Without a catalogue it is not known whether anything is on offer.
      is_orderable: sizes.every((size) => size.is_orderable === null) ? null : sizes.some((size) => size.is_orderable),
      is_never_ordered: sizes.every((size) => size.is_never_ordered),
      sales_amount: summed(sizes, "sales_amount"),
      first_ordered_date: days("first_ordered_date")[0] ?? null,
      last_ordered_date: days("last_ordered_date").at(-1) ?? null,
    };
  }

  /** All products by their key, each with its sizes. */
  function items(products) {
    const sizes = Map.groupBy(products.values(), itemOf);
    return new Map([...sizes].map(([key, own]) => [key, itemIn(key, own)]));
  }

  /** What an address names: a product with all its sizes, or one size of it; null for neither. */
  function find(products, id) {
    const size = products.get(id) ?? null;
    const item = items(products).get(size ? itemOf(size) : id);
    if (!item) return null;
    return size && item.sizes.length > 1 ? { item, size } : { item, size: null };
  }

  /**
   * The steps of each price, by its list: `{day, price}` from the oldest on. The usual price, of no list, comes first.
   *
   * The first has no day: it held already when the catalogue was first read. The last is the price `now` has.
   */
  function steps(changes, now) {
    const byList = Map.groupBy(changes, ({ price_list: list }) => list);
    const found = new Map();
    const lists = [...new Set([...byList.keys(), ...now.keys()])];
    for (const list of lists.toSorted((left, right) =>
      left === null ? -1 : right === null ? 1 : left.localeCompare(right),
    )) {
      const own = (byList.get(list) ?? []).toSorted((left, right) => (left.observed_at < right.observed_at ? -1 : 1));
      const course = own.map((change) => ({
        day: change.observed_at.slice(0, 10),
        at: change.observed_at,
        price: change.price,
      }));
      const held = own.length ? own[0].price_before : now.get(list);
      if (held !== null && held !== undefined) course.unshift({ day: null, at: null, price: held });
      if (course.length) found.set(list, course);
    }
    return found;
  }

  /** A category and all below it, however deep; one that is above itself ends the search. */
  function below(categories, title) {
    const found = [title];
    for (const each of found)
      for (const row of categories.values())
        if (row.parent_category_title === each && !found.includes(row.category_title)) found.push(row.category_title);
    return found;
  }

  /** The categories above one, the highest first. */
  function above(categories, title) {
    const found = [];
    for (
      let row = categories.get(title);
      row?.parent_category_title && !found.includes(row.parent_category_title) && row.parent_category_title !== title;
      row = categories.get(row.parent_category_title)
    )
      found.unshift(row.parent_category_title);
    return found;
  }

  /** What a product is called, whatever sizes it has; one without a product above it is called as a size is. */
  function itemName(item) {
    return objects.productName(item.item_id ? { item_title: item.item_title, product_id: item.key } : item);
  }

  /** How many of some products are on offer, in words; nothing if there is no catalogue to tell. */
  function offered(rows) {
    const isKnown = rows.length === 0 || rows.some(({ is_orderable: is }) => is !== null);
    return isKnown ? `, ${format.count(rows.filter(({ is_orderable: is }) => is).length)} on offer` : "";
  }

  wholesale.catalogue = { offered, itemOf, items, find, steps, below, above, itemName };
  wholesale.receive("catalogue", null);
})();

/** Answers: what a text that is searched for may mean: orders, buyers, products, vendors, figures, pages. */
(() => {
  "use strict";

  const { facts, format, load, objects, orders, purchases, searched, view: views } = wholesale;
  const { folded } = wholesale.nearest;
  const MOST = 4;
  const sources = new Map();

  /** All that has a name: `{page, id, name, note, end, found}` by group, read when somebody first searches. */
  function sourceOf(group, make) {
    if (!sources.has(group)) {
      const made = make().then((entries) =>
        entries.map((entry) => ({ ...entry, found: searched.prepared([entry.name, ...entry.also.filter(Boolean)]) })),
      );
      sources.set(group, made);
      made.catch(() => sources.delete(group));
    }
    return sources.get(group);
  }

  const GROUPS = [
    [
      "Buyers",
      async () =>
        [...(await objects.all("buyers")).values()].map((row) => ({
          page: "buyer",
          id: row.buyer_id,
          name: objects.buyerName(row),
          note: row.city,
          end: format.compact(row.order_count > 0 ? row.sales_amount : 0),
          also: [row.city],
        })),
    ],
    [
      "Products",
      async () =>
        [...(await objects.all("products")).values()].map((row) => ({
          page: "product",
          id: row.product_id,
          name: objects.productName(row),
          note: row.vendor_name,
          end: format.compact(row.order_count > 0 ? row.sales_amount : 0),
          also: [row.sku, row.vendor_name],
        })),
    ],
    [
      "Vendors",
      async () =>
        [...(await objects.all("vendors")).values()].map((row) => ({
          page: "vendor",
          id: row.vendor_id,
          name: objects.vendorName(row),
          note: row.city,
          end: format.compact(row.order_count > 0 ? row.sales_amount : 0),
          also: [],
        })),
    ],
    [
      "Categories",
      async () =>
        [...(await objects.all("categories")).keys()].map((title) => ({
          page: "category",
          id: title,
          name: title,
          note: "",
          end: "",
          also: [],
        })),
    ],
    [
      "Figures",
      async () => {
        const meanings = await load("meanings");
        return Object.entries(wholesale.meta.metrics)
          .filter(([, { fact }]) => [facts.ORDERS, facts.LINES].includes(fact))
          .map(([name, { label, group }]) => ({
            page: "explore",
            id: "",
            own: { metric: name },
            name: label,
            note: group,
            end: "",
            also: meanings[name].synonyms,
          }));
      },
    ],
    [
      "Pages",
      async () =>
        wholesale.meta.pages.map(({ name, title, question }) => ({
          page: name,
          id: "",
          name: title,
          note: question,
          end: "",
          also: [],
        })),
    ],
  ];

  /** The amounts of these groups are of all time, which is told once above them. */
  const ALL_TIME = ["Buyers", "Products", "Vendors"];

  async function ordersLike(text) {
    const found = /^#?\d+$/.test(text) ? await orders.suggest(text.replace("#", ""), MOST) : [];
    const entries = found.map((row) => ({
      page: "order",
      id: row.order_number ?? row.order_id,
      name: row.order_number ?? row.order_id,
      note: [row.buyer_name, row.vendor_name].filter(Boolean).join(", "),
      end: row.amount === null ? "" : format.amount(row.amount),
      key: row.key,
    }));
    const bought = await purchases.ordersOf(text, MOST);
    entries.push(
      ...bought.map((row) => ({
        page: "order",
        id: row.order_number,
        name: row.order_number,
        note: [`purchase order ${row.po_number}`, row.buyer && objects.buyerName(row.buyer)].filter(Boolean).join(", "),
        end: row.amount === null ? "" : format.amount(row.amount),
        key: `${row.po_number}/${row.order_number}`,
      })),
    );
    if (text.length >= 3 && /\d/.test(text)) {
      entries.push({
        page: "orders",
        id: "",
        name: `Purchase orders with “${text}”`,
        note: "looks through all orders",
        end: "",
        href: views.hashOf({ page: "orders", period: "all_time", own: { po: text } }),
      });
    }
    return entries;
  }

  /** What answers a text, in groups: `[title, entries, note]`. */
  async function answers(text) {
    const wanted = folded(text.trim());
    if (!wanted) return [];
    const known = await Promise.all(GROUPS.map(async ([title, make]) => [title, await sourceOf(title, make)]));
    const found = [["Orders", await ordersLike(text.trim()), ""]];
    for (const way of searched.waysOf(wanted)) {
      for (const [title, entries] of known)
        found.push([
          title,
          searched.best(entries, wanted, MOST, way),
          ALL_TIME.includes(title) ? "sales of all time" : "",
        ]);
      if (found.some(([, entries]) => entries.length)) break;
    }
    return found.filter(([, entries]) => entries.length);
  }

  wholesale.answers = answers;
  wholesale.receive("search/answers", null);
})();

/** Answers: what a text that is searched for may mean: orders, buyers, products, vendors, categories, pages. */
(() => {
  "use strict";

  const { format, objects, orders, view: views } = wholesale;
  const MOST = 4;
  const sources = new Map();

  /** Texts alike for somebody who types without accents. */
  const folded = (text) => (text ?? "").normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

  /** All that has a name: `{page, id, name, note, end, texts}` by group, read when somebody first searches. */
  function sourceOf(group, make) {
    if (!sources.has(group)) {
      const made = make().then((entries) =>
        entries.map((entry) => ({ ...entry, texts: [entry.name, ...entry.also].map(folded) })),
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
          also: [row.sku],
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

  /** How well an entry answers: 0 begins so, 1 has a word that does, 2 has it inside; null not at all. */
  function rank({ texts }, wanted) {
    const found = texts.map((text) => {
      const place = text.indexOf(wanted);
      if (place < 0) return 9;
      return place === 0 ? 0 : /[\p{L}\p{N}]/u.test(text[place - 1]) ? 2 : 1;
    });
    const best = Math.min(...found);
    return best === 9 ? null : best;
  }

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

  /** What answers a text, in groups. */
  async function answers(text) {
    const wanted = folded(text.trim());
    if (!wanted) return [];
    const groups = await Promise.all(
      GROUPS.map(async ([title, make]) => {
        const entries = await sourceOf(title, make);
        const ranked = entries.map((entry) => [rank(entry, wanted), entry]).filter(([place]) => place !== null);
        return [
          title,
          ranked
            .toSorted(([left], [right]) => left - right)
            .slice(0, MOST)
            .map(([, entry]) => entry),
        ];
      }),
    );
    return [["Orders", await ordersLike(text.trim())], ...groups].filter(([, entries]) => entries.length);
  }

  wholesale.search = { answers, folded };
})();

/** Bought: what a buyer buys, in which baskets, and where. */
(() => {
  "use strict";

  const { decimals, format, objects, parts, view: views } = wholesale;
  const { h, useMemo, useFigures, useLoaded, Loaded, Name, Section, Empty } = wholesale.elements;
  const [NAMED, BASKETS] = [3, 3];

  /** Products by what was spent on them; of filtered views it is not told when each was bought last. */
  function Products({ view, buyer, data }) {
    const { counted } = wholesale.pieces.buyer;
    const isWhole = counted.isWhole(view);
    const where = { ...view.where, buyer: [buyer.buyer_id] };
    const metrics = ["product_sales", "product_units", "product_orders"];
    const of = useFigures(isWhole ? null : { metrics, by: ["product_id"], period: view.period, where });
    const products = useLoaded(() => objects.all("products"), "products");
    const bought = useMemo(() => (isWhole ? counted.products(data, view) : null), [isWhole, data, view.period]);
    const rows = bought ?? of.value?.rows ?? [];
    return h`<${Section} title="Products" note=${`by what it spent, ${wholesale.trends.inWords(view.period)}`}>
      <${Loaded} of=${isWhole || of.error || !of.value ? (isWhole ? products : of) : products}>
        ${() =>
          h`<${Loaded} of=${products}>
            ${(known) =>
              h`<${wholesale.Table} caption="Products" sort="product_sales" size=${8}
                  file=${`products-of-${buyer.buyer_id}`} empty="It bought nothing in this period."
                  columns=${productColumns(known, isWhole)}
                  rows=${rows.map((row) => ({ ...row, key: row.keys.product_id }))} />`}
          <//>`}
      <//>
    <//>`;
  }

  const productColumns = (known, isWhole) =>
    [
      {
        name: "product",
        label: "Product",
        value: ({ keys }) =>
          known.has(keys.product_id) ? objects.productName(known.get(keys.product_id)) : keys.product_id,
        show: ({ keys }) => {
          const product = known.get(keys.product_id);
          return h`
            <${Name} of="product" id=${keys.product_id} name=${product && objects.productName(product)} />
            ${product?.vendor_name && h`<span class="sub" dir="auto">${product.vendor_name}</span>`}
          `;
        },
      },
      isWhole && { name: "course", label: "Trend", type: "course", drop: 1, value: ({ courseOf }) => courseOf() },
      { name: "product_orders", label: "Orders", type: "count", drop: 4 },
      { name: "product_units", label: "Pieces", type: "count", drop: 5 },
      isWhole && {
        name: "last",
        label: "Last",
        type: "date",
        show: ({ last }) => (last ? format.recent(last) : h`<span class="unknown">not known</span>`),
      },
      { name: "product_sales", label: "Spent", type: "bar" },
    ].filter(Boolean);

  /** The last orders with their lines, those that cost most first. */
  async function baskets({ orders, lines }) {
    const products = await objects.all("products");
    return orders
      .filter((row) => row.is_sale)
      .slice(0, BASKETS)
      .map((row) => ({
        row,
        lines: lines
          .filter(({ place }) => place === row.place)
          .toSorted((left, right) => decimals.compare(right.total_price ?? 0, left.total_price ?? 0)),
        nameOf: (line) => objects.lineName({ ...line, product_name: line.title }, products),
      }));
  }

  function Baskets({ buyer, data }) {
    const of = useLoaded(() => baskets(data), buyer.buyer_id);
    return h`<${Section} title="Last orders">
      <${Loaded} of=${of}>
        ${(found) =>
          found.length
            ? h`<ul class="baskets">
              ${found.map(
                ({ row, lines, nameOf }) =>
                  h`<li key=${row.key}>
                    <div class="basket-head">
                      <b>
                        <a class="name" href=${views.hashOf({ page: "order", id: row.order_number ?? row.order_id })}>
                          ${format.day(row.date)}
                        </a>
                      </b>
                      <${Name} of="vendor" id=${row.vendor} name=${row.vendor_name} />
                      <b class="end"><${parts.Amount} row=${row} /></b>
                    </div>
                    <p class="basket" dir="auto">
                      ${lines.slice(0, NAMED).map(
                        (line, place) =>
                          h`
                            ${place > 0 && ", "}${format.count(line.quantity)}${" "}
                            ${
                              line.product_id
                                ? h`<${Name} of="product" id=${line.product_id}>${nameOf(line)}<//>`
                                : nameOf(line)
                            }
                          `,
                      )}
                      ${lines.length > NAMED && ` and ${format.count(lines.length - NAMED)} more`}
                      ${lines.length === 0 && "No lines."}
                    </p>
                  </li>`,
              )}
            </ul>`
            : h`<${Empty} title="No orders yet." />`}
      <//>
    <//>`;
  }

  function Vendors({ view, buyer, data }) {
    const { counted } = wholesale.pieces.buyer;
    const isWhole = counted.isWhole(view);
    const where = { ...view.where, buyer: [buyer.buyer_id] };
    const asked = { metrics: ["sales", "orders"], by: ["vendor"], period: view.period, where };
    const found = useFigures(isWhole ? null : asked);
    const of = isWhole ? { value: { rows: counted.vendors(data, view) } } : found;
    return h`<${Section} title="Where it buys" note=${wholesale.trends.inWords(view.period)}>
      <${Loaded} of=${of}>
        ${({ rows }) =>
          h`<${wholesale.Table} caption="Vendors" sort="sales" size=${8} empty="It bought nothing in this period."
              columns=${[
                {
                  name: "vendor",
                  label: "Vendor",
                  value: ({ names, keys }) => names.vendor ?? keys.vendor,
                  show: ({ names, keys }) => h`<${Name} of="vendor" id=${keys.vendor} name=${names.vendor} />`,
                },
                { name: "sales", label: "Spent", type: "bar" },
              ]}
              rows=${rows.map((row) => ({ ...row, key: row.keys.vendor ?? "" }))} />`}
      <//>
    <//>`;
  }

  wholesale.receive("pages/buyer/bought", { Products, Baskets, Vendors });
})();

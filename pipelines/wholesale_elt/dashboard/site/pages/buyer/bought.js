/** Bought: what a buyer buys, in which baskets, and where. */
(() => {
  "use strict";

  const { decimals, format, objects, orders, parts, view: views } = wholesale;
  const { h, useFigures, useLoaded, Loaded, Name, Section, Empty } = wholesale.elements;
  const NAMED = 3;

  function Products({ view, buyer }) {
    const where = { ...view.where, buyer: [buyer.buyer_id] };
    const of = useFigures({
      metrics: ["product_sales", "product_units", "product_orders"],
      by: ["product_id"],
      period: view.period,
      where,
    });
    const products = useLoaded(() => objects.all("products"), "products");
    return h`<${Section} title="Products" note=${`by what it spent, ${wholesale.trends.inWords(view.period)}`}>
      <${Loaded} of=${products}>
        ${(known) =>
          h`<${Loaded} of=${of}>
            ${({ rows }) =>
              h`<${wholesale.Table} caption="Products" sort="product_sales" size=${8}
                  file=${`products-of-${buyer.buyer_id}`} empty="It bought nothing in this period."
                  columns=${[
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
                    { name: "product_orders", label: "Orders", type: "count" },
                    { name: "product_units", label: "Pieces", type: "count" },
                    { name: "product_sales", label: "Spent", type: "bar" },
                  ]}
                  rows=${rows.map((row) => ({ ...row, key: row.keys.product_id }))} />`}
          <//>`}
      <//>
    <//>`;
  }

  async function baskets(rows) {
    const products = await objects.all("products");
    return Promise.all(
      rows.map(async (row) => ({
        row,
        lines: (await orders.linesOf(row)).toSorted((left, right) =>
          decimals.compare(right.total_price ?? 0, left.total_price ?? 0),
        ),
        nameOf: (line) => objects.lineName(line, products),
      })),
    );
  }

  function Baskets({ rows }) {
    const of = useLoaded(() => baskets(rows), rows.map(({ key }) => key).join());
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

  function Vendors({ view, buyer }) {
    const of = useFigures({
      metrics: ["sales", "orders"],
      by: ["vendor"],
      period: view.period,
      where: { ...view.where, buyer: [buyer.buyer_id] },
    });
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

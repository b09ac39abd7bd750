/** Category: one category with all below it: its course, its parts, its products and who makes and buys them. */
(() => {
  "use strict";

  const { catalogue, format, objects, parts, trends, view: views } = wholesale;
  const { h, useLoaded, Loaded, Link, Name, Section } = wholesale.elements;
  const METRICS = {
    product_sales: "Sales",
    product_units: "Pieces",
    products_sold: "Products sold",
    product_buyers: "Buyers",
  };

  /** Sales of each part of a category, those below a part among them. */
  function Parts({ view, categories, children }) {
    const rows = children.map((title) => ({ title, key: title, all: catalogue.below(categories, title) }));
    return h`<${Section} title="Parts" note=${trends.inWords(view.period)}>
      <ul class="parts-list">${rows.map((row) => h`<${Part} key=${row.key} view=${view} row=${row} />`)}</ul>
    <//>`;
  }

  function Part({ view, row }) {
    const of = wholesale.elements.useFigures({
      metrics: ["product_sales"],
      period: view.period,
      compare: view.compare,
      where: { ...view.where, category: row.all },
    });
    return h`<li>
      <${Name} of="category" id=${row.title} />
      ${
        of.value &&
        h`
          <span class="end">
            ${
              of.value.before &&
              h`<${wholesale.elements.Change} now=${of.value.total.product_sales}
                  before=${of.value.total.product_sales_before} />`
            }
          </span>
          <b data-exact=${of.value.total.product_sales}>${format.compact(of.value.total.product_sales)}</b>
        `
      }
    </li>`;
  }

  function OneCategory({ view, title, categories, products }) {
    const all = catalogue.below(categories, title);
    const children = [...categories.values()]
      .filter((row) => row.parent_category_title === title)
      .map((row) => row.category_title);
    const above = catalogue.above(categories, title);
    const where = { category: all };
    const items = catalogue.items(products);
    const own = [...items.values()].filter((row) => all.includes(row.category_name));
    parts.useNamed("category", title, title);
    return h`
      <${wholesale.Controls} view=${view} />
      <${parts.Head} title=${title}
          facts=${[
            above.length > 0 &&
              h`
                part of${" "}
                ${above.map((name, place) => h`${place > 0 && " / "}<${Name} of="category" id=${name} class="a" />`)}
              `,
            children.length > 0 && format.plural(children.length, "part"),
            `${format.plural(own.length, "product")}${catalogue.offered(own)}`,
            format.plural(new Set(own.map((row) => row.vendor_id)).size, "vendor"),
          ]} />
      <${trends.Trend} view=${view} metrics=${METRICS} where=${where} />
      <${parts.Beside}
          side=${h`
            ${children.length > 0 && h`<${Parts} view=${view} categories=${categories} children=${children} />`}
            <${trends.Sold} view=${view} title="Vendors" by="vendor" metric="product_sales"
                ordersOf=${({ keys }) =>
                  views.linkTo(view, {
                    page: "orders",
                    where: { ...view.where, vendor: [keys.vendor] },
                    own: { category: title },
                  })}
                where=${where} file="vendors-of-category" isShort />
          `}>
        <${trends.Sold} view=${view} ...${trends.ofProducts(items)}
            ordersOf=${({ keys }) => views.linkTo(view, { page: "orders", own: { product: keys.product } })}
            counts=${{ product_units: "Pieces" }} where=${where} file="products-of-category" size=${12} />
        <${trends.Sold} view=${view} title="Buyers" by="buyer" metric="product_sales"
            ordersOf=${({ keys }) =>
              views.linkTo(view, {
                page: "orders",
                where: { ...view.where, buyer: [keys.buyer] },
                own: { category: title },
              })}
            counts=${{ product_units: "Pieces" }} where=${where} file="buyers-of-category" />
      <//>
      <${parts.Foot}>
        Sales of products are those of their lines; cancelled and deleted orders do not count.${" "}
        <${Link} to="orders" where=${view.where} own=${{ category: title }} class="a">The orders with these products<//>
      <//>
    `;
  }

  async function read(id) {
    const [categories, products] = await Promise.all([objects.all("categories"), objects.all("products")]);
    const isKnown = categories.has(id) || [...products.values()].some((row) => row.category_name === id);
    return { categories, products, isKnown };
  }

  function Page({ view }) {
    const of = useLoaded(() => read(view.id), view.id);
    return h`<div>
      <${Loaded} of=${of}>
        ${({ categories, products, isKnown }) =>
          isKnown
            ? h`<${OneCategory} view=${view} title=${view.id} categories=${categories} products=${products} />`
            : h`<${parts.NotHere} what="category" id=${view.id}>
              <a class="more" href=${views.hashOf({ page: "products", own: { by: "category" } })}>All categories</a>
            <//>`}
      <//>
    </div>`;
  }

  wholesale.receive("pages/category", Page);
})();

/** Product: one product, or one size of it: its price and when that changed, its course, and who buys it. */
(() => {
  "use strict";

  const { age, catalogue, charts, decimals, format, objects, parts, trends, view: views } = wholesale;
  const { h, useLoaded, Loaded, Link, Name, Section, Segments, Empty } = wholesale.elements;
  const { Pairs, Unknown } = parts;
  const { Pictures, Options, Description, Together, factsOf: cataloguedFacts } = wholesale.pieces.product;
  const METRICS = {
    product_sales: "Sales",
    product_units: "Pieces",
    product_orders: "Orders",
    average_unit_price: "Average price",
  };
  const USUAL = "";

  function badgeOf(item, size) {
    const row = size ?? item;
    if (row.is_orderable === false)
      return {
        text: row.is_ordered_but_inactive ? "Sold, no longer offered" : "No longer offered",
        tone: row.is_ordered_but_inactive ? "soon" : "gone",
      };
    return row.is_never_ordered ? { text: "Never ordered", tone: "soon" } : null;
  }

  /** One price, or from the least to the most. */
  function priceText({ least_price: least, most_price: most }) {
    if (least === null) return null;
    return decimals.compare(least, most) === 0
      ? format.exact(least)
      : `${format.exact(least)} to ${format.exact(most)}`;
  }

  /** The prices of one size by list, as they are and as they were. */
  function pricesOf(size, tables) {
    const own = (name) => tables(name, ({ product_id: id }) => id === size.product_id);
    const now = new Map(own("prices").map((row) => [row.price_list, row.unit_price]));
    if (size.unit_price !== null) now.set(null, size.unit_price);
    return { steps: catalogue.steps(own("changes"), now), changes: own("changes") };
  }

  /** The list whose steps are drawn: the one that is chosen, or the first that changed. */
  function listIn(view, steps) {
    const names = [...steps.keys()];
    const chosen = names.find((name) => (name ?? USUAL) === view.own.list);
    return chosen !== undefined && view.own.list !== undefined
      ? chosen
      : (names.find((name) => steps.get(name).length > 1) ?? (steps.has(null) ? null : names[0]));
  }

  function Course({ view, steps }) {
    const list = listIn(view, steps);
    const course = steps.get(list);
    const today = age.day();
    const changed = course.filter(({ day }) => day !== null);
    const first = [wholesale.meta.figures_from ?? today, ...changed.map(({ day }) => day)].toSorted()[0];
    const until = [today, ...changed.map(({ day }) => day)].toSorted().at(-1);
    return h`
      <${charts.Steps} steps=${course} first=${first} until=${until} label=${list ?? "Price"} />
      ${
        changed.length === 0 &&
        h`<p class="quiet small">
          No change was seen since the catalogue was first read; a price from before is not known.
        </p>`
      }
    `;
  }

  /** What was sold in the days before a change of a price, and since. */
  function soldAround({ unit_count_before: before, unit_count_after: after, ...change }) {
    const { seen_days_before: daysBefore, seen_days_after: daysAfter } = change;
    if (!daysBefore || before === null || after === null) return "";
    const since = daysAfter
      ? `${format.count(after)} in the ${format.plural(daysAfter, "day")} since`
      : "too new to tell";
    return `${format.plural(before, "piece")} sold in the ${format.plural(daysBefore, "day")} before, ${since}`;
  }

  const named = (list) => list ?? "Usual price";

  function Changes({ steps, changes }) {
    const told = [...steps]
      .flatMap(([name, course]) =>
        course.slice(1).map((step, place) => ({ name, at: step.at, before: course[place].price, after: step.price })),
      )
      .toSorted((left, right) => (left.at < right.at ? 1 : -1));
    if (!told.length) return null;
    const around = (name, at) => changes.find((each) => each.price_list === name && each.observed_at === at);
    return h`<ol class="history spaced">
      ${told.map(({ name, at, before, after }) => {
        const sold = around(name, at) ? soldAround(around(name, at)) : "";
        return h`<li key=${`${name} ${at}`} class="marked">
          <time>${format.moment(at)}</time>${named(name)} <s>${format.exact(before)}</s> → <b>${format.exact(after)}</b>
          <span class=${decimals.compare(after, before) < 0 ? "down" : "up"}>, ${format.change(after, before)}</span>
          ${sold && h`<div class="quiet">${sold}</div>`}
        </li>`;
      })}
    </ol>`;
  }

  /** All prices of a size, the way to draw each, and its changes. */
  function Prices({ view, size, tables }) {
    const { steps, changes } = pricesOf(size, tables);
    if (steps.size === 0)
      return h`<${Section} title="Price" note="all time, whatever the period">
        <${Empty} title="Its price is not known">The catalogue has none, and no price list has one.<//>
      <//>`;
    const list = listIn(view, steps);
    return h`<${Section} title="Price" note="all time, whatever the period">
      <div class="choices-line">
        <${Segments} label="Price list" value=${list ?? USUAL}
            options=${[...steps].map(([name, course]) => [
              name ?? USUAL,
              named(name),
              format.exact(course.at(-1).price),
            ])}
            onChoose=${(key) => views.go({ ...view, own: { ...view.own, list: key === USUAL ? null : key } })} />
      </div>
      <${Course} view=${view} steps=${steps} />
      <${Changes} steps=${steps} changes=${changes} />
    <//>`;
  }

  /** The sizes of a product, those not sold in the period too. */
  function Sizes({ view, item, chosen }) {
    const bySize = new Map(item.sizes.map((size) => [size.product_id, size]));
    const nameOf = (size) => parts.trimmed(size.variant_title) || parts.trimmed(size.sku) || size.product_id;
    return h`<${trends.Sold} view=${view} title=${chosen ? "Other variants" : "Variants"} by="product_id"
        metric="product_sales"
        ordersOf=${({ keys }) => views.linkTo(view, { page: "orders", own: { product: keys.product_id } })}
        counts=${{ product_units: "Pieces" }} where=${{ product: [item.item_id] }} size=${24} file="sizes"
        name=${{
          name: "size",
          label: "Size",
          value: ({ size }) => (size ? nameOf(size) : ""),
          show: ({ keys, size }) =>
            h`
              <${Name} of="product" id=${keys.product_id}>${size ? nameOf(size) : keys.product_id}<//>
              ${size?.sku && h`<span class="sub" dir="auto">${size.sku}</span>`}
            `,
        }}
        columns=${[
          { name: "unit_price", label: "Price", type: "exact", drop: 5, value: ({ size }) => size?.unit_price ?? null },
          item.sizes.some(({ is_orderable: is }) => is === false) && {
            name: "is_orderable",
            label: "On offer",
            value: ({ size }) => (size ? ({ true: "yes", false: "no" }[size.is_orderable] ?? "not known") : null),
          },
        ].filter(Boolean)}
        rowOf=${(row) =>
          chosen?.product_id === row.keys.product_id ? null : { ...row, size: bySize.get(row.keys.product_id) }} />`;
  }

  function onOffer({ is_orderable: isOrderable }) {
    if (isOrderable === null) return h`<${Unknown} />`;
    return isOrderable ? "yes" : h`<span class="down">no</span>`;
  }

  /** What the catalogue says of what is shown, a product or one of its sizes. */
  function InCatalogue({ view, shown, price, skus, facts }) {
    const last = shown.last_ordered_date;
    const lastOrders = views.linkTo(view, { page: "orders", period: last, where: {}, own: { product: view.id } });
    return h`<${Section} title="In the catalogue" note=${`as it is ${wholesale.age.now()}`}>
      <${Pairs}
          rows=${[
            ["Price", price ?? h`<${Unknown} />`],
            shown.msrp && ["Sold to shoppers for", format.exact(shown.msrp)],
            shown.quantity_multiplier > 1 && ["Sold in cartons of", format.plural(shown.quantity_multiplier, "piece")],
            skus.length > 0 && [skus.length === 1 ? "Code" : "Codes", skus.join(", ")],
            ...facts,
            ["On offer", onOffer(shown)],
            ["Last sold", last ? h`<a href=${lastOrders}>${format.date(last)}</a>` : "never"],
          ]} />
    <//>`;
  }

  function WhereSold({ view, where }) {
    const nameOf = ({ keys, names }) => names.state ?? keys.state ?? "Not known";
    const only = ({ keys }) => views.hashOf(views.changed(view, { where: { state: [keys.state] } }));
    return h`<${trends.Sold} view=${view} title="Where it sells" by="state" metric="product_sales" where=${where}
        isShort
        name=${{
          name: "state",
          label: "State",
          value: nameOf,
          show: (row) => h`<a class="name" href=${only(row)}>${nameOf(row)}</a>`,
        }} />`;
  }

  function Buyers({ view, where }) {
    const ordersOf = ({ keys }) =>
      views.linkTo(view, {
        page: "orders",
        where: { ...view.where, buyer: [keys.buyer] },
        own: { product: view.id },
      });
    return h`<${trends.Sold} view=${view} title="Buyers" by="buyer" metric="product_sales" ordersOf=${ordersOf}
        counts=${{ product_orders: "Orders", product_units: "Pieces" }} where=${where} file="buyers-of-product"
        empty="Nobody bought it in this period." />`;
  }

  /** The facts below the name. */
  function factsOf({ shown, item, size, price, skus }) {
    return [
      h`by <${Name} of="vendor" id=${shown.vendor_id} name=${shown.vendor_name} class="a" />`,
      shown.category_name
        ? h`<${Name} of="category" id=${shown.category_name} class="a" />`
        : h`<${Unknown}>category not known<//>`,
      shown.brand_name && h`brand <span dir="auto">${shown.brand_name}</span>`,
      price ?? h`<${Unknown}>price not known<//>`,
      skus.length > 0 &&
        h`<span dir="auto">${skus.length > 3 ? `${format.count(skus.length)} codes` : skus.join(", ")}</span>`,
      size &&
        h`one of <${Name} of="product" id=${item.key} class="a">${format.plural(item.sizes.length, "variant")}<//>`,
      shown.first_ordered_date ? `first sold ${format.date(shown.first_ordered_date)}` : "not sold yet",
    ];
  }

  function OneProduct({ view, found: { item, size, tables, products } }) {
    const shown = size ?? item;
    const only = size ?? (item.sizes.length === 1 ? item.sizes[0] : null);
    const called = item.sizes.find(({ product_id: id }) => id === view.id);
    const name = called ? objects.productName(called) : catalogue.itemName(item);
    parts.useNamed("product", view.id, name);
    const where =
      only || !item.item_id ? { product_id: [(only ?? item.sizes[0]).product_id] } : { product: [item.item_id] };
    const price = only ? (only.unit_price === null ? null : format.exact(only.unit_price)) : priceText(item);
    const skus = only ? [only.sku].filter(Boolean) : item.skus;
    return h`
      <${wholesale.Controls} view=${view} />
      <${parts.Head} title=${name} badge=${badgeOf(item, only)}
          facts=${factsOf({ shown, item, size, price, skus })} />
      <${trends.Trend} view=${view} metrics=${METRICS} where=${where} />
      <${parts.Beside}
          side=${h`
            <${Pictures} item=${item} part=${shown.part} tables=${tables} name=${name} />
            <${InCatalogue} view=${view} shown=${shown} price=${price} skus=${skus}
                facts=${cataloguedFacts(only, tables)} />
            <${Options} item=${item} size=${only} tables=${tables} />
            <${WhereSold} view=${view} where=${where} />
            <${Description} item=${item} tables=${tables} />
          `}>
        ${only && h`<${Prices} view=${view} size=${only} tables=${tables} />`}
        ${item.sizes.length > 1 && h`<${Sizes} view=${view} item=${item} chosen=${size} />`}
        <${Together} item=${item} sizes=${only ? [only] : item.sizes} tables=${tables} products=${products} />
        <${Buyers} view=${view} where=${where} />
        <${parts.NewestOrders} view=${view} where=${view.where} own=${{ product: view.id }} without=${["vendor"]} />
      <//>
      <${parts.Foot}>
        Its sales are those of its lines; cancelled and deleted orders do not count.${" "}
        <${Link} to="orders" where=${view.where} own=${{ product: view.id }} class="a">
          The orders with it in this period
        <//>
      <//>
    `;
  }

  /** A product with what the part that it is in has of it. */
  async function read(id) {
    const products = await objects.all("products");
    const found = catalogue.find(products, id);
    return found && { ...found, products, tables: await objects.ofProduct(found.item) };
  }

  function Page({ view }) {
    const of = useLoaded(() => read(view.id), view.id);
    return h`<div>
      <${Loaded} of=${of.isOld ? {} : of}>
        ${(found) =>
          found
            ? h`<${OneProduct} view=${view} found=${found} />`
            : h`<${parts.NotHere} what="product" id=${view.id}>
              <a class="more" href=${views.hashOf({ page: "products" })}>All products</a>
            <//>`}
      <//>
    </div>`;
  }

  wholesale.receive("pages/product", Page);
})();

/** Products: what sells, and what does not: products, their sizes, or categories, in one table. */
(() => {
  "use strict";

  const { catalogue, controls, format, objects, parts, trends, view: views } = wholesale;
  const { h, useState, useFigures, useLoaded, Loaded, Link, Name, Section, Segments } = wholesale.elements;
  const METRICS = {
    product_sales: "Sales",
    product_units: "Pieces",
    products_sold: "Products sold",
    product_buyers: "Buyers",
  };
  const COUNTS = { product_buyers: "Buyers", product_units: "Pieces" };
  const KINDS = { product: "Products", product_id: "Sizes", category: "Categories" };
  const [SOLD, UNSOLD, ALL] = ["sold", "unsold", "all"];

  /** What there is of a kind, by its key, whether it was sold or not. */
  async function catalogueOf(kind) {
    if (kind === "category") {
      const categories = await objects.all("categories");
      return new Map(
        [...categories.values()].map((row) => [
          row.category_title,
          { ...row, name: row.category_title, also: row.parent_category_title, page: "category" },
        ]),
      );
    }
    const products = await objects.all("products");
    const own = kind === "product" ? catalogue.items(products) : products;
    const nameOf = kind === "product" ? catalogue.itemName : objects.productName;
    return new Map(
      [...own].map(([key, row]) => [
        key,
        {
          ...row,
          name: nameOf(row),
          page: "product",
          also: [row.vendor_name, row.category_name, row.brand_name, ...(row.skus ?? [row.sku])]
            .filter(Boolean)
            .join(" "),
        },
      ]),
    );
  }

  /** Whether something passes the filters that are about vendors, so that it can count as not sold. */
  const isOf = (row, where) =>
    Object.keys(where).every((name) => name === "vendor") && (!where.vendor || where.vendor.includes(row.vendor_id));

  /** All rows: what was sold, and what could have been. */
  function merged(answer, known, by, where) {
    const sold = new Map(answer.rows.map((row) => [row.keys[by], row]));
    const none = answer.total.product_buyers === null ? null : 0;
    const found = answer.rows.map((row) => ({
      ...known.get(row.keys[by]),
      ...row,
      key: row.keys[by] ?? "",
      name: known.get(row.keys[by])?.name ?? objects.nameOf(row.keys[by], row.names[by]),
    }));
    const nothing = { product_sales: none, product_units: none, product_buyers: none, product_orders: none };
    for (const [key, row] of known) {
      if (!sold.has(key) && isOf(row, where)) found.push({ ...row, key, keys: { [by]: key }, ...nothing });
    }
    return found;
  }

  const KEPT = {
    [SOLD]: (row) => row.product_orders > 0,
    [UNSOLD]: (row) => !(row.product_orders > 0),
    [ALL]: () => true,
  };

  function Called({ row }) {
    const sizes = row.sizes?.length > 1 ? format.plural(row.sizes.length, "size") : row.sizes ? null : row.sku;
    return h`
      <${Name} of=${row.page ?? "product"} id=${row.key} name=${row.name} />
      ${sizes && h`<span class="sub" dir="auto">${sizes}</span>`}
    `;
  }

  function noteOn(row) {
    if (row.is_orderable === false && row.product_orders > 0) return h`<span class="unknown">No longer offered</span>`;
    if (row.is_never_ordered) return h`<span class="quiet">Never ordered</span>`;
    return "";
  }

  /** What is told of products that were not sold: when they were, for how much, and what they made before. */
  function unsoldColumns(rows, { compare }) {
    return [
      {
        name: "last_ordered_date",
        label: "Last sold",
        type: "date",
        show: ({ last_ordered_date: last }) => (last ? format.date(last) : h`<span class="quiet">Never</span>`),
      },
      { name: "least_price", label: "Price", type: "exact", value: (row) => row.least_price ?? row.unit_price ?? null },
      rows.some(({ product_sales_before: before }) => Number(before ?? 0) > 0) && {
        name: "product_sales_before",
        label: format.word(controls.COMPARED[compare]),
        type: "bar",
      },
    ].filter(Boolean);
  }

  const ofCategory = [
    { name: "name", label: "Category", show: (row) => h`<${Called} row=${row} />` },
    {
      name: "parent_category_title",
      label: "Part of",
      show: ({ parent_category_title: title }) => (title ? h`<${Name} of="category" id=${title} />` : ""),
    },
  ];
  const ofProduct = [
    { name: "name", label: "Product", show: (row) => h`<${Called} row=${row} />` },
    {
      name: "vendor_name",
      label: "Vendor",
      show: (row) => h`<${Name} of="vendor" id=${row.vendor_id} name=${row.vendor_name} />`,
    },
    {
      name: "category_name",
      label: "Category",
      show: ({ category_name: name }) => (name ? h`<${Name} of="category" id=${name} />` : format.NONE),
    },
  ];
  const NOTE = {
    name: "is_orderable",
    label: "Note",
    show: noteOn,
    value: (row) => {
      if (row.is_orderable === false && row.product_orders > 0) return "no longer offered";
      return row.is_never_ordered ? "never ordered" : "";
    },
  };

  /** Columns of what is shown: what it is, and what was sold of it, or when it was if it was not. */
  function columnsOf({ view, kind, show, rows, before, over }) {
    const isCategory = kind === "category";
    const of = isCategory ? "category" : "product";
    const isNoted = !isCategory && rows.some((row) => noteOn(row));
    const what = [...(isCategory ? ofCategory : ofProduct), ...(isNoted ? [NOTE] : [])];
    if (show === UNSOLD) return [...what, ...unsoldColumns(rows, view)];
    const sold = trends.soldColumns({
      metric: "product_sales",
      counts: COUNTS,
      before,
      courseOf: trends.courses(over, kind, "product_sales", view),
      by: kind,
      ordersOf: (row) => views.linkTo(view, { page: "orders", own: { [of]: row.key } }),
    });
    return [...what, ...sold];
  }

  /** What is listed, and which of it, each choice with how many there are. */
  function Kinds({ view, kind, show, rows }) {
    const choose = (own) => views.go(views.changed(view, { own }));
    const choices = [
      [SOLD, "Sold"],
      [UNSOLD, "Not sold"],
      [ALL, "All"],
    ];
    return h`<div class="choices-line">
      <${Segments} label="Listed by" value=${kind} options=${Object.entries(KINDS)}
          onChoose=${(key) => choose({ by: key === "product" ? null : key })} />
      <${Segments} label="Which" value=${show} onChoose=${(key) => choose({ show: key === SOLD ? null : key })}
          options=${choices.map(([key, text]) => [key, text, format.count(rows.filter(KEPT[key]).length)])} />
    </div>`;
  }

  function emptyText(show, wanted) {
    if (wanted) return "Nothing is called like that.";
    return show === UNSOLD ? "Everything was sold in this period." : "Nothing was sold in this period.";
  }

  function List({ view, kind }) {
    const { period, compare, where } = view;
    const [typed, type] = useState("");
    const metrics = ["product_sales", "product_units", "product_buyers", "product_orders"];
    const of = useFigures({ metrics, by: [kind], period, compare, where });
    const over = useFigures({ metrics: ["product_sales"], by: [kind], grain: trends.grainOf(view), period, where });
    const known = useLoaded(() => catalogueOf(kind), kind);
    const show = KEPT[view.own.show] ? view.own.show : SOLD;
    const wanted = typed.trim().toLowerCase();
    const isCategory = kind === "category";
    const listed = (catalogued, answer) => {
      if (known.isOld || (answer.rows[0] && !(kind in answer.rows[0].keys)))
        return h`<div class="waiting" aria-hidden="true"></div>`;
      const rows = merged(answer, catalogued, kind, where);
      const shown = rows
        .filter(KEPT[show])
        .filter(({ name, also }) => !wanted || `${name} ${also ?? ""}`.toLowerCase().includes(wanted));
      const columns = columnsOf({ view, kind, show, rows: shown, before: answer.before, over: over.value });
      return h`<${Section} title=${KINDS[kind]} note=${trends.inWords(period)}
          more=${h`<input class="filter-field" type="search"
              placeholder=${isCategory ? "Name" : "Name, code, vendor"} aria-label=${`${KINDS[kind]} by what is typed`}
              value=${typed} onInput=${(event) => type(event.target.value)} />`}>
        <${Kinds} view=${view} kind=${kind} show=${show} rows=${rows} />
        <${wholesale.Table} key=${`${kind}/${show}/${wanted}`} caption=${KINDS[kind]} by=${kind}
            sort=${show === UNSOLD ? "product_sales_before" : "product_sales"} size=${25}
            file=${isCategory ? "categories" : "products"} rows=${shown} empty=${emptyText(show, wanted)}
            columns=${columns} />
      <//>`;
    };
    return h`<${Loaded} of=${known}>
      ${(catalogued) => h`<${Loaded} of=${of} rows=${25}>${(answer) => listed(catalogued, answer)}<//>`}
    <//>`;
  }

  function Page({ view }) {
    const kind = KINDS[view.own.by] ? view.own.by : "product";
    return h`<div>
      <${wholesale.Controls} view=${view} />
      <${trends.Trend} view=${view} metrics=${METRICS} />
      <${List} key=${kind} view=${view} kind=${kind} />
      <${parts.Foot} aside=${trends.notOver(view)}>
        Sales of products are those of their lines. Cancelled and deleted orders do not count.${" "}
        <${Link} to="orders" where=${view.where} class="a">The orders behind these figures<//>
      <//>
    </div>`;
  }

  wholesale.receive("pages/products", Page);
})();

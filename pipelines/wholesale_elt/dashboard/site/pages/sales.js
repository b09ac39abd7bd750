/** Sales: how business is, and what moved. */
(() => {
  "use strict";

  const { controls, days, decimals, format, objects, orders, parts, trends, view: views } = wholesale;
  const { h, useFigures, useLoaded, Loaded, Section, Segments, Name, Link, OrderNumber, Icon } = wholesale.elements;
  const { longName, outliersOf, partsOf } = wholesale.axes;
  const { Moved } = wholesale.charts;
  const METRICS = { sales: "Sales", orders: "Orders", active_buyers: "Buyers", average_order_value: "Average order" };
  const BY = { buyer: "Buyer", vendor: "Vendor", product: "Product", category: "Category", state: "State" };
  const OF_LINES = ["product", "category"];
  const WAYS = { buyer: "buyer", vendor: "vendor", product: "product", category: "category" };
  const LARGE = 0.4;

  /** The same page for one member alone; null if it cannot be counted so. */
  const onlyIn =
    (view, by) =>
    ({ keys }) =>
      views.FILTERS.includes(by) ? views.hashOf(views.changed(view, { where: { [by]: [keys[by]] } })) : null;

  /** What a row is of: a link to its page, or a way to count it alone. */
  function nameIn(view, by) {
    return (row) => {
      const { keys, names } = row;
      if (WAYS[by]) return h`<${Name} of=${WAYS[by]} id=${keys[by]} name=${names[by]} />`;
      if (by === "state")
        return h`<a class=${keys.state === null ? "name unknown" : "name"} href=${onlyIn(view, by)(row)}>
          ${names.state ?? keys.state ?? "Not known"}
        </a>`;
      return objects.nameOf(keys[by], names[by]);
    };
  }

  /** The order that makes a part of the period what it is, if one does. */
  async function cause({ where }, { first, last }, whole) {
    const view = { where, period: `${days.text(first)}..${days.text(last)}` };
    const found = await orders.first(view, Infinity, { isBrief: true });
    const most = found
      .filter((row) => row.is_sale && row.amount !== null)
      .reduce((top, row) => (top && decimals.compare(top.amount, row.amount) >= 0 ? top : row), null);
    if (!most || Number(most.amount) < LARGE * whole) return null;
    return (await orders.rowsAt(most.month, [most.place]))[0];
  }

  /** What stands out of the chart, by name. */
  function Outlier({ view, part, metric, grain }) {
    const of = useLoaded(
      () => (metric === "sales" ? cause(view, part, part.now) : Promise.resolve(null)),
      JSON.stringify([part.day, grain, view.where]),
    );
    if (of.value === undefined) return null;
    const row = of.value;
    return h`<li>
      <i aria-hidden="true"></i>${longName(part, grain)} stands out, with ${format.metric(metric, String(part.now))}
      ${
        row
          ? h`
            : order <${OrderNumber} number=${row.order_number} id=${row.order_id} /> of${" "}
            <${Name} of="buyer" id=${row.buyer} name=${row.buyer_name} class="a" /> alone is${" "}
            ${format.amount(row.amount)}.
          `
          : "; no single order makes it."
      }
    </li>`;
  }

  /** What stands out of the chart of a figure that adds up. */
  function Outliers({ view, metric, rows, span, grain }) {
    if (wholesale.meta.metrics[metric].parts || metric === "active_buyers") return null;
    const byDay = new Map(rows.map((row) => [row.day, Number(row[metric] ?? 0)]));
    const all = partsOf(span, grain)
      .filter(({ first, last }) => first <= last)
      .map((part) => ({ ...part, now: byDay.get(part.day) ?? 0 }));
    const odd = outliersOf(all.map(({ now }) => now));
    return (
      odd.length > 0 &&
      h`<ul class="odd-note">
        ${odd.map(
          (place) =>
            h`<${Outlier} key=${all[place].day} view=${view} part=${all[place]} metric=${metric} grain=${grain} />`,
        )}
      </ul>`
    );
  }

  /** The whole change, in words. */
  function movedText(total, metric, compare) {
    const by = decimals.units(total[metric] ?? "0") - decimals.units(total[`${metric}_before`] ?? "0");
    if (by === 0n) return "";
    const size = format.compact(decimals.text(by < 0n ? -by : by));
    return `${size} ${by < 0n ? "less" : "more"} than ${controls.COMPARED[compare]}`;
  }

  /** What moved; of buyers the tiles ask the same. */
  function movedQuestion({ metric, by, ...asked }) {
    const ofTiles = wholesale.why.questionOf({ metrics: Object.keys(METRICS), ...asked });
    return ofTiles?.by[0] === by ? ofTiles : { metrics: [metric], by: [by], ...asked };
  }

  function What({ view }) {
    const { period, compare, where, own } = view;
    const by = BY[own.by] ? own.by : "buyer";
    const metric = OF_LINES.includes(by) ? "product_sales" : "sales";
    const isCompared = compare !== "none" && period !== "all_time";
    const of = useFigures(isCompared ? movedQuestion({ metric, by, period, compare, where }) : null);
    if (!isCompared) return null;
    if (of.value && !of.isOld && !of.value.before) return null;
    // Rows of another dimension have no member of this one, and cannot stand in for its own.
    const isOther = of.value?.rows.length > 0 && !(by in of.value.rows[0].keys);
    return h`<${Section} title="What moved" note=${of.value && !of.isOld && movedText(of.value.total, metric, compare)}
        more=${h`<${Segments} label="By" options=${Object.entries(BY)} value=${by}
            onChoose=${(chosen) =>
              views.go(views.changed(view, { own: { by: chosen === "buyer" ? null : chosen } }))} />`}>
      <${Loaded} of=${isOther ? { ...of, value: undefined } : of} rows=${8} key=${by}>
        ${({ rows, total }) =>
          h`
            <${Moved} rows=${rows} metric=${metric} label=${BY[by]} nameOf=${nameIn(view, by)}
                onlyOf=${onlyIn(view, by)} />
            <${parts.MovedFigures} rows=${rows} metric=${metric} total=${total} label=${BY[by]}
                nameOf=${nameIn(view, by)} file=${`what-moved-by-${by}`} />
          `}
      <//>
    <//>`;
  }

  function Page({ view }) {
    const all = (page) => h`<${Link} to=${page} where=${view.where} class="more">All<${Icon} name="right" /><//>`;
    const ordersOf =
      (by) =>
      ({ keys }) =>
        views.linkTo(view, {
          page: "orders",
          ...(by === "vendor"
            ? { where: { ...view.where, vendor: [keys.vendor] } }
            : { own: { product: keys.product } }),
        });
    return h`<div>
      <${wholesale.Controls} view=${view} />
      <${trends.Trend} view=${view} metrics=${METRICS}>${(drawn) => h`<${Outliers} view=${view} ...${drawn} />`}<//>
      <${What} view=${view} />
      <div class="halves">
        <${trends.Sold} view=${view} title="Products" note="" by="product" metric="product_sales"
            counts=${{ product_orders: "" }} ordersOf=${ordersOf("product")} more=${all("products")} file="products" />
        <${trends.Sold} view=${view} title="Vendors" note="" by="vendor" metric="sales" counts=${{ orders: "" }}
            ordersOf=${ordersOf("vendor")} more=${all("vendors")} file="vendors" />
      </div>
      <${parts.Foot} aside=${trends.notOver(view)}>
        <${Link} to="orders" where=${view.where} class="a">The orders behind these figures<//>
      <//>
    </div>`;
  }

  wholesale.receive("pages/sales", Page);
})();

/** Vendor: one vendor: its score, what it sells to whom, its minimums, and how fast it ships. */
(() => {
  "use strict";

  const { catalogue, charts, decimals, format, objects, orders, parts, trends, view: views } = wholesale;
  const { h, useFigures, useLoaded, Loaded, Link, Section, Tile, Empty } = wholesale.elements;
  const { asked, readSteps, Terms } = wholesale.pieces.vendor;
  const { Unknown } = parts;
  const METRICS = { sales: "Sales", orders: "Orders", active_buyers: "Buyers", average_order_value: "Average order" };
  const TONES = { done: "pine", sent: "pine", accepted: "amber", waiting: "amber" };
  const NEEDED = ["order_status", "is_cancelled", "is_deleted", "is_near_miss"];

  /** How the orders of a period went: how many were cancelled, are below the minimum, or nearly reach it. */
  async function scoreOf(view, vendorId) {
    const { vendor: _, ...where } = view.where;
    const known = await wholesale.prepared.scoreOf(vendorId, { ...view, where });
    if (known) return { ...known, nearSales: decimals.units(known.near_sales), states: new Map(known.states) };
    const score = { placed: 0, cancelled: 0, below: 0, near: 0, nearSales: 0n, states: new Map() };
    await orders.each(
      { ...view, where: { ...where, vendor: [vendorId] }, own: {} },
      (rows) => {
        for (const row of rows) {
          if (row.is_deleted) continue;
          score.placed += 1;
          if (!row.is_sale) {
            score.cancelled += 1;
            continue;
          }
          const state = row.order_status ?? null;
          score.states.set(state, (score.states.get(state) ?? 0) + 1);
          if (row.is_near_miss !== null) score.below += 1;
          if (row.is_near_miss) {
            score.near += 1;
            score.nearSales += decimals.units(row.amount ?? "0");
          }
        }
      },
      { names: NEEDED },
    );
    return score;
  }

  /** The share of a vendor in all sales. */
  function Share({ view: { period, compare }, all, total, before }) {
    const part = (ending = "") => {
      const whole = decimals.units(all[`sales${ending}`] ?? "0");
      return whole > 0n ? decimals.ratio(decimals.units(total[`sales${ending}`] ?? "0"), whole) : null;
    };
    return h`<${Tile} label="Share of all sales" name="share" figure=${format.share(part())} exact=${part()}
        note=${
          before ? `${format.share(part("_before"))} ${wholesale.controls.COMPARED[compare]}` : trends.inWords(period)
        } />`;
  }

  /** How many orders are just below the minimum, and what is told where none is. */
  function Near({ vendor, score: { below, near, nearSales }, href }) {
    const all = `${format.count(below)} below it in all`;
    const none = asked(vendor) ? all : vendor.is_listed ? "it asks for none" : "its minimum is not known";
    return h`<${Tile} label="Just below its minimum" name="near" href=${near ? href : undefined}
        isUnknown=${!vendor.is_listed && below === 0} figure=${format.count(near)}
        note=${near ? `worth ${format.compact(decimals.text(nearSales))}; ${all}` : none} />`;
  }

  function Score({ view, vendor, score }) {
    const { period, compare, where } = view;
    const { vendor: _, ...others } = where;
    const share = useFigures({ metrics: ["sales"], period, compare, where: others });
    const own = useFigures({ metrics: ["sales"], period, compare, where: { ...where, vendor: [vendor.vendor_id] } });
    const steps = useLoaded(() => readSteps(vendor.vendor_id), vendor.vendor_id);
    const to = (choices) =>
      views.linkTo(view, { page: "orders", where: { ...where, vendor: [vendor.vendor_id] }, own: choices });
    const shipped = steps.value?.find(({ step }) => step === "sent");
    return h`<div class="tiles score">
      <${Loaded} of=${share}>
        ${() =>
          h`<${Loaded} of=${own}>
            ${({ total, before }) =>
              h`<${Share} view=${view} all=${share.value.total} total=${total} before=${before} />`}
          <//>`}
      <//>
      <${Loaded} of=${score}>
        ${({ placed, cancelled }) =>
          h`<${Tile} label="Cancelled" name="cancelled" href=${cancelled ? to({ kind: "cancelled" }) : undefined}
              figure=${placed ? format.share(cancelled / placed) : format.NONE}
              note=${
                placed
                  ? `${format.count(cancelled)} of ${format.plural(placed, "order")}, ${trends.inWords(period)}`
                  : "no order in this period"
              } />`}
      <//>
      <${Loaded} of=${steps}>
        ${() =>
          h`<${Tile} label="Usual days to ship" name="usual_days_to_ship" isUnknown=${!shipped}
              figure=${shipped && (shipped.median_days === 0 ? "same day" : format.plural(shipped.median_days, "day"))}
              note=${shipped ? `${format.within(shipped)}, all time` : "no order was seen to ship yet"} />`}
      <//>
      <${Loaded} of=${score}>
        ${(counts) => h`<${Near} vendor=${vendor} score=${counts} href=${to({ below: "near" })} />`}
      <//>
    </div>`;
  }

  function Standing({ view, vendor, score }) {
    return h`<${Section} title="Where its orders stand" note=${trends.inWords(view.period)}>
      <${Loaded} of=${score}>
        ${({ states, cancelled, placed }) =>
          placed
            ? h`<${charts.Stacked}
                parts=${[
                  ...[...states]
                    .toSorted(([, left], [, right]) => right - left)
                    .map(([state, count]) => ({
                      label: format.word(state),
                      value: count,
                      text: format.count(count),
                      tone: TONES[format.standing(state)] ?? "grey",
                      href: views.linkTo(view, {
                        page: "orders",
                        where: { ...view.where, vendor: [vendor.vendor_id], order_status: [state] },
                      }),
                    })),
                  cancelled > 0 && {
                    label: "Cancelled",
                    value: cancelled,
                    text: format.count(cancelled),
                    tone: "clay",
                    href: views.linkTo(view, {
                      page: "orders",
                      where: { ...view.where, vendor: [vendor.vendor_id] },
                      own: { kind: "cancelled" },
                    }),
                  },
                ].filter(Boolean)} />`
            : h`<${Empty} title="No order in this period." />`}
      <//>
    <//>`;
  }

  function OneVendor({ view, vendor }) {
    const where = { vendor: [vendor.vendor_id] };
    const products = useLoaded(() => objects.all("products"), "products");
    const items = products.value ? catalogue.items(products.value) : new Map();
    const own = [...items.values()].filter((row) => row.vendor_id === vendor.vendor_id);
    const score = useLoaded(
      () => scoreOf(view, vendor.vendor_id),
      JSON.stringify([vendor.vendor_id, view.period, view.where]),
    );
    return h`
      <${wholesale.Controls} view=${view} filters=${views.FILTERS.filter((name) => name !== "vendor")} />
      <${parts.Head} title=${objects.vendorName(vendor)}
          badge=${vendor.is_deleted ? { text: "Deleted", tone: "gone" } : null}
          facts=${[
            parts.place(vendor) || h`<${Unknown}>place not known<//>`,
            vendor.first_ordered_date ? `sells since ${format.date(vendor.first_ordered_date)}` : "nothing sold yet",
            products.value && `${format.plural(own.length, "product")}${catalogue.offered(own)}`,
            vendor.is_listed
              ? asked(vendor)
                ? `asks for ${asked(vendor)} at least`
                : "no minimum order"
              : h`<${Unknown}>minimum order not known<//>`,
          ]} />
      <${Score} view=${view} vendor=${vendor} score=${score} />
      <${trends.Trend} view=${view} metrics=${METRICS} where=${where} />
      <${parts.Beside}
          side=${h`<${Standing} view=${view} vendor=${vendor} score=${score} /><${Terms} vendor=${vendor} />`}>
        <${trends.Sold} view=${view} ...${trends.ofProducts(items)}
            ordersOf=${({ keys }) =>
              views.linkTo(view, {
                page: "orders",
                where: { ...view.where, ...where },
                own: { product: keys.product },
              })}
            counts=${{ product_buyers: "Buyers", product_units: "Pieces" }} where=${where} file="products-of-vendor" />
        <${trends.Sold} view=${view} title="Buyers" by="buyer" metric="sales"
            ordersOf=${({ keys }) =>
              views.linkTo(view, { page: "orders", where: { ...view.where, ...where, buyer: [keys.buyer] } })}
            counts=${{ orders: "Orders" }} where=${where} file="buyers-of-vendor" />
        <${parts.NewestOrders} view=${view} where=${{ ...view.where, ...where }} without=${["vendor"]} />
      <//>
      <${parts.Foot}>
        Cancelled and deleted orders do not count as sales.${" "}
        <${Link} to="orders" where=${{ ...view.where, ...where }} class="a">The orders behind these figures<//>
      <//>
    `;
  }

  function Page({ view }) {
    const of = parts.useObject("vendors", "vendor", view.id, objects.vendorName);
    return h`<div>
      <${Loaded} of=${of.isOld ? {} : of}>
        ${(vendor) =>
          vendor
            ? h`<${OneVendor} view=${view} vendor=${vendor} />`
            : h`<${parts.NotHere} what="vendor" id=${view.id}>
              <a class="more" href=${views.hashOf({ page: "vendors" })}>All vendors</a>
            <//>`}
      <//>
    </div>`;
  }

  wholesale.receive("pages/vendor", Page);
})();

/** Vendors: how each does, in one table. */
(() => {
  "use strict";

  const { decimals, format, objects, parts, trends } = wholesale;
  const { h, useState, useFigures, useLoaded, Loaded, Link, Name, Section } = wholesale.elements;
  const METRICS = { sales: "Sales", orders: "Orders", active_buyers: "Buyers", average_order_value: "Average order" };

  /** All vendors, also those without a sale; a filter about orders leaves out those. */
  function merged({ rows, total }, vendors, where) {
    const sold = new Map(rows.map((row) => [row.keys.vendor, row]));
    const all = decimals.units(total.sales ?? "0");
    const found = rows.map((row) => ({
      ...vendors.get(row.keys.vendor),
      ...row,
      key: row.keys.vendor ?? "",
      name: objects.nameOf(row.keys.vendor, vendors.get(row.keys.vendor)?.vendor_name || row.names.vendor),
      share: all > 0n ? decimals.ratio(decimals.units(row.sales ?? "0"), all) : null,
    }));
    const none = total.orders === null ? null : 0;
    const nothing = {
      sales: none,
      orders: none,
      active_buyers: none,
      average_order_value: null,
      orders_below_minimum_value: none,
      share: null,
    };
    const isOfVendors = Object.keys(where).every((name) => name === "vendor");
    for (const [key, row] of vendors) {
      const isListed =
        !sold.has(key) && !row.is_deleted && isOfVendors && (!where.vendor || where.vendor.includes(key));
      if (isListed) found.push({ ...row, key, keys: { vendor: key }, name: objects.vendorName(row), ...nothing });
    }
    return found;
  }

  /** Columns of all vendors; `only` is where their orders are, beside the filters of the view. */
  function columnsOf({ view, before, over, only }) {
    const [course, ...figures] = trends.soldColumns({
      metric: "sales",
      before,
      courseOf: trends.courses(over, "vendor", "sales", view),
      by: "vendor",
      ordersOf: (row) => wholesale.view.linkTo(view, { page: "orders", where: only(row) }),
    });
    return [
      { name: "name", label: "Vendor", show: (row) => h`<${Name} of="vendor" id=${row.key} name=${row.name} />` },
      { name: "place", label: "Place", value: parts.place },
      course,
      {
        name: "orders",
        label: "Orders",
        type: "count",
        show: (row) => h`<${Link} to="orders" where=${only(row)}>${format.count(row.orders)}<//>`,
      },
      { name: "active_buyers", label: "Buyers", type: "count" },
      { name: "average_order_value", label: "Average order", type: "amount" },
      {
        name: "orders_below_minimum_value",
        label: "Below minimum",
        type: "count",
        show: ({ orders_below_minimum_value: below, ...row }) =>
          below
            ? h`<${Link} to="orders" where=${only(row)} own=${{ below: "minimum" }}>${format.count(below)}<//>`
            : format.count(below),
      },
      { name: "share", label: "Share", type: "share" },
      ...figures,
    ];
  }

  function List({ view }) {
    const { period, compare, where } = view;
    const [typed, type] = useState("");
    const metrics = ["sales", "orders", "active_buyers", "average_order_value", "orders_below_minimum_value"];
    const of = useFigures({ metrics, by: ["vendor"], period, compare, where });
    const over = useFigures({ metrics: ["sales"], by: ["vendor"], grain: trends.grainOf(view), period, where });
    const only = (row) => ({ ...where, vendor: [row.key === "" ? null : row.key] });
    const vendors = useLoaded(() => objects.all("vendors"), "vendors");
    const wanted = typed.trim().toLowerCase();
    const listed = (known, answer) => {
      const rows = merged(answer, known, where);
      const shown = rows.filter((row) => !wanted || `${row.name} ${row.city ?? ""}`.toLowerCase().includes(wanted));
      return h`<${Section} title=${format.plural(rows.length, "vendor")} note=${trends.inWords(period)}
          more=${h`<input class="filter-field" type="search" placeholder="Name or place"
              aria-label="Vendors by name or place" value=${typed} onInput=${(event) => type(event.target.value)} />`}>
        <${wholesale.Table} key=${wanted} caption="Vendors" by="vendor" sort="sales" size=${50} file="vendors"
            rows=${shown} empty=${wanted ? "No vendor is called like that." : "No vendor yet."}
            columns=${columnsOf({ view, before: answer.before, over: over.value, only })} />
      <//>`;
    };
    return h`<${Loaded} of=${vendors}>
      ${(known) => h`<${Loaded} of=${of} rows=${25}>${(answer) => listed(known, answer)}<//>`}
    <//>`;
  }

  function Page({ view }) {
    return h`<div>
      <${wholesale.Controls} view=${view} />
      <${trends.Trend} view=${view} metrics=${METRICS} />
      <${List} view=${view} />
      <${parts.Foot} aside=${trends.notOver(view)}>
        Cancelled and deleted orders do not count.${" "}
        <${Link} to="orders" where=${view.where} class="a">The orders behind these figures<//>
      <//>
    </div>`;
  }

  wholesale.receive("pages/vendors", Page);
})();

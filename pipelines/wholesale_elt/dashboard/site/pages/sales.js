/** Sales: how business is, and what moved. */
(() => {
  "use strict";

  const { format, controls } = wholesale;
  const { h, useFigures, Loaded, Change, Section, Tile, Name } = wholesale.elements;
  const METRICS = ["sales", "orders", "active_buyers", "average_order_value"];
  const LABELS = { sales: "Sales", orders: "Orders", active_buyers: "Buyers", average_order_value: "Average order" };

  function Page({ view }) {
    const { period, compare, where } = view;
    const of = useFigures({ metrics: METRICS, period, compare, where });
    const byVendor = useFigures({ metrics: ["sales", "orders"], by: ["vendor"], period, compare, where });
    return h`<${wholesale.Controls} view=${view} />
      <${Loaded} of=${of}>${({ total, before }) => h`<div class="tiles">${METRICS.map((name) => h`<${Tile} key=${name} name=${name}
        label=${LABELS[name]} exact=${total[name]} figure=${format.metric(name, total[name])}
        change=${before && h`<${Change} now=${total[name]} before=${total[`${name}_before`]} />`}
        note=${before && `${format.metric(name, total[`${name}_before`])} ${controls.COMPARED[compare]}`} />`)}</div>`}<//>
      <${Section} title="Vendors"><${Loaded} of=${byVendor}>${({ rows }) => h`<${wholesale.Table} caption="Vendors" sort="sales" file="vendors"
        columns=${[
          { name: "vendor", label: "Vendor", value: (row) => row.names.vendor, show: (row) => h`<${Name} of="vendor" id=${row.keys.vendor} name=${row.names.vendor} />` },
          { name: "orders", label: "Orders", type: "count" },
          { name: "sales", label: "Sales", type: "bar" },
        ]} rows=${rows} />`}<//><//>`;
  }

  wholesale.pages.sales = { Page };
})();

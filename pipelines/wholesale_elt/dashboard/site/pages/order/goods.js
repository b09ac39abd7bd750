/** Goods: the lines of an order and its amounts. */
(() => {
  "use strict";

  const { decimals, format, objects, parts } = wholesale;
  const { h, Name, Section } = wholesale.elements;
  const { Pairs, Unknown } = parts;

  const difference = (left, right) => decimals.text(decimals.units(left) - decimals.units(right));
  const isMore = (value) => value !== null && decimals.compare(value, 0) > 0;

  function lineName(line, products) {
    const name = objects.lineName(line, products);
    if (!line.product_id) return h`<span class=${name === "Not known" ? "unknown" : ""} dir="auto">${name}</span>`;
    return h`<${Name} of="product" id=${line.product_id}>${name}<//>`;
  }

  function Lines({ row, lines, products }) {
    const columns = [
      {
        name: "title",
        label: "Product",
        value: (line) => objects.lineName(line, products),
        show: (line) => lineName(line, products),
      },
      lines.some(({ sku }) => parts.trimmed(sku)) && {
        name: "sku",
        label: "Code",
        drop: 3,
        show: (line) => h`<span dir="auto">${line.sku ?? format.NONE}</span>`,
      },
      { name: "quantity", label: "Pieces", type: "count" },
      { name: "unit_price", label: "Price", type: "exact", phrase: "at {}" },
      lines.some(({ discount_amount: less }) => isMore(less)) && {
        name: "discount_amount",
        label: "Discount",
        type: "number",
        drop: 5,
        show: (line) => (isMore(line.discount_amount) ? `${format.MINUS}${format.exact(line.discount_amount)}` : ""),
      },
      { name: "total_price", label: "Amount", type: "amount" },
    ].filter(Boolean);
    const sum = lines.reduce((total, line) => total + decimals.units(line.total_price), 0n);
    const unpriced = lines.filter(({ total_price: amount }) => amount === null).length;
    const gap = row.sub_total === null || unpriced > 0 ? null : difference(decimals.text(sum), row.sub_total);
    return h`<${Section} title=${format.plural(lines.length, "line")}
        note=${row.unit_count === null ? "" : format.plural(row.unit_count, "piece")}>
      <${wholesale.Table} caption="Lines" columns=${columns} rows=${lines} size=${100}
          file=${`order-${row.order_number ?? row.order_id}`} empty="This order has no lines." />
      ${
        lines.length > 0 &&
        gap !== null &&
        decimals.compare(gap, 0) !== 0 &&
        h`<p class="warned">
          The lines add up to ${format.exact(decimals.text(sum))}: ${format.exact(gap.replace("-", ""))}${" "}
          ${gap.startsWith("-") ? "less" : "more"} than the goods of the order.
        </p>`
      }
      ${
        unpriced > 0 &&
        h`<p class="warned">
          ${format.plural(unpriced, "line")} without an amount: what the lines add up to is not known.
        </p>`
      }
    <//>`;
  }

  function minimumOf(row, vendor) {
    const asked = [
      isMore(row.vendor_minimum_order_value) && format.amount(row.vendor_minimum_order_value),
      row.minimum_order_quantity > 0 && format.plural(row.minimum_order_quantity, "piece"),
    ]
      .filter(Boolean)
      .join(" and ");
    if (row.is_near_miss !== null) return h`${asked}, <span class="down">short by ${parts.short(row)}</span>`;
    if (!asked && !vendor?.is_listed) return h`<${Unknown} />`;
    return asked ? `${asked}${row.is_sale && !row.is_return ? ", met" : ""}` : "none";
  }

  /**
   * What lies between goods and total: a total below the goods has their discount in it. What no field tells is said
   * to be so, and a discount that the total does not show is none of this sum.
   */
  function betweenOf({ sub_total: goods, total, line_discount_amount: discount }) {
    if (goods === null || total === null) return { discount: null, rest: null };
    const whole = difference(total, goods);
    const isTaken = isMore(discount) && decimals.compare(whole, 0) < 0;
    if (!isTaken) return { discount: null, rest: whole };
    return { discount, rest: difference(total, difference(goods, discount)) };
  }

  function Amounts({ row }) {
    const { discount, rest } = betweenOf(row);
    const isVoid = row.is_cancelled || row.is_deleted;
    const total = row.total === null ? h`<${Unknown} />` : format.amount(row.total);
    return h`<${Section} title="Amounts">
      <${Pairs}
          rows=${[
            ["Goods", row.sub_total === null ? h`<${Unknown} />` : format.amount(row.sub_total)],
            discount !== null && ["Discount", format.amount(`-${discount}`)],
            rest !== null &&
              decimals.compare(rest, 0) !== 0 && [
                isMore(rest) ? "Freight and other" : "Difference not explained by the fields",
                format.amount(rest),
              ],
            isVoid && ["Total", total],
            ["To pay", isVoid ? `nothing: ${row.is_deleted ? "deleted" : "cancelled"}` : total, "whole"],
            discount === null &&
              isMore(row.line_discount_amount) && [
                "Discount on lines, not in this sum",
                format.amount(row.line_discount_amount),
              ],
            ["Payment", row.payment_status ? h`<${parts.Payment} row=${row} />` : h`<${Unknown} />`],
            row.payment_method && ["By", parts.method(row.payment_method)],
            row.invoice_status && ["Invoice", format.word(row.invoice_status)],
          ]} />
    <//>`;
  }

  wholesale.receive("pages/order/goods", { Lines, Amounts, minimumOf });
})();

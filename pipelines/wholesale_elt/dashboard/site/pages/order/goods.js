/** Goods: the lines of an order and its amounts. */
(() => {
  "use strict";

  const { decimals, format, objects, parts } = wholesale;
  const { h, Name, Section } = wholesale.elements;
  const { Pairs, Unknown } = parts;

  const difference = (left, right) => decimals.text(decimals.units(left) - decimals.units(right));
  const isMore = (value) => value !== null && decimals.compare(value, 0) > 0;

  /** A product, and in grey which variant of it, with its options where its title does not say them. */
  function lineName(line, products) {
    const product = products.get(line.product_id);
    const whole = objects.lineName(line, products);
    if (!line.product_id) return h`<span class=${whole === "Not known" ? "unknown" : ""} dir="auto">${whole}</span>`;
    const variant = parts.trimmed(product?.variant_title);
    const name = variant && parts.trimmed(product.item_title) ? product.item_title : whole;
    const untold = (line.options ?? "")
      .split(", ")
      .filter((option) => option && !variant.toLowerCase().includes(option.split(": ").at(-1).toLowerCase()));
    return h`
      <${Name} of="product" id=${line.product_id}>${name}<//>
      ${name !== whole && h`<span class="sub variant" dir="auto">${variant}</span>`}
      ${untold.length > 0 && h`<span class="sub" dir="auto">${untold.join(", ")}</span>`}
    `;
  }

  /** How many pieces a line had when it was first seen, if a sync found another number; null if it has as many. */
  function quantityBefore({ line_number: number, quantity }, changed) {
    const first = changed.find(
      (line) => line.line_number === number && line.kind === "changed" && line.quantity_before !== line.quantity_after,
    );
    return first && first.quantity_before !== null && first.quantity_before !== quantity ? first.quantity_before : null;
  }

  function Quantity({ line, changed, usual }) {
    const before = quantityBefore(line, changed);
    const often = usual.get(line.product_id);
    return h`
      ${often !== undefined && often !== line.quantity && h`<span class="sub">usually ${format.count(often)}</span> `}
      ${before !== null && h`<s class="quiet">${format.count(before)}</s> `}
      ${format.count(line.quantity)}
    `;
  }

  /** The last row: all pieces, discounts and amounts; what a line does not tell is not known. */
  function totalsOf(lines) {
    const whole = (name) =>
      lines.some((line) => line[name] === null)
        ? null
        : decimals.text(lines.reduce((sum, line) => sum + decimals.units(line[name]), 0n));
    return {
      title: "Goods",
      quantity: whole("quantity"),
      discount_amount: decimals.text(lines.reduce((sum, line) => sum + decimals.units(line.discount_amount), 0n)),
      total_price: whole("total_price"),
    };
  }

  const less = ({ discount_amount: amount }) => (isMore(amount) ? `${format.MINUS}${format.exact(amount)}` : "");

  function columnsOf({ lines, products, changed, usual }) {
    return [
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
      {
        name: "quantity",
        label: "Pieces",
        type: "count",
        show: (line) => h`<${Quantity} line=${line} changed=${changed} usual=${usual} />`,
      },
      {
        name: "unit_price",
        label: "Price",
        type: "exact",
        phrase: "at {}",
      },
      lines.some(({ discount_amount: amount }) => isMore(amount)) && {
        name: "discount_amount",
        label: "Discount",
        type: "number",
        drop: 5,
        show: less,
        written: less,
      },
      { name: "total_price", label: "Amount", type: "exact" },
    ].filter(Boolean);
  }

  function Lines({ row, lines, products, changed, usual }) {
    const columns = columnsOf({ lines, products, changed, usual });
    const sum = lines.reduce((total, line) => total + decimals.units(line.total_price), 0n);
    const unpriced = lines.filter(({ total_price: amount }) => amount === null).length;
    const gap = row.sub_total === null || unpriced > 0 ? null : difference(decimals.text(sum), row.sub_total);
    return h`<${Section} title=${format.plural(lines.length, "line")}
        note=${row.unit_count === null ? "" : format.plural(row.unit_count, "piece")}>
      <${wholesale.Table} caption="Lines" columns=${columns} rows=${lines} size=${100}
          totals=${lines.length > 1 && totalsOf(lines)}
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
   * What lies between goods and total, so that all adds up: discounts, unless they are in the goods by the settings,
   * and then freight. What nothing tells apart is called after what it mostly is, and other; a total that equals the
   * goods has none in it.
   */
  function betweenOf({ sub_total: goods, total, line_discount_amount: stated }) {
    if (goods === null || total === null) return { discount: null, rest: null };
    const isIn = wholesale.meta.is_discount_in_amounts === true;
    const whole = difference(total, goods);
    if (isIn || !isMore(stated) || decimals.compare(whole, 0) === 0) return { discount: null, rest: whole };
    return { discount: stated, rest: difference(total, difference(goods, stated)) };
  }

  /** The rows between goods and total. */
  function between(row) {
    const { discount, rest } = betweenOf(row);
    if (rest === null) return [["Discount and freight", h`<${Unknown} />`]];
    return [
      discount !== null && ["Discount on lines", format.exact(`-${discount}`)],
      decimals.compare(rest, 0) < 0 && [
        discount === null ? "Discount and other" : "Further discount and other",
        format.exact(rest),
      ],
      isMore(rest) && ["Freight and other", format.exact(rest)],
      discount === null &&
        isMore(row.line_discount_amount) && [
          wholesale.meta.is_discount_in_amounts
            ? "Discount, already in the goods"
            : "Discount on lines, not in this sum",
          format.exact(row.line_discount_amount),
          "aside",
        ],
    ];
  }

  /** The day on which it is due; of what is paid, cancelled or not sent there is none. */
  function dueOf(row) {
    if (!row.is_sale || row.payment_standing !== "open") return null;
    if (row.due_date) return ["Due on", format.date(row.due_date)];
    return ["Due on", h`<${Unknown} />`];
  }

  function Amounts({ row }) {
    const isVoid = row.is_cancelled || row.is_deleted;
    const total = row.total === null ? h`<${Unknown} />` : format.exact(row.total);
    return h`<${Section} title="Amounts">
      <${Pairs}
          rows=${[
            ["Goods", row.sub_total === null ? h`<${Unknown} />` : format.exact(row.sub_total)],
            ...between(row),
            isVoid && ["Total", total],
            ["To pay", isVoid ? `nothing: ${row.is_deleted ? "deleted" : "cancelled"}` : total, "whole"],
            ["Payment", row.payment_status ? h`<${parts.Payment} row=${row} />` : h`<${Unknown} />`],
            dueOf(row),
            row.payment_method_type && ["By", parts.method(row.payment_method_type)],
            row.invoice_status && ["Invoice", format.word(row.invoice_status)],
          ]} />
    <//>`;
  }

  wholesale.receive("pages/order/goods", { Lines, Amounts, minimumOf });
})();

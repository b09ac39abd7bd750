/** History: what changed in orders, as entries with their moments. */
(() => {
  "use strict";

  const { decimals, format, objects, parts } = wholesale;
  const { h, OrderNumber } = wholesale.elements;

  /** What the version before has otherwise, of some orders: `{changes, fields}`. */
  async function changesOf(isWanted) {
    const { changes, fields } = await wholesale.load("changes");
    const rowsIn = (table) => (table ? wholesale.rowsOf(table) : []);
    const wanted = rowsIn(changes).filter(isWanted);
    const orderIds = new Set(wanted.map(({ order_id: id }) => id));
    return { changes: wanted, fields: rowsIn(fields).filter(({ order_id: id }) => orderIds.has(id)) };
  }

  const FIELD_NAMES = {
    status: "status",
    order_status: "status",
    payment_status: "payment",
    invoice_status: "invoice",
    sub_total: "amount",
    total_price: "amount",
    total: "amount to pay",
    unit_price: "price",
    quantity: "pieces",
    is_cancelled: "cancelled",
    company_id: "buyer",
    buyer_id: "buyer",
    vendor_id: "vendor",
    created_at: "day",
    ordered_at: "day",
    ordered_date: "day",
  };
  const fieldName = (field) => FIELD_NAMES[field] ?? format.word(field).toLowerCase();

  /** A value of a field that changed, as people write it: an amount, a number, a moment, a word for a code. */
  function valueText(field, value) {
    if (value === null || value === "") return "nothing";
    if (/^-?\d+(\.\d+)?$/.test(value))
      return /price|total|amount|fee|discount|minimum_order_value/.test(field)
        ? format.exact(value)
        : format.number(value);
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return format.moment(value);
    return /status|state|method|type/.test(field) ? format.word(value) : ({ true: "yes", false: "no" }[value] ?? value);
  }

  /** Entries of a history, one for each order or line that changed; `isOfMany` names the order of each. */
  function entriesOf({ changes, fields, isOfMany = false }) {
    return changes.map((change) => {
      const own = fields.filter(
        ({ order_id: id, line_number: line, field }) =>
          id === change.order_id && line === change.line_number && field !== "updated_at",
      );
      const by = change.amount_effect ?? "0";
      const isMoved = decimals.compare(by, 0) !== 0;
      return {
        at: change.changed_at,
        isMoved,
        content: h`
          ${isOfMany && h`<${OrderNumber} number=${change.order_number} id=${change.order_id} /> `}
          ${
            change.line_number === null
              ? isOfMany
                ? change.kind
                : format.word(change.kind)
              : h`
                ${isOfMany ? "line" : "Line"} ${change.line_number}
                ${change.sku && h` (<span dir="auto">${change.sku}</span>)`} ${change.kind}
              `
          }
          ${own.map(
            ({ field, value_before: before, value_after: after }, number) =>
              h`
                ${number ? ", " : ": "}${fieldName(field)} <s dir="auto">${valueText(field, before)}</s> →${" "}
                <b dir="auto">${valueText(field, after)}</b>
              `,
          )}
          ${
            isMoved &&
            h`, <span class=${decimals.compare(by, 0) < 0 ? "down" : "up"}>${format.signed(format.amount)(by)}</span>`
          }
        `,
      };
    });
  }

  /** What happened, the newest first; what moved an amount is marked. */
  function History({ entries }) {
    const sorted = entries.toSorted((left, right) => (left.at < right.at ? 1 : -1));
    return h`<ol class="history">
      ${sorted.map(
        ({ at, content, isMoved }, number) =>
          h`<li key=${number} class=${isMoved ? "marked" : ""}><time>${format.moment(at)}</time>${content}</li>`,
      )}
    </ol>`;
  }

  const FIGURES = [
    ["quantity", (value) => (value === null ? "none" : format.count(value)), " pieces"],
    ["unit_price", format.exact, " a piece"],
    ["discount_amount", (value) => (Number(value ?? 0) === 0 ? "none" : format.exact(value)), " discount"],
    ["total_price", format.exact, ""],
  ];
  const isSame = (left, right) => decimals.compare(left ?? 0, right ?? 0) === 0 && (left === null) === (right === null);

  /** What is said of a line besides its amount, which follows; its amount alone if nothing else changed. */
  function figuresOf(line) {
    const moved = FIGURES.filter(([name]) => !isSame(line[`${name}_before`], line[`${name}_after`]));
    return moved.length > 1 ? moved.filter(([name]) => name !== "total_price") : moved;
  }

  /** What a line is called: as its product is, or else as it said itself. */
  function lineName({ product_id: id, title, variant, sku, line_number: number }, products) {
    const product = products.get(id);
    return product
      ? objects.productName(product)
      : parts.joined(title, variant) || parts.trimmed(sku) || `Line ${number}`;
  }

  /** One line that changed: `Gingham Serving Bowl, Large: 30 → 24 pieces`. */
  function LineChange({ line, products }) {
    if (line.kind !== "changed") {
      const side = line.kind === "added" ? "after" : "before";
      return h`
        <span dir="auto">${lineName(line, products)}</span> ${line.kind}:${" "}
        ${format.plural(line[`quantity_${side}`] ?? 0, "piece")}
      `;
    }
    return h`
      <span dir="auto">${lineName(line, products)}</span>:${" "}
      ${figuresOf(line).map(
        ([name, write, unit], number) =>
          h`
            ${number > 0 && ", "}<s>${write(line[`${name}_before`])}</s> →${" "}
            <b>${write(line[`${name}_after`])}</b>${unit}
          `,
      )}
    `;
  }

  Object.assign(wholesale.parts, { changesOf, entriesOf, History, LineChange, fieldName, valueText });
  wholesale.receive("parts/history", null);
})();

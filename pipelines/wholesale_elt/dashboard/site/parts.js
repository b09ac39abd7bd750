/** Parts: what the pages of orders, buyers, products and vendors have in common. */
(() => {
  "use strict";

  const { decimals, format, orders, view: views } = wholesale;
  const { h, useState, useEffect, useLoaded, wait, Icon, Name, OrderNumber, State, Section, Empty } =
    wholesale.elements;
  const FIRST = 50;

  const trimmed = (text) => (text ?? "").trim();

  /** Texts that are there, side by side. */
  function joined(...texts) {
    return texts.map(trimmed).filter(Boolean).join(", ");
  }

  /** `United States-Oregon` → `Oregon`, a place as somebody says it. */
  function place({ city, state, country }) {
    const region = trimmed(state);
    return joined(city, (region.startsWith(`${country}-`) ? region.slice(country.length + 1) : region) || country);
  }

  /** `PaymentMethod::NetTerms` → `Net terms`. */
  function method(code) {
    const text = trimmed(code)
      .split("::")
      .at(-1)
      .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase();
    return format.word(text);
  }

  const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
  const ENDINGS = { one: "st", two: "nd", few: "rd", other: "th" };
  const ordinal = (number) => `${format.count(number)}${ENDINGS[ordinals.select(number)]}`;

  /** The name of an object with what is wrong with it, its facts in one line, and what can be done. */
  function Head({ title, badge, facts = [], actions }) {
    const said = facts.filter(Boolean);
    return h`<div class="object-head">
      <div class="object-title">
        <h2 dir="auto">${title}</h2>
        ${badge && h`<span class=${`badge ${badge.tone}`}>${badge.text}</span>`}
      </div>
      <p class="object-facts">${said.map((fact, number) => h`<span key=${number}>${fact}</span>`)}</p>
      ${actions && h`<div class="object-actions">${actions}</div>`}
    </div>`;
  }

  /** Into the clipboard, which a page of a plain address has only by way of a field. */
  async function written(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const field = Object.assign(document.createElement("textarea"), { value: text });
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
    }
  }

  /** A button that copies a text, and says so. */
  function Copy({ text, children }) {
    const [isCopied, set] = useState(false);
    const copy = () => written(text()).then(() => set(true));
    useEffect(() => {
      if (!isCopied) return undefined;
      const timer = setTimeout(() => set(false), 2_000);
      return () => clearTimeout(timer);
    }, [isCopied]);
    return h`<button type="button" class="pick" onClick=${copy}>
      <${Icon} name="link" />
      <span aria-live="polite">${isCopied ? "Copied" : children}</span>
    </button>`;
  }

  /** Names with their values, one below the other. */
  function Pairs({ rows }) {
    return h`<dl class="pairs">
      ${rows
        .filter(Boolean)
        .map(
          ([name, value, style]) =>
            h`<div key=${name} class=${style}><dt>${name}</dt><dd dir="auto">${value}</dd></div>`,
        )}
    </dl>`;
  }

  function Unknown({ children }) {
    return h`<span class="unknown">${children ?? "not known"}</span>`;
  }

  /** Two columns, the second one at the side if there is room. */
  function Beside({ children, side }) {
    return h`<div class="beside"><div>${children}</div><div>${side}</div></div>`;
  }

  /** How the payment of an order stands; in red if it is overdue, as on the first page. */
  function Payment({ row }) {
    const text = format.word(row.payment_status);
    if (row.payment_standing !== "open" || !row.is_sale)
      return h`<span class=${row.payment_status ? "" : "unknown"}>${text}</span>`;
    return h`<span class=${row.is_overdue ? "down" : ""}>
      ${text}
      ${row.age !== null && row.age > 0 && `, ${format.plural(row.age, "day")}`}
    </span>`;
  }

  /** The amount of an order; one that does not count as a sale is struck through. */
  function Amount({ row }) {
    const { amount } = row;
    if (amount === null) return h`<${Unknown}>Not known<//>`;
    return row.is_sale
      ? format.amount(amount)
      : h`<s class="quiet" title="It does not count as a sale">${format.amount(amount)}</s>`;
  }

  const COLUMNS = {
    order_number: {
      name: "order_number",
      label: "Order",
      style: "narrow",
      show: (row) => h`<${OrderNumber} number=${row.order_number} id=${row.order_id} />`,
    },
    date: { name: "date", label: "Date", type: "date" },
    buyer: {
      name: "buyer",
      label: "Buyer",
      style: "flexible",
      value: (row) => row.buyer_name ?? row.buyer,
      show: (row) => h`<${Name} of="buyer" id=${row.buyer} name=${row.buyer_name} />`,
    },
    vendor: {
      name: "vendor",
      label: "Vendor",
      style: "flexible",
      value: (row) => row.vendor_name ?? row.vendor,
      show: (row) => h`<${Name} of="vendor" id=${row.vendor} name=${row.vendor_name} />`,
    },
    order_status: {
      name: "order_status",
      label: "Status",
      value: (row) => (row.is_deleted ? "deleted" : row.order_status),
      show: (row) =>
        row.is_deleted ? h`<span class="quiet">Deleted</span>` : h`<${State} code=${row.order_status} />`,
    },
    payment_status: { name: "payment_status", label: "Payment", show: (row) => h`<${Payment} row=${row} />` },
    unit_count: { name: "unit_count", label: "Pieces", type: "count" },
    short: { name: "value_shortfall", label: "Short by", type: "number", show: (row) => short(row) },
    amount: { name: "amount", label: "Amount", type: "exact", show: (row) => h`<${Amount} row=${row} />` },
    total: {
      name: "total",
      label: "To pay",
      type: "exact",
      show: ({ total }) => (total === null ? h`<${Unknown}>Not known<//>` : format.amount(total)),
    },
  };

  /** Columns that only a list asked for them has. */
  const CHOSEN = ["short", "total"];

  /** By how much an order is below its vendor's minimum, in words. */
  function short(row) {
    const texts = [
      decimals.compare(row.value_shortfall ?? 0, 0) > 0 && format.amount(row.value_shortfall),
      row.quantity_shortfall > 0 && format.plural(row.quantity_shortfall, "piece"),
    ].filter(Boolean);
    return texts.length ? texts.join(" and ") : format.NONE;
  }

  /** A table of orders. `without` names columns that all of them share. */
  function OrdersTable({ rows, without = [], has = [], ...rest }) {
    const columns = Object.entries(COLUMNS)
      .filter(([name]) => !without.includes(name) && (!CHOSEN.includes(name) || has.includes(name)))
      .map(([, column]) => column);
    return h`<${wholesale.Table} caption="Orders" columns=${columns} rows=${rows} ...${rest} />`;
  }

  /** Count, sales, what is to pay, and what does not count of some orders. */
  function summed(rows) {
    let [sales, toPay] = [0n, 0n];
    const found = { orders: 0, cancelled: 0, deleted: 0, unpriced: 0, untotaled: 0 };
    for (const row of rows) {
      if (row.is_sale) {
        found.orders += 1;
        if (row.amount === null) found.unpriced += 1;
        else sales += decimals.units(row.amount);
        if (row.total === null) found.untotaled += 1;
        else toPay += decimals.units(row.total);
      } else if (row.is_deleted) found.deleted += 1;
      else found.cancelled += 1;
    }
    return { ...found, sales: decimals.text(sales), toPay: decimals.text(toPay) };
  }

  /** The orders of a view as they are read: `{rows, isWhole, error}`. */
  function useOrders(view, key, options = {}) {
    const [state, set] = useState({ rows: [], isWhole: false });
    useEffect(() => {
      let isMine = true;
      let rows = [];
      set({ rows, isWhole: false });
      const { most = Infinity } = options;
      if (view) {
        wait(1);
        orders
          .each(
            view,
            (found, isLast) => {
              if (!isMine) return false;
              rows = [...rows, ...found];
              set({ rows, isWhole: isLast });
              return rows.length < most;
            },
            options,
          )
          .then(
            () => isMine && set((last) => ({ ...last, isRead: true })),
            (error) => isMine && set({ rows, isWhole: false, isRead: true, error }),
          )
          .then(() => wait(-1));
      }
      return () => {
        isMine = false;
      };
    }, [key]);
    return state;
  }

  /** The newest orders of an object, and the way to all of them. */
  function NewestOrders({ view, own = {}, where = {}, read, count, without = [], title = "Orders" }) {
    const key = JSON.stringify([where, own]);
    const found = useOrders(read ? null : { where, own }, key, { most: 12 });
    const { rows, error, isRead } = read ?? found;
    const all = h`<a class="more"
        href=${views.hashOf({ page: "orders", period: "all_time", compare: view.compare, where, own })}>
      All${count ? ` ${format.count(count)}` : ""}<${Icon} name="right" />
    </a>`;
    return h`<${Section} title=${title} note="the newest first" more=${rows.length > 0 && all}>
      ${
        error
          ? h`<p class="failure" role="alert">${error.message}</p>`
          : rows.length
            ? h`<${OrdersTable} rows=${rows.slice(0, 12)} without=${without} />`
            : isRead
              ? h`<${Empty} title="No orders." />`
              : h`<div class="waiting" aria-hidden="true"></div>`
      }
    <//>`;
  }

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
            h`, <span class=${decimals.compare(by, 0) < 0 ? "down" : "up"}>${format.signed(format.exact)(by)}</span>`
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

  /** What stands below everything else: how whole the page is. */
  function Foot({ children }) {
    const isWell = wholesale.meta.verdict === "complete" && !wholesale.age.isOld();
    return h`<p class="foot-line">
      <i class=${isWell ? "dot" : "dot partial"} aria-hidden="true"></i>
      <span>${format.word(wholesale.meta.verdict)}. ${children}</span>
    </p>`;
  }

  /** An object of a kind by its key, or null; remembered among the recent ones, and named in the line at the top. */
  function useObject(kind, page, id, nameOf) {
    const of = useLoaded(async () => (await wholesale.objects.all(kind)).get(id) ?? null, `${kind}/${id}`);
    const name = of.value && !of.isOld ? nameOf(of.value) : null;
    useNamed(page, id, name);
    return of;
  }

  function useNamed(page, id, name) {
    useEffect(() => {
      if (!name) return;
      wholesale.nameShown(name);
      wholesale.recent.add({ page, id, name });
    }, [page, id, name]);
  }

  /** What a page of an object says if the address names none; `children` lead on. */
  function NotHere({ what, id, children }) {
    return h`<${Empty} title=${`No ${what} here has this name or number`}>
      “<span dir="auto">${id}</span>” is not among those that were published. ${children}
    <//>`;
  }

  wholesale.parts = {
    FIRST,
    joined,
    trimmed,
    place,
    method,
    ordinal,
    short,
    summed,
    COLUMNS,
    Head,
    Copy,
    Pairs,
    Unknown,
    Beside,
    Payment,
    Amount,
    OrdersTable,
    NewestOrders,
    Foot,
    NotHere,
    useOrders,
    useObject,
    useNamed,
    changesOf,
    entriesOf,
    History,
    fieldName,
    valueText,
  };
})();

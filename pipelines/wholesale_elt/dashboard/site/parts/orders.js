/** Orders: tables of orders, and the newest ones of an object. */
(() => {
  "use strict";

  const { decimals, format, orders, view: views } = wholesale;
  const { h, useState, useEffect, useRef, wait, Icon, Name, OrderNumber, State, Section, Empty } = wholesale.elements;
  const { Unknown } = wholesale.parts;
  const FIRST = 50;
  /** Rows that are read at first, although fewer are shown: paper has more. */
  const READ = 300;

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
    date: { name: "date", label: "Date", type: "date", drop: 5, phrase: "{}" },
    buyer: {
      name: "buyer",
      label: "Buyer",
      value: (row) => row.buyer_name ?? row.buyer,
      show: (row) => h`<${Name} of="buyer" id=${row.buyer} name=${row.buyer_name} />`,
    },
    vendor: {
      name: "vendor",
      label: "Vendor",
      drop: 3,
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
    payment_status: { name: "payment_status", label: "Payment", drop: 2, show: (row) => h`<${Payment} row=${row} />` },
    unit_count: { name: "unit_count", label: "Pieces", type: "count", drop: 1 },
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

  /** What a column needs to be sorted, besides what every row has. */
  const NEEDED = {
    order_number: ["order_number"],
    order_status: ["order_status", "is_deleted"],
    payment_status: ["payment_status"],
    unit_count: ["unit_count"],
    value_shortfall: ["value_shortfall"],
    amount: ["sub_total"],
    total: ["total"],
  };

  /**
   * The orders of a view, of which only those shown are read: `{rows, sum, isWhole, isRead, progress, source, error}`.
   *
   * `sum` is of those that were looked at until `isWhole`; `progress` is how many months were, of how many, as long as
   * the list waits for them. `source` is that of a table.
   */
  function useListed(view, key, options) {
    const [state, set] = useState({ rows: [], isWhole: false });
    const held = useRef({});
    useEffect(() => {
      const mine = { most: READ };
      held.current = mine;
      set({ rows: [], isWhole: false });
      const isMine = () => held.current === mine;
      const follow = (done, of) => isMine() && set((last) => ({ ...last, progress: { done, of } }));
      const show = async () => {
        const rows = await mine.list.rows(mine.most);
        if (isMine()) set({ rows, sum: mine.list.sum(), isWhole: mine.list.isWhole(), isRead: true });
      };
      mine.after = (act) => {
        wait(1);
        return act()
          .then(show)
          .catch((error) => isMine() && set((last) => ({ ...last, isRead: true, error })))
          .then(() => wait(-1));
      };
      mine.after(async () => {
        mine.list = await orders.list(view, { ...options, follow });
        if (mine.list.isWhole()) return;
        await show();
        if (isMine()) await mine.list.whole();
      });
      return () => {
        if (isMine()) held.current = {};
      };
    }, [key]);
    const source = {
      more: (most) => held.current.after(async () => (held.current.most = Math.max(READ, most))),
      sort: (column, valueOf, isAscending) =>
        held.current.after(() => held.current.list.sort(NEEDED[column.name] ?? [], valueOf, isAscending)),
      all: () => held.current.list.rows(Infinity),
    };
    return { ...state, source };
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

  Object.assign(wholesale.parts, {
    FIRST,
    COLUMNS,
    short,
    Payment,
    Amount,
    OrdersTable,
    useListed,
    useOrders,
    NewestOrders,
  });
  wholesale.receive("parts/orders", null);
})();

/** Drill: the dialog that lists the orders behind a number, and says whether they add up to it. */
(() => {
  "use strict";

  const { element, button, format, decimals, filters, orders, csv, table } = wholesale;
  const { fileName } = wholesale.view;
  const MOST_ROWS = 100_000;
  const UNASKED = 200_000;
  const SIZE = 50;

  /** What can be compared with the headline: how it is found, and how it is written. */
  const CHECKS = {
    order_count: { label: "orders", found: (sum) => String(sum.count), write: format.count },
    sales_amount: { label: "sales", found: (sum) => decimals.text(sum.sales), write: format.exactAmount },
    open_amount: { label: "open", found: (sum) => decimals.text(sum.billed), write: format.exactAmount },
    buyer_count: { label: "buyers", found: (sum) => String(sum.buyers.size), write: format.count },
  };

  const dialog = document.getElementById("drill");
  let opened = 0;

  function verdictOf(check, sum, expected) {
    const { label, found, write } = CHECKS[check];
    const value = found(sum);
    const agrees = decimals.compare(value, expected) === 0;
    const words = agrees ? "as the headline" : `but the headline says ${write(expected)}`;
    return element(
      "li",
      { "data-check": check, "data-found": value, "data-agrees": sum.isDone ? String(agrees) : "pending" },
      element("strong", {}, write(value)),
      ` ${label}${sum.isDone ? `, ${words}` : " so far"}`,
    );
  }

  function copyIds(rows, said) {
    return async () => {
      try {
        await navigator.clipboard.writeText(rows.map((row) => row.order_id).join("\n"));
        said.textContent = `${format.count(rows.length)} order ids copied`;
      } catch {
        said.textContent = "this browser does not allow copying here; use CSV";
      }
    };
  }

  function download(rows, title) {
    const names = wholesale.meta.order_columns.map(({ name }) => name);
    csv.download(fileName(`orders-${title}`, {}, [], wholesale.meta), csv.encode(names, rows.map((row) => names.map((name) => row[name]))));
  }

  function actions(rows, title) {
    const said = element("span", { role: "status" });
    return element(
      "div",
      { class: "actions" },
      button("Copy order ids", { run: copyIds(rows, said), style: "quiet" }),
      button("Download CSV", { run: () => download(rows, title), style: "quiet" }),
      said,
    );
  }

  function listed(sum, title) {
    const rows = sum.rows.map((row) => ({ ...row, vendor_name: filters.labelOf("vendor", row.vendor_id) }));
    return [
      table({
        caption: title, columns: wholesale.meta.order_columns, rows, size: SIZE, cut: { shown: rows.length, total: sum.count },
        empty: sum.isDone ? "No such orders." : "None yet.",
      }),
      sum.isDone && rows.length > 0 ? actions(rows, title) : "",
    ];
  }

  /**
   * Opens the list of orders of `criteria` (see `orders.find`).
   *
   * `expected` holds what the headline says: any of order_count, sales_amount, open_amount,
   * buyer_count. The newest month is shown at once; whether to read many more is asked. The focus
   * goes back to where it was when the dialog closes.
   */
  async function open({ title, criteria, expected }) {
    const mine = ++opened;
    const checks = element("ul", { class: "checks" });
    const progress = element("p", { class: "progress", role: "status" }, "Reading orders …");
    const more = element("p");
    const list = element("div");
    const cost = orders.cost(criteria);
    dialog.replaceChildren(
      element(
        "header",
        {},
        element("h2", { id: "drill-title" }, title),
        button("Close", { run: () => dialog.close(), style: "quiet" }),
      ),
      checks,
      progress,
      more,
      list,
    );
    dialog.addEventListener("close", () => {
      opened += 1;
      // The browser has given the focus back already, unless what had it is no longer there.
      if (document.activeElement === document.body) document.getElementById("main").focus();
    }, { once: true });
    dialog.showModal();

    function show(sum) {
      if (opened !== mine) return false;
      checks.replaceChildren(...Object.keys(expected).map((check) => verdictOf(check, sum, expected[check])));
      progress.textContent = sum.isDone
        ? `${format.count(sum.count)} orders found`
        : `${format.count(sum.count)} orders found in ${sum.read} of ${sum.of} months`;
      if (sum.isDone || sum.read === 1) list.replaceChildren(...listed(sum, title));
      return sum.read > 1 || cost <= UNASKED || asked();
    }

    function asked() {
      return new Promise((resolve) => {
        const goOn = () => {
          more.replaceChildren();
          resolve(true);
        };
        more.replaceChildren(button(`Read all ${format.count(cost)} orders`, { run: goOn, style: "quiet" }));
      });
    }

    await orders.find(criteria, { keep: MOST_ROWS, observe: show }).catch((error) => {
      progress.textContent = error.message;
    });
  }

  wholesale.drill = open;
})();

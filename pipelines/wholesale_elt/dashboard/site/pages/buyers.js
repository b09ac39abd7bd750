/** Buyers: who comes back, who is late, how much hangs on few. */
(() => {
  "use strict";

  const { element, button, format, columns, drill, page, Table, load } = wholesale;
  const STEPS = 8;

  /** How to show all orders of the buyers for whom `test` holds; not where their list is cut. */
  function ordersOf(buyers, title, test, expected) {
    if (buyers.length < buyers.total) return undefined;
    return () => drill({
      title,
      criteria: { equal: { buyer_id: new Set(buyers.rows(test).map((row) => row.buyer_id)) } },
      expected,
    });
  }

  function behind(buyers, test, expected) {
    if (buyers.length < buyers.total) return {};
    return { open: (row, tile) => ordersOf(buyers, tile.behind, test, expected(row))() };
  }

  /** Every order of a buyer, undated ones too: that is what its row counts. */
  function showBuyer(row) {
    return drill({
      title: `Orders of ${row.company_name ?? row.buyer_id}`,
      criteria: { equal: { buyer_id: row.buyer_id } },
      expected: { order_count: row.order_count, sales_amount: row.sales_amount },
    });
  }

  function showVendor(row) {
    return drill({
      title: `Orders of the buyers of ${row.vendor_name}`,
      criteria: { equal: { vendor_id: row.vendor_id } },
      expected: { buyer_count: row.buyer_count },
    });
  }

  /** Retention as a table whose shades repeat, and never replace, its numbers. */
  function heat(rows, [month, count], buyers) {
    const cohorts = Map.groupBy(rows, (row) => row.cohort_month);
    const longest = Math.max(0, ...rows.map((row) => row.month_number));
    const numbers = Array.from({ length: longest }, (_, number) => number + 1);
    const largest = Math.max(0, ...rows.filter((row) => row.month_number > 0).map((row) => Number(row.retention_rate)));
    return element(
      "div",
      { class: "scroller", role: "region", tabindex: "0", "aria-label": "Retention by cohort" },
      element(
        "table",
        { class: "heat" },
        element("caption", { class: "hidden" }, "Share of each cohort that ordered, by months since its first order"),
        element("thead", {}, element(
          "tr",
          {},
          element("th", { scope: "col" }, month.label),
          element("th", { scope: "col", class: "number" }, count.label),
          numbers.map((number) => element("th", { scope: "col", class: "number" }, `+${number}`)),
        )),
        element("tbody", {}, [...cohorts.values()].map((cohort) => line(cohort, [month, count], numbers, largest, buyers))),
      ),
    );
  }

  function line(cohort, [month, count], numbers, largest, buyers) {
    const [first] = cohort;
    const [title, text] = [month, count].map((column) => columns.written(column, first));
    const run = ordersOf(
      buyers, `Orders of the buyers who first ordered in ${title}`,
      (row) => row.first_ordered_date?.startsWith(first.cohort_month.slice(0, 7)),
      { buyer_count: first.cohort_buyer_count },
    );
    const byNumber = new Map(cohort.map((row) => [row.month_number, row]));
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, title),
      element(
        "td", { class: "number" }, run ? button(text, { run, label: `${text} buyers: show their orders` }) : text,
      ),
      numbers.map((number) => (byNumber.has(number) ? shade(byNumber.get(number), largest) : element("td", {}))),
    );
  }

  /** A row of no buyers has no shade; that of the largest share has the darkest. */
  function shade(row, largest) {
    const share = Number(row.retention_rate);
    const step = largest > 0 ? Math.round((share / largest) * STEPS) : 0;
    const [active, of, orders] =
      [row.active_buyer_count, row.cohort_buyer_count, row.order_count].map(format.count);
    return element(
      "td",
      {
        class: `number shade-${step}`,
        title: `${active} of ${of} buyers, ${orders} orders, ${format.exactAmount(row.sales_amount)} `
          + `in ${format.month(row.month_start)}`,
      },
      row.retention_rate === null ? format.NONE : `${Math.round(share * 100)}%`,
    );
  }

  wholesale.pages.buyers = async (view, entry) => {
    const data = await load(entry.name);
    const buyers = new Table(data.known);
    const atRisk = (risk) => behind(buyers, (row) => row[`is_${risk}`], (row) => ({
      buyer_count: row[`${risk}_count`], sales_amount: row[`${risk}_sales_amount`],
    }));
    return page.content(entry, page.reader(data, view), {
      reordering: behind(buyers, (row) => row.has_reordered_within_90_days, (row) => ({
        buyer_count: row.reorder_90_days_count,
      })),
      late_buyers: atRisk("late"),
      lapsed_buyers: atRisk("lapsed"),
      cohorts: { draw: (rows, tile) => heat(rows, tile.columns, buyers) },
      at_risk: {
        actions: {
          order_count: (row) => ({ label: "show the orders", key: row.buyer_id, run: () => showBuyer(row) }),
        },
      },
      concentration: {
        actions: {
          buyer_count: (row) => ({ label: "show their orders", key: row.vendor_id, run: () => showVendor(row) }),
        },
      },
    });
  };
})();

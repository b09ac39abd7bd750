/** Cohorts: the share of the largest buyers, and who of the new ones came back. */
(() => {
  "use strict";

  const { days, decimals, format, load, rowsOf } = wholesale;
  const { h, useLoaded, Loaded, Section, Empty } = wholesale.elements;
  const SHARES = [1, 5, 10, 20, 50];
  const COHORTS = 12;

  /** Which share of sales the largest buyers make. */
  function Concentration({ of }) {
    return h`<${Section} title="Largest buyers" note="their share of sales">
      <${Loaded} of=${of}>
        ${({ rows, total }) => {
          const known = rows.filter(({ keys, orders: count }) => keys.buyer !== null && count > 0);
          const all = decimals.units(total.sales);
          let sum = 0n;
          const sums = known.map(({ sales }) => (sum += decimals.units(sales)));
          const shown = SHARES.filter((most) => most < known.length).map((most) => ({
            key: most,
            name: most === 1 ? "The largest buyer" : `The ${most} largest`,
            sales: decimals.text(sums[most - 1]),
            share: decimals.ratio(sums[most - 1], all),
          }));
          const half = sums.findIndex((each) => each * 2n >= all) + 1;
          return h`
            ${
              all > 0n &&
              half > 0 &&
              known.length > 1 &&
              h`<p class="said">
                Half of all sales come from ${format.count(half)} of ${format.plural(known.length, "buyer")}.
              </p>`
            }
            <${wholesale.Table} caption="Largest buyers" rows=${total.sales === null ? [] : shown}
                empty=${total.sales === null ? "Their sales are not known." : "Too few buyers to tell."}
                columns=${[
                  { name: "name", label: "Buyers" },
                  { name: "share", label: "Share", type: "share" },
                  { name: "sales", label: "Sales", type: "bar" },
                ]} />
          `;
        }}
      <//>
    <//>`;
  }

  /** The newest cohorts, a row each, with the share that bought again so many months later. */
  function heatOf(cohorts) {
    const months = Map.groupBy(cohorts, ({ cohort_month: month }) => month);
    const newest = [...months].toSorted(([left], [right]) => (left < right ? 1 : -1)).slice(0, COHORTS);
    const most = Math.min(
      COHORTS,
      Math.max(0, ...newest.flatMap(([, rows]) => rows.map(({ month_number: number }) => number))),
    );
    return {
      columns: Array.from({ length: most }, (_, place) => `+${place + 1}`),
      rows: newest.map(([month, rows]) => ({
        key: month,
        label: format.month(month),
        size: rows[0].cohort_buyer_count,
        shares: Array.from(
          { length: most },
          (_, place) => rows.find(({ month_number: number }) => number === place + 1)?.retention_rate ?? null,
        ),
      })),
    };
  }

  /** The same as rows: one for each cohort and each month after its first. */
  const figuresOf = (cohorts) => ({
    isOfNow: true,
    rows: cohorts,
    columns: [
      { name: "cohort_month", label: "First order", type: "date", show: (row) => format.month(row.cohort_month) },
      { name: "cohort_buyer_count", label: "Buyers", type: "count" },
      { name: "month_number", label: "Months later", type: "count" },
      { name: "active_buyer_count", label: "Bought again", type: "count" },
      { name: "retention_rate", label: "Share", type: "share" },
    ],
  });

  /** Whether it is known who is new in a month: of those before as many days are known. */
  function isNewIn(month) {
    const first = days.monthsLater(days.number(month), -1);
    return days.isCovered({ first }, wholesale.meta.figures_from);
  }

  function Cohorts() {
    const of = useLoaded(() => load("cohorts").then(rowsOf), "cohorts");
    return h`<${Section} title="Buyers who came back"
        note="how many of each month’s new buyers bought again 1, 2, 3 … months later; whatever the period">
      <${Loaded} of=${of}>
        ${(all) => {
          const cohorts = all.filter(({ cohort_month: month }) => isNewIn(month));
          if (cohorts.length)
            return h`
              <${wholesale.charts.Heat} caption="Buyers who came back" ...${heatOf(cohorts)} />
              <${wholesale.parts.Behind} caption="Buyers who came back" file="cohorts"
                  table=${() => figuresOf(cohorts)} />
            `;
          if (!all.length) return h`<${Empty} title="No buyer has bought yet." />`;
          const from = format.date(wholesale.meta.figures_from);
          return h`<${Empty} title="Not known yet">
            Orders are known from ${from} on: who bought before is not known.
          <//>`;
        }}
      <//>
    <//>`;
  }

  wholesale.receive("pages/buyers/cohorts", { Concentration, Cohorts });
})();

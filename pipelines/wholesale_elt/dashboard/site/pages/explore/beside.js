/** Beside: what stands on Explore besides the answer: tables of users' own, and why it is nothing. */
(() => {
  "use strict";

  const { format, load, rowsOf } = wholesale;
  const { h, useLoaded, Empty, Loaded, Section } = wholesale.elements;

  /** In the place of a zero: the figure leaves these states out, and another one has them. */
  function Excluded({ metric, instead, choose }) {
    const {
      [metric]: { label },
      [instead]: { label: other },
    } = wholesale.meta.metrics;
    return h`<${Empty} title=${`${label} counts nothing of the status that is chosen, whatever there is.`}>
      <button type="button" class="quiet-button" onClick=${() => choose({ metric: instead })}>Show: ${other}</button>
    <//>`;
  }

  /** Tables that whoever publishes this has added, as they are. */
  function Own() {
    const of = useLoaded(() => load("own"), "own");
    return h`<${Loaded} of=${of}>
      ${(tables) =>
        h`<div>
          ${Object.entries(tables).map(
            ([name, { description, columns, row_count: total, rows }]) =>
              h`<${Section} key=${name} title=${name} note=${format.count(total)}>
                ${description && h`<p class="quiet">${description}</p>`}
                <${wholesale.Table} caption=${name} file=${name} size=${20} rows=${rowsOf(rows)} total=${total}
                    empty="It has no rows."
                    columns=${columns.map(([column, type]) => ({
                      name: column,
                      label: column.replaceAll("_", " "),
                      type,
                    }))} />
              <//>`,
          )}
        </div>`}
    <//>`;
  }

  wholesale.receive("pages/explore/beside", { Excluded, Own });
})();

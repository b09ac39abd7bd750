/** Orders: the orders of a view, the newest first, with their number and their sum. */
(() => {
  "use strict";

  const { days, format, view: views, parts } = wholesale;
  const { h, Icon, Section, Empty, Link, Tile, useLoaded } = wholesale.elements;
  const PAYMENTS = {
    owed: "Shipped and unpaid",
    open: "Not paid",
    unknown: "Not known whether owed",
    settled: "Nothing open",
  };
  const KINDS = { cancelled: "Cancelled", deleted: "Deleted", returns: "Returns" };
  const BELOW = { minimum: "Below the minimum", near: "Just below the minimum" };

  /** What a choice of the page's own says: `[name, value]`. */
  function chipOf(name, value, products) {
    if (name === "payment") return ["Payment", PAYMENTS[value] ?? value];
    if (name === "days") return ["Age", `more than ${format.plural(value, "day")}`];
    if (name === "kind") return ["Only", KINDS[value] ?? value];
    if (name === "below") return ["Only", BELOW[value] ?? value];
    if (name === "po") return ["Purchase order", value];
    if (name === "ids") return ["Chosen", format.plural(value.split(",").length, "order")];
    if (name === "category") return ["Category", value];
    const product = products?.get(value);
    return ["Product", product ? wholesale.objects.productName(product) : value];
  }

  function Chips({ view }) {
    const chosen = Object.entries(view.own).filter(([name, value]) => wholesale.orders.CHOICES.includes(name) && value);
    const products = useLoaded(
      () => (view.own.product ? wholesale.objects.all("products") : Promise.resolve(null)),
      view.own.product,
    );
    if (!chosen.length) return null;
    return h`<div class="chips">
      ${chosen.map(([name, value]) => {
        const [label, text] = chipOf(name, value, products.value);
        return h`<span class="chip" key=${name}>
          <span class="quiet">${label}</span> <span dir="auto">${text}</span>
          <button type="button" aria-label=${`Without ${label}: ${text}`}
              onClick=${() => views.go(views.changed(view, { own: { [name]: null } }))}>
            <${Icon} name="cross" />
          </button>
        </span>`;
      })}
    </div>`;
  }

  /** What is among the orders besides sales, in words. */
  function besides({ cancelled, deleted, unpriced }) {
    const texts = [
      cancelled && `${format.count(cancelled)} cancelled`,
      deleted && `${format.count(deleted)} deleted`,
    ].filter(Boolean);
    return [
      texts.length > 0 && `including ${texts.join(" and ")}, which do not count as sales`,
      unpriced > 0 && `${format.plural(unpriced, "order")} without an amount`,
    ]
      .filter(Boolean)
      .join("; ");
  }

  /** That nothing is left out of the list. */
  function here(count) {
    if (count === 0) return "Every order was looked at.";
    return count === 1 ? "The only order that fits is here." : `All ${format.count(count)} matching orders are here.`;
  }

  /** The figures of all that is listed; at least so much until all of it was looked at. */
  function Sums({ view, sum, isWhole, isUnpaid }) {
    if (!sum) return h`<${wholesale.Bones} rows=${2} />`;
    const average = sum.orders - sum.unpriced > 0 ? Number(sum.sales) / (sum.orders - sum.unpriced) : null;
    const more = isWhole ? "" : "at least ";
    const isNone = (missing) => sum.orders > 0 && missing === sum.orders;
    const whole = sum.listed ? "all of them count as sales" : "no order fits";
    const isBefore = wholesale.trends.isBefore(view);
    const least = (missing) => (isWhole && missing === 0 ? "" : "at least ");
    return h`<div class="tiles object-tiles listed" aria-live="polite">
      <${Tile} label="Orders listed" name="listed" isUnknown=${isBefore}
          figure=${`${more}${format.count(sum.listed)}`} exact=${sum.listed}
          note=${isBefore ? "" : besides(sum) || (isWhole ? whole : "still reading")} />
      <${Tile} label="Sales" name="sales" isUnknown=${isBefore || isNone(sum.unpriced)}
          figure=${`${least(sum.unpriced)}${format.amount(sum.sales)}`} exact=${sum.sales}
          note=${isBefore ? "" : `from ${format.plural(sum.orders, "order")}`} />
      ${
        isUnpaid
          ? h`<${Tile} label="To pay" name="to_pay" isUnknown=${isBefore || isNone(sum.untotaled)}
              figure=${`${least(sum.untotaled)}${format.amount(sum.toPay)}`} exact=${sum.toPay}
              note="with freight, discounts and all else on the bill" />`
          : h`<${Tile} label="Average order" name="average" isUnknown=${isBefore || isNone(sum.unpriced)}
              figure=${format.amount(average)} note="of orders with an amount" />`
      }
      <${Tile} label="Buyers" name="buyers" isUnknown=${isBefore} figure=${`${more}${format.count(sum.buyers)}`}
          note="who placed these orders" />
    </div>`;
  }

  /** Where a period ends with the last whole day, that there are newer orders. */
  function Newer({ view }) {
    const { figures_up_to: upTo, last_ordered_date: newest } = wholesale.meta;
    if (!upTo || newest <= upTo || days.period(view.period, upTo)?.last !== days.number(upTo)) return null;
    return h`<p class="quiet small">
      Newer ones, up to ${format.date(newest)}, are of a day that was not over. They are in${" "}
      <a class="a" href=${views.hashOf(views.changed(view, { period: days.ALL_TIME }))}>all time</a>.
    </p>`;
  }

  function Page({ view }) {
    const key = JSON.stringify([view.period, view.where, view.own]);
    const isUnpaid = ["owed", "open"].includes(view.own.payment);
    const found = parts.useListed(view, key, { isTotaled: isUnpaid });
    const { rows, sum, isWhole, isRead, progress, source, error } = found;
    const has = [...(view.own.below ? ["short"] : []), ...(isUnpaid ? ["total"] : [])];
    return h`<div>
      <${wholesale.Controls} view=${view} />
      <${Chips} view=${view} />
      ${error && h`<p class="failure" role="alert">${error.message}</p>`}
      <div><${Sums} view=${view} sum=${sum} isWhole=${isWhole} isUnpaid=${isUnpaid} /></div>
      <${Section} title="Orders" note="the newest first">
        <${Newer} view=${view} />
        ${progress && h`<${wholesale.Progress} ...${progress} />`}
        ${
          rows.length === 0 && isWhole && isRead
            ? h`<${Empty} title="No order fits.">
              None in this period does. <${Link} to="orders" class="more">All orders of this period<//>
            <//>`
            : rows.length === 0
              ? h`<${wholesale.Bones} rows=${parts.FIRST} />`
              : h`<${parts.OrdersTable} key=${key} rows=${rows} has=${has} size=${parts.FIRST} file="orders"
                  total=${sum?.listed ?? rows.length} source=${source} />`
        }
      <//>
      ${isWhole && h`<${parts.Foot}>${here(sum.listed)}<//>`}
    </div>`;
  }

  wholesale.receive("pages/orders", Page);
})();

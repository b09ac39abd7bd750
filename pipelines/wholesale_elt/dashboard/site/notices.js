/** Notices: what a reader must know before any figure: not complete, no orders, none of late, mixed currencies. */
(() => {
  "use strict";

  const { age, days, format, load, rowsOf } = wholesale;
  const { h, Icon, Link, useLoaded } = wholesale.elements;
  const STOPPED_AFTER = 14;
  const RESOURCES = {
    orders: "Orders",
    vendors: "Vendors",
    buyers: "Buyers",
    buyer_users: "Contacts of buyers",
    items: "Products",
    variants: "Variants",
    item_images: "Pictures",
    price_lists: "Price lists",
    prices: "Prices",
    brands: "Brands",
    categories: "Categories",
    custom_fields: "Fields of your own",
  };
  const resource = (name) => RESOURCES[name] ?? format.word(name);

  /** `Orders, vendors and buyers`. */
  function listed(names) {
    const texts = names.map((name, place) => (place ? resource(name).toLowerCase() : resource(name)));
    return texts.length > 1 ? `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}` : texts.join("");
  }

  const are = (names) => `${listed(names)} ${names.length === 1 && !names[0].endsWith("s") ? "is" : "are"}`;

  function Notice({ title, children }) {
    return h`<p class="notice" role="note"><${Icon} name="warning" /><span><b>${title}</b> ${children}</span></p>`;
  }

  function NotComplete() {
    const { value } = useLoaded(() => load("health").then(({ freshness }) => rowsOf(freshness)), "freshness");
    const missing = (value ?? []).filter((row) => !row.is_complete);
    const whole = (value ?? []).filter((row) => row.is_complete).map((row) => row.resource);
    return h`<${Notice}
        title=${missing.length ? `${are(missing.map((row) => row.resource))} not complete.` : "Not complete."}>
      What was not read may be missing from the figures; what is shown was read.${" "}
      ${whole.length > 0 && missing.length > 0 && `${are(whole)} complete. `}
      <${Link} to="health" class="a">What happened<//>
    <//>`;
  }

  /** Asked for once, where nobody said it: amounts then stand alone. */
  function NoCurrency() {
    return h`<${Notice} title="In which currency are these amounts?">
      The account does not say. Write it under <code>[build]</code> in <code>.dlt/config.toml</code>, such as${" "}
      <code>currency = "USD"</code>, and the next run shows it with each amount.
    <//>`;
  }

  function Old() {
    const { as_of: asOf, built_at: builtAt } = wholesale.meta;
    return h`<${Notice} title=${`These figures are ${age.text()}.`}>
      ${asOf ? "Everything was read" : "They were made"} on ${format.moment(asOf ?? builtAt)};${" "}
      ${age.due() ?? "no newer version has come"}. Days of silence and waiting are counted to${" "}
      ${format.date(age.day())}.
    <//>`;
  }

  /** Periods that end before the first day that is known. */
  function NotCovered({ view }) {
    const { figures_from: from, figures_up_to: upTo } = wholesale.meta;
    const { last } = days.period(view.period, upTo) ?? {};
    return (
      from &&
      last < days.number(from) &&
      h`<${Notice} title="These days are not known.">Orders are known from ${format.date(from)} on.<//>`
    );
  }

  function Notices({ view }) {
    const { verdict, last_ordered_date: last, quiet_day_count: quiet, mixed_currencies: mixed } = wholesale.meta;
    const { figures_up_to: upTo } = wholesale.meta;
    const said = view.page === "health";
    const isAsked = wholesale.meta.currency === "XXX" && last !== null && (said || (view.page === "today" && !view.id));
    return h`
      <${wholesale.Wrong} view=${view} />
      ${age.isOld() && h`<${Old} />`}
      <${NotCovered} view=${view} />
      ${verdict !== "complete" && !said && h`<${NotComplete} />`}
      ${
        last === null &&
        h`<${Notice} title="No orders yet.">
          None with a date was found, so there is nothing to count. <${Link} to="health" class="a">What was read<//>
        <//>`
      }
      ${
        last !== null &&
        quiet > STOPPED_AFTER &&
        h`<${Notice} title="Orders stopped.">
          The last one came in on ${format.date(last)}, ${format.count(quiet)} days before all was read.${" "}
          “Last 12 months” ends on ${upTo === last ? "that day" : format.date(upTo)}.
        <//>`
      }
      ${isAsked && h`<${NoCurrency} />`}
      ${
        mixed.length > 0 &&
        h`<${Notice} title="More than one currency.">
          Records name ${mixed.join(", ")}: their amounts are added up as they are.${" "}
          <${Link} to="health" class="a">Which records<//>
        <//>`
      }
    `;
  }

  Object.assign(wholesale, { Notices, resourceName: resource });
})();

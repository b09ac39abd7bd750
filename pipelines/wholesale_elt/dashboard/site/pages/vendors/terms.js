/** Terms: what a vendor asks for and promises by its own words, beside what was seen. */
(() => {
  "use strict";

  const { decimals, format, load, parts, rowsOf } = wholesale;
  const { h, useLoaded, Loaded, Section, Empty } = wholesale.elements;
  const { Pairs, Unknown } = parts;
  const STEPS = { accepted: "To confirm", sent: "To ship", done: "To deliver", settled: "To be paid" };
  const DEEPEST = 3;

  const readSteps = (id) => load("vendor_steps").then((table) => rowsOf(table).filter((row) => row.vendor_id === id));
  const readMinimums = (id) =>
    load("vendor_minimums").then((table) => rowsOf(table).filter((row) => row.vendor_id === id));

  /** What the vendor asks of an order at least, in words. */
  function asked({ minimum_order_value: value, minimum_order_quantity: quantity }) {
    return [
      value !== null && decimals.compare(value, 0) > 0 && format.amount(value),
      quantity > 0 && format.plural(quantity, "piece"),
    ]
      .filter(Boolean)
      .join(" and ");
  }

  function parsed(text) {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  }

  /** The days on which it ships: a list of the service's own words. */
  function daysOf(text) {
    const days = parsed(text);
    return Array.isArray(days) && days.length ? days.map((day) => format.word(day)).join(", ") : null;
  }

  /** A part of an open map as text: whatever a vendor keeps there, with its own keys. */
  function written(value, depth = 0) {
    if (value === null || typeof value !== "object") return String(value);
    if (depth === DEEPEST) return "…";
    if (Array.isArray(value)) return value.map((each) => written(each, depth + 1)).join(", ");
    return Object.entries(value)
      .map(([key, each]) => `${key}: ${written(each, depth + 1)}`)
      .join(", ");
  }

  /** The shipping scheme, a map of keys that the service does not explain: each as it is. */
  function schemeOf(text) {
    const scheme = parsed(text);
    if (scheme === null || typeof scheme !== "object") return [];
    return Object.entries(scheme).map(([key, value]) => [
      /^[a-z_]+$/i.test(key) ? format.word(key) : key,
      written(value),
    ]);
  }

  function says({ order_processing_time: time, order_processing_on: on }) {
    if (!time) return null;
    return on ? `${time}, ${format.word(on).toLowerCase()}` : time;
  }

  /** How much of what was promised was seen to be kept; nothing if no promise could be judged. */
  function keptOf({ promise_kept_count: kept, promise_judged_count: judged, promise_unknown_count: untold }) {
    if (!judged) return h`<${Unknown} />`;
    return h`
      ${format.count(kept)} of ${format.plural(judged, "order")}${untold > 0 && "; "}
      ${untold > 0 && h`<span class="quiet">of ${format.count(untold)} not known</span>`}
    `;
  }

  function MinimumChanges({ vendor }) {
    const minimums = useLoaded(() => readMinimums(vendor.vendor_id), vendor.vendor_id);
    const changes = (minimums.value ?? [])
      .slice(1)
      .map((row, place) => ({
        at: row.valid_from,
        before: asked(minimums.value[place]) || "none",
        after: asked(row) || "none",
      }))
      .filter(({ before, after }) => before !== after);
    if (!changes.length) return null;
    return h`<ol class="history spaced">
      ${changes.toReversed().map(
        ({ at, before, after }) =>
          h`<li key=${at} class="marked">
            <time>${format.moment(at)}</time>Minimum <s>${before}</s> → <b>${after}</b>
          </li>`,
      )}
    </ol>`;
  }

  function seenText(row) {
    return row ? format.took(row) : null;
  }

  /** What it promises, and below it what was seen. */
  function Promised({ vendor, steps }) {
    const seen = (step) => seenText(steps.find((row) => row.step === step));
    const told = Object.keys(STEPS).filter((step) => seen(step));
    const promise = says(vendor);
    return h`<${Section} title="How long it takes" note="seen at each sync, all time">
      <${Pairs}
          rows=${[
            ["Says that it takes", promise ?? h`<${Unknown}>nothing<//>`],
            ...told.map((step) => [step === "sent" ? "Seen to ship in" : STEPS[step], seen(step)]),
            promise && ["Shipped by the day it promises", keptOf(vendor)],
          ]} />
      ${
        told.length === 0 &&
        h`<${Empty} title="Not seen yet">It is seen when an order changes its state between two syncs.<//>`
      }
    <//>`;
  }

  function Terms({ vendor }) {
    const steps = useLoaded(() => readSteps(vendor.vendor_id), vendor.vendor_id);
    const scheme = schemeOf(vendor.shipping_scheme);
    const known = (value) => value || h`<${Unknown} />`;
    return h`
      <${Section} title="Terms" note="as it says them now">
        <${Pairs}
            rows=${[
              ["Minimum order", vendor.is_listed ? asked(vendor) || "none" : h`<${Unknown} />`],
              ["Payment", known(vendor.order_terms)],
              vendor.order_processing_cut_off_time && ["Orders of a day until", vendor.order_processing_cut_off_time],
              daysOf(vendor.order_shipping_days) && ["Ships on", daysOf(vendor.order_shipping_days)],
              vendor.shipping_type && ["Shipping charged by", parts.method(vendor.shipping_type).toLowerCase()],
              vendor.is_listed && [
                "Status",
                vendor.is_deleted ? h`<${Unknown}>deleted<//>` : format.word(vendor.vendor_status),
              ],
            ]} />
        <${MinimumChanges} vendor=${vendor} />
      <//>
      ${
        scheme.length > 0 &&
        h`<${Section} title="Shipping scheme" note="as the vendor keeps it"><${Pairs} rows=${scheme} /><//>`
      }
      <${Loaded} of=${steps}>${(rows) => h`<${Promised} vendor=${vendor} steps=${rows} />`}<//>
    `;
  }

  wholesale.receive("pages/vendors/terms", { asked, readSteps, Terms });
})();

/** Shown: how lists of changes show an order, a buyer, a vendor, a cause and the values of fields. */
(() => {
  "use strict";

  const { format, view: views } = wholesale;
  const { h, Name, OrderNumber } = wholesale.elements;
  const { fieldName, valueText } = wholesale.parts;

  const CAUSES = {
    new: "New orders",
    "found late": "Found late",
    edited: "Edited",
    "state changed": "Status changed",
    cancelled: "Cancelled",
    deleted: "Deleted",
    reappeared: "Came back",
  };

  /** When a record was last touched says nothing to a reader that the change itself does not. */
  const UNTOLD = new Set(["updated_at"]);

  const fieldNames = (fields) =>
    [
      ...new Set(
        (fields ?? "")
          .split(", ")
          .filter((field) => field && !UNTOLD.has(field))
          .map(fieldName),
      ),
    ].join(", ");
  const causeName = (cause) => CAUSES[cause] ?? format.word(cause);

  function FromTo({ fields }) {
    return (
      fields.length > 0 &&
      h`<ul class="from-to">
        ${fields.map(
          ({ field, value_before: before, value_after: after }) =>
            h`<li key=${field}>
              <span class="quiet">${fieldName(field)}</span> <span dir="auto">${valueText(field, before)}</span> →${" "}
              <b dir="auto">${valueText(field, after)}</b>
            </li>`,
        )}
      </ul>`
    );
  }

  const ORDER = {
    name: "order_number",
    label: "Order",
    style: "narrow",
    show: (row) =>
      row.order_id
        ? h`<${OrderNumber} number=${row.order_number} id=${row.order_id} />`
        : h`<${Name} of="product" id=${row.product_id}>
          ${[row.title, row.variant_title].filter(Boolean).join(", ")}
        <//>`,
  };
  const BUYER = {
    name: "buyer_name",
    label: "Buyer",
    show: (row) => (row.product_id ? "" : h`<${Name} of="buyer" id=${row.buyer_id} name=${row.buyer_name} />`),
  };
  const VENDOR = {
    name: "vendor_name",
    label: "Vendor",
    drop: 3,
    show: (row) => h`<${Name} of="vendor" id=${row.vendor_id} name=${row.vendor_name} />`,
  };

  /** The other way in which a month may have moved: against the month before, by who bought. */
  function MonthBefore({ view, metric, period }) {
    const last = wholesale.meta.figures_up_to;
    const month =
      period !== "all_time" &&
      wholesale.days
        .text(
          wholesale.days.monthsLater(wholesale.days.number(`${last.slice(0, 7)}-01`), period === "last_month" ? -1 : 0),
        )
        .slice(0, 7);
    return (
      month &&
      h`<p class="lead">
        These are the corrections to ${format.longMonth(`${month}-01`)} since then.${" "}
        <a class="a" href=${views.linkTo(view, { page: "sales", period: month, compare: "period", own: { metric } })}>
          How it did against the month before
        <//>
      </p>`
    );
  }

  wholesale.receive("pages/changes/shown", {
    UNTOLD,
    fieldNames,
    causeName,
    FromTo,
    MonthBefore,
    ORDER,
    BUYER,
    VENDOR,
  });
})();

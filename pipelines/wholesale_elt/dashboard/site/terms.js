/**
 * Terms: the words of this site, as a seller says them; `see` leads to other terms, `page` to where one shows.
 *
 * A word for a figure has no text here: it is the figure's own, of `metrics.yml`.
 */
(() => {
  "use strict";

  wholesale.terms = [
    [
      "active-buyer",
      "Active buyer",
      null,
      { metric: "active_buyers", page: "buyers", see: ["late-buyer", "new-buyer"] },
    ],
    [
      "all-time",
      "All time",
      "Everything there is, also orders without a day, which no other period has.",
      { see: ["last-12-months"] },
    ],
    [
      "as-of",
      "As of",
      "The moment up to which everything was read. What happened later is not in the figures yet.",
      { page: "health", see: ["complete", "version"] },
    ],
    ["average-order", "Average order", null, { metric: "average_order_value", page: "sales", see: ["sales"] }],
    [
      "below-list-price",
      "Below the list price",
      "Sold for less than the buyer’s own price list said on the day of the order. It may be a deal, or a slip.",
      { page: "today" },
    ],
    [
      "below-minimum",
      "Below the minimum",
      "An order smaller than the least that its vendor takes.",
      { page: "fulfilment", see: ["minimum-order", "one-carton-short"] },
    ],
    ["buyer", "Buyer", "A shop or a chain that buys from you.", { page: "buyers" }],
    ["cancelled", "Cancelled", null, { metric: "cancelled_orders", page: "fulfilment", see: ["order", "sales"] }],
    [
      "cohort",
      "Cohort",
      "All buyers whose first order was in the same month. It tells how many of them still buy later on.",
      { page: "buyers", see: ["new-buyer"] },
    ],
    [
      "comparison",
      "Comparison",
      "The same days a year ago, or as many days just before. A month that is not over is compared with as many days " +
        "of the other one.",
      { page: "sales" },
    ],
    [
      "complete",
      "Complete",
      "Everything was read to its end and counted again. If not, it is said at the top of each page.",
      { page: "health", see: ["as-of"] },
    ],
    [
      "accepted",
      "Accepted",
      "The vendor said yes to the order, and has not sent it yet.",
      { page: "fulfilment", see: ["waiting", "sent"] },
    ],
    ["discount", "Discount", null, { metric: "discounts", page: "explore" }],
    [
      "edited",
      "Edited",
      "An order that was there before, and now has another amount or other lines.",
      { page: "changes" },
    ],
    [
      "found-late",
      "Found late",
      "An order that was made before the last reading, and seen only now.",
      { page: "changes" },
    ],
    [
      "last-12-months",
      "Last 12 months",
      "The 365 days, or 366, up to the last day that is known whole. Not the calendar year.",
      { page: "sales", see: ["this-month"] },
    ],
    [
      "late-buyer",
      "Late or silent buyer",
      null,
      { metric: "late_buyers", page: "buyers", see: ["rhythm", "lost-buyer"] },
    ],
    [
      "lost-buyer",
      "Lost buyer",
      "A buyer who has been silent far beyond its rhythm, for so long that it most likely buys elsewhere now.",
      { page: "buyers", see: ["late-buyer"] },
    ],
    ["line", "Line", "One product in an order, with its pieces and its price.", { see: ["order", "pieces"] }],
    [
      "median",
      "Median",
      "The one in the middle: half are below, half above. One odd order does not move it, as it moves an average.",
      {},
    ],
    [
      "minimum-order",
      "Minimum order",
      "The least that a vendor takes, in money or in pieces.",
      { page: "vendors", see: ["below-minimum"] },
    ],
    ["new-buyer", "New buyer", null, { metric: "new_buyers", page: "buyers", see: ["cohort"] }],
    [
      "not-known",
      "Not known",
      "The service does not tell it, or has not told it yet. It is not the same as nothing.",
      {},
    ],
    [
      "old-order",
      "Old order",
      "Waiting or accepted since long ago (30 days, unless it is set otherwise) and never sent: send it or cancel it.",
      { page: "today", see: ["waiting"] },
    ],
    [
      "one-carton-short",
      "One carton short",
      "An order so little below the minimum that one more carton of what is in it lifts it over.",
      { page: "today", see: ["below-minimum"] },
    ],
    ["order", "Order", null, { metric: "orders", page: "orders", see: ["cancelled"] }],
    ["owed", "Shipped and unpaid", null, { metric: "open_amount", page: "today", see: ["sent"] }],
    ["pace", "This pace", "What the month comes to if its other days are like those so far.", { page: "today" }],
    ["pieces", "Pieces", null, { metric: "units", page: "products", see: ["line"] }],
    [
      "price-list",
      "Price list",
      "The prices that a group of buyers gets.",
      { page: "buyers", see: ["below-list-price"] },
    ],
    [
      "waiting",
      "Waiting",
      "The order came in, and nobody has accepted it yet.",
      { page: "fulfilment", see: ["accepted"] },
    ],
    ["return", "Return", null, { metric: "returns", page: "orders" }],
    [
      "rhythm",
      "Rhythm",
      "How many days usually lie between two orders of a buyer: the median of its own gaps.",
      { page: "buyers", see: ["late-buyer", "median"] },
    ],
    ["sales", "Sales", null, { metric: "sales", page: "sales", see: ["cancelled", "order"] }],
    [
      "sent",
      "Sent",
      "The goods left the vendor, and did not arrive yet.",
      { page: "fulfilment", see: ["accepted", "owed"] },
    ],
    [
      "sku",
      "SKU",
      "The number by which you and your vendor call one product in one colour or size.",
      { page: "products" },
    ],
    [
      "this-month",
      "This month",
      "From the first of the month to the last day that is known whole.",
      { page: "today", see: ["pace", "comparison"] },
    ],
    ["vendor", "Vendor", "A brand or maker whose goods you sell.", { page: "vendors" }],
    [
      "version",
      "Version",
      "These pages as they were made after one reading. Each has a time; a newer one is told of at the top.",
      { page: "changes", see: ["as-of"] },
    ],
  ].map(([id, term, text, { page = null, see = [], metric = null }]) => ({ id, term, text, page, see, metric }));
})();

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
      "Every order there is, also those without a date, which no other period has.",
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
      "Sold for less than the buyer’s own price list said on the day of the order. It may be a deal, or a mistake.",
      { page: "today" },
    ],
    [
      "below-minimum",
      "Below the minimum",
      "An order smaller than the vendor’s minimum.",
      { page: "fulfilment", see: ["minimum-order", "one-carton-short"] },
    ],
    ["buyer", "Buyer", "A shop or a chain that buys from you.", { page: "buyers" }],
    ["cancelled", "Cancelled", null, { metric: "cancelled_orders", page: "fulfilment", see: ["order", "sales"] }],
    [
      "cohort",
      "Cohort",
      "All buyers whose first order was in the same month. It shows how many of them still buy later on.",
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
      "Everything was read to the end and counted again. If not, the top of each page says so.",
      { page: "health", see: ["as-of"] },
    ],
    [
      "accepted",
      "Accepted",
      "The vendor has said yes to the order, and has not shipped it yet.",
      { page: "fulfilment", see: ["waiting", "sent"] },
    ],
    ["discount", "Discount", null, { metric: "discounts", page: "explore" }],
    [
      "due-buyer",
      "Due buyer",
      "At least half of the buyers with about as many purchases that were silent for as long ordered within seven " +
        "days.",
      { page: "next", see: ["window", "late-buyer"] },
    ],
    [
      "edited",
      "Edited",
      "An order that was known before, and now has another amount or other lines.",
      { page: "changes" },
    ],
    ["found-late", "Found late", "An order placed before the last reading, and found only now.", { page: "changes" }],
    [
      "last-12-months",
      "Last 12 months",
      "The twelve months up to the last complete day. Not the calendar year.",
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
      "A buyer who has been silent for so long that it most likely buys elsewhere now.",
      { page: "buyers", see: ["late-buyer"] },
    ],
    ["line", "Line", "One product in an order, with its pieces and its price.", { see: ["order", "pieces"] }],
    [
      "median",
      "Median",
      "The one in the middle: half are below, half above. Unlike an average, it is not moved by one odd order.",
      {},
    ],
    [
      "minimum-order",
      "Minimum order",
      "The least a vendor accepts, in money or in pieces.",
      { page: "vendors", see: ["below-minimum"] },
    ],
    [
      "month-end",
      "Where a month may end",
      "The amounts between which the sales of the month end up 5, 8 or 9 times in ten, by how the weeks of a year " +
        "went on. It is set anew with each version, and judged when the month is over.",
      { page: "next", see: ["window", "this-month"] },
    ],
    ["new-buyer", "New buyer", null, { metric: "new_buyers", page: "buyers", see: ["cohort"] }],
    ["not-known", "Not known", "The account does not say, or has not said yet. That is not the same as zero.", {}],
    [
      "old-order",
      "Old order",
      "Waiting or accepted for long (30 days, unless the settings say otherwise) and never sent: send or cancel it.",
      { page: "today", see: ["waiting"] },
    ],
    [
      "one-carton-short",
      "One carton short",
      "An order so close to the minimum that one more carton of something in it would reach it.",
      { page: "today", see: ["below-minimum"] },
    ],
    ["order", "Order", null, { metric: "orders", page: "orders", see: ["cancelled"] }],
    ["owed", "Shipped and unpaid", null, { metric: "open_amount", page: "today", see: ["sent"] }],
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
      "The order has come in, and nobody has accepted it yet.",
      { page: "fulfilment", see: ["accepted"] },
    ],
    ["return", "Return", null, { metric: "returns", page: "orders" }],
    [
      "rhythm",
      "Rhythm",
      "How many days a buyer usually leaves between two orders: the median of its own gaps.",
      { page: "buyers", see: ["late-buyer", "median"] },
    ],
    ["sales", "Sales", null, { metric: "sales", page: "sales", see: ["cancelled", "order"] }],
    [
      "sent",
      "Sent",
      "The goods have left the vendor, and have not arrived yet.",
      { page: "fulfilment", see: ["accepted", "owed"] },
    ],
    [
      "sku",
      "SKU",
      "The code that you and your vendor use for one product in one colour or size.",
      { page: "products" },
    ],
    [
      "this-month",
      "This month",
      "From the first of the month to the last complete day.",
      { page: "today", see: ["month-end", "comparison"] },
    ],
    ["vendor", "Vendor", "A brand or maker whose goods you sell.", { page: "vendors" }],
    [
      "version",
      "Version",
      "These pages as made after one reading. Each has its time; the top of the page tells you of a newer one.",
      { page: "changes", see: ["as-of"] },
    ],
    [
      "window",
      "Window",
      "The days between which the next order of a buyer falls 5, 8 or 9 times in ten, by buyers with about as many " +
        "purchases. It is set on the day of a purchase by what was known then, and told from the sixth purchase on.",
      { page: "next", see: ["due-buyer", "rhythm"] },
    ],
  ].map(([id, term, text, { page = null, see = [], metric = null }]) => ({ id, term, text, page, see, metric }));
})();

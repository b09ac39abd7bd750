/** Block: one buyer to call: what is wrong, why now, its rhythm, what it takes, and what it owes. */
(() => {
  "use strict";

  const { age, charts, days, format, objects, parts: words, windows, view: views } = wholesale;
  const { h, usePrinting, Icon, Name, OrderNumber } = wholesale.elements;
  const { gapText, everyText } = wholesale.silence;
  /** Rows of a list, and those on paper, where a block has half a sheet. */
  const [SHOWN, PRINTED] = [5, 4];

  const page = (of, id, name) => h`<${Name} of=${of} id=${id} name=${name} />`;

  function Head({ buyer, at, isHere, next, call }) {
    const name = objects.nameOf(buyer.buyer_id, buyer.buyer_name);
    return h`<div class="call-head">
      <h2 id=${`call-${buyer.buyer_id}`}>${page("buyer", buyer.buyer_id, name)}</h2>
      ${
        buyer.call_reason === "due"
          ? h`<span class="badge">Due</span>`
          : h`<span class="badge late">Silent beyond its rhythm</span>`
      }
      <div class="call-acts">
        <button type="button" class="pick" aria-pressed=${at !== null} onClick=${call}>
          <${Icon} name="phone" />
          ${at === null ? "Called" : `Called ${format.ownDay(at)}`}
          ${isHere && h` <kbd class="key" aria-hidden="true">c</kbd>`}
        </button>
        <button type="button" class="pick next" disabled=${!next} onClick=${next}>
          Next ${isHere && h` <kbd class="key" aria-hidden="true">n</kbd>`}
        </button>
      </div>
    </div>`;
  }

  /** Why to call now, in a sentence or two. */
  function Why({ buyer }) {
    const { median_days_between_orders: every, monthly_amount: monthly } = buyer;
    const silent = `silent for ${format.plural(buyer.days_since_last_order, "day")}${age.counted()}`;
    const usual = `Buys every ${everyText(every)}`;
    return h`<p class="call-why">
      <b>${usual}, ${silent}.</b>${" "}
      ${windows.awaitedText(buyer)}${" "}
      ${format.word(gapText(buyer))}.${" "}
      ${monthly !== null && h`Spends <b>${format.compact(monthly)} a month</b>.`}
    </p>`;
  }

  /** Its number and the hour there, where these may be known, and where it is. */
  function Where({ buyer }) {
    const { phone, price_list_title: list, account_manager_id: manager } = buyer;
    const hour = phone ? wholesale.pieces.calls.hourIn(buyer) : null;
    const facts = [
      words.place(buyer),
      list && `price list ${list}`,
      manager && wholesale.meta.people[manager] && `looked after by ${wholesale.meta.people[manager]}`,
    ].filter(Boolean);
    return h`<p class="call-where">
      ${phone && h`<a class="call-phone" href=${`tel:${phone.replaceAll(/[^+\d]/g, "")}`} dir="ltr">${phone}</a>`}
      <span class="quiet">
        ${facts.join("; ")}
        ${hour && h`; <span class=${hour.isNight ? "unknown" : ""}>${hour.text}</span>`}
      </span>
    </p>`;
  }

  function List({ title, rows, none, more }) {
    return h`<div>
      <h3>${title}</h3>
      <ul class="call-list">
        ${rows.length ? rows : none && h`<li class="quiet">${none}</li>`}
        ${more && h`<li>${more}</li>`}
      </ul>
    </div>`;
  }

  function Usual({ buyer, products, most }) {
    const { usual_product_count: count, left_out_product_count: left } = buyer;
    const usual = products.filter(({ product_list: list }) => list === "usual").slice(0, most);
    const title =
      count === 0
        ? "Usually takes"
        : left === 0
          ? "Usually takes, all in its last three orders"
          : `Usually takes; ${format.count(left)} of ${format.count(count)} not in its last three orders`;
    return h`<${List} title=${title} none="Nothing in three of its orders or more."
        more=${
          count > usual.length &&
          h`<a class="more" href=${views.hashOf({ page: "buyer", id: buyer.buyer_id })}>
            ${format.count(count - usual.length)} more it usually takes
          </a>`
        }
        rows=${usual.map(
          (row) =>
            h`<li key=${row.item_key}>
              <span>
                ${page("product", row.item_key, row.item_title)}${" "}
                <span class="quiet">
                  ${row.usual_quantity > 0 && `${format.plural(row.usual_quantity, "piece")}, `}
                  ${format.plural(row.purchase_count, "order")}
                </span>
                ${row.is_offered === false && h` <span class="unknown">no longer offered</span>`}
              </span>
              <span class=${row.is_left_out ? "end down" : "end"}>last ${format.recent(row.last_ordered_date)}</span>
            </li>`,
        )} />`;
  }

  function Suggested({ buyer, products }) {
    const suggested = products.filter(({ product_list: list }) => list === "suggested");
    const { like_buyer_count: like } = buyer;
    const title = like > 0 ? `${format.plural(like, "buyer")} like it take, and it never did` : "Buyers like it take";
    return h`<${List} title=${title}
        none=${like > 0 ? "Nothing that many of them take is new to it." : "Too few buyers are like it to tell."}
        rows=${suggested.map(
          (row) =>
            h`<li key=${row.item_key}>
              <span>${page("product", row.item_key, row.item_title)}</span>
              <span class="end">${format.count(row.taking_buyer_count)} of ${format.count(row.like_buyer_count)}</span>
            </li>`,
        )} />`;
  }

  /** When a bill is due, in red if that is past; where no day is known, how old its order is. */
  function Due({ bill: { due_date: due, days_overdue: over, is_overdue: isLate, age_in_days: old } }) {
    const late = isLate ? "down" : "quiet";
    if (due === null)
      return h`<span class="unknown">due day not known</span>
        ${old !== null && h`<span class=${late}>, ordered ${format.plural(old, "day")} ${age.ago()}</span>`}`;
    const past = over > 0 ? `, ${format.plural(over, "day")} over` : "";
    return h`<span class=${late}>due ${format.recent(due)}${past}</span>`;
  }

  function Owed({ buyer, bills: known, most }) {
    const bills = known.slice(0, most);
    const { owed_amount: amount, owed_order_count: open, unknown_order_count: unknown } = buyer;
    const isLeast = buyer.owed_without_total_count > 0 || unknown > 0;
    const isUnknown = amount === null || (open === 0 && unknown > 0);
    const own = { payment: open > 0 ? "owed" : "unknown" };
    const all = views.hashOf({ page: "orders", period: "all_time", where: { buyer: [buyer.buyer_id] }, own });
    const sum = isUnknown
      ? h`<b class="unknown">not known</b>`
      : h`<b>${isLeast ? "at least " : ""}${format.amount(amount)}</b>`;
    const more = open + unknown - bills.length;
    const none = unknown > 0 ? "" : "Nothing open";
    return h`<${List} title=${h`Owes ${sum}${bills.length > 0 && ", by due day"}`} none=${none}
        more=${
          more > 0 &&
          h`<a class="more" href=${all}>
            ${bills.length ? format.plural(more, "more order") : `${format.plural(more, "order")}, perhaps owed`}
          </a>`
        }
        rows=${bills.map(
          (bill) =>
            h`<li key=${bill.order_id}>
              <span><${OrderNumber} number=${bill.order_number} id=${bill.order_id} /> <${Due} bill=${bill} /></span>
              <span class="end">
                ${bill.total === null ? h`<span class="unknown">not known</span>` : format.amount(bill.total)}
              </span>
            </li>`,
        )} />`;
  }

  /** What was said last, where that may be known; else when. */
  function Said({ buyer }) {
    const { last_commented_at: at, commented_order_id: id, commented_order_number: number, author, body } = buyer;
    if (at === null) return h`<p class="call-said"><b>No comment yet.</b></p>`;
    const by = (author ?? "").trim();
    const text = (body ?? "").trim();
    return h`<p class="call-said">
      <b>Last comment, ${format.date(at)}${by && h`, <span dir="auto">${by}</span>`}${text && ":"}</b>${" "}
      ${text && h`<span dir="auto">${text}</span>`} on order <${OrderNumber} number=${number} id=${id} />
    </p>`;
  }

  function Block({ buyer, parts, isHere, at, next, call }) {
    const isPrinting = usePrinting();
    const most = isPrinting ? PRINTED : SHOWN;
    const until = age.day();
    const purchases = parts.purchases.map(({ day, amount }) => ({
      day,
      amount,
      label: `${format.date(day)}: ${amount === null ? "amount not known" : format.amount(amount)}`,
      href: views.hashOf({ page: "orders", period: day, where: { buyer: [buyer.buyer_id] } }),
    }));
    return h`<article class=${at === null ? "call" : "call done"} data-here=${isHere ? "" : undefined}
        aria-labelledby=${`call-${buyer.buyer_id}`}>
      <${Head} buyer=${buyer} at=${at} isHere=${isHere} next=${next} call=${call} />
      <${Why} buyer=${buyer} />
      <${Where} buyer=${buyer} />
      <${charts.Rhythm} purchases=${purchases} awaited=${windows.band(buyer)} isLate=${true} until=${until}
          first=${days.text(days.number(until) - 364)} height=${isPrinting ? 84 : 112} />
      <div class="call-columns">
        <${Usual} buyer=${buyer} products=${parts.products} most=${most} />
        <${Suggested} buyer=${buyer} products=${parts.products} />
        <${Owed} buyer=${buyer} bills=${parts.bills} most=${most} />
      </div>
      <${Said} buyer=${buyer} />
      <p class="call-lines" aria-hidden="true"><span>Said today</span><i></i><i></i></p>
    </article>`;
  }

  wholesale.receive("pages/calls/block", { Block });
})();

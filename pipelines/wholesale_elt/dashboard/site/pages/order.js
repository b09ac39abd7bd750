/** Order: one order: its lines, its states, its amounts, and what changed. */
(() => {
  "use strict";

  const { age, decimals, format, objects, orders, parts, view: views } = wholesale;
  const { h, useLoaded, Loaded, Name, OrderNumber, Section, State, Empty, Link } = wholesale.elements;
  const { Pairs, Unknown } = parts;
  const USUAL = ["waiting", "accepted", "sent", "done"];
  const A_DAY = 86_400_000;

  const difference = (left, right) => decimals.text(decimals.units(left) - decimals.units(right));
  const isMore = (value) => value !== null && decimals.compare(value, 0) > 0;

  const ago = (row) => `${format.plural(row.age, "day")} ${age.ago()}`;

  /** Whether it waits for so long that it is among what there is to do. */
  function isLate({ age: days }) {
    const { old_order_days: old, unconfirmed_days: unconfirmed } = wholesale.meta;
    return days > old || (unconfirmed !== null && days > unconfirmed);
  }

  function badgeOf(row) {
    if (row.is_deleted) return { text: "Deleted", tone: "gone" };
    if (row.is_cancelled) return { text: "Cancelled", tone: "gone" };
    if (row.is_owed) {
      const since = row.age > 0 ? `Not paid, ordered ${ago(row)}` : "Not paid";
      return {
        text: row.due_date ? `Not paid, due ${format.date(row.due_date)}` : since,
        tone: row.is_overdue ? "late" : "soon",
      };
    }
    if (format.standing(row.order_status) === USUAL[0] && isLate(row))
      return { text: `${format.word(row.order_status)} ${ago(row)}`, tone: "soon" };
    return null;
  }

  /** The first state: an order waits from its own day on; any other is as old as it was first seen. */
  function firstOf(row, { state_before: state, entered_state_before_at: seenAt }) {
    if (format.standing(state) === USUAL[0] && row.ordered_at) return { state, at: row.ordered_at };
    return { state, at: seenAt, note: seenAt ? `first seen ${format.moment(seenAt)}` : null };
  }

  /** The states that an order went through, as they were seen, and those that usually follow. */
  function courseOf(row, steps) {
    const seen = steps.filter(({ field_name: field }) => field === "order_status" || field === "status");
    const course = [];
    const reached = USUAL.indexOf(format.standing(row.order_status));
    const usual = USUAL.map((standing) => format.stateOf(standing));
    if (seen.length) {
      course.push(firstOf(row, seen[0]));
      for (const step of seen) course.push({ state: step.state_after, at: step.observed_at });
    } else {
      for (const [place, state] of usual.slice(0, Math.max(reached, 0)).entries())
        if (state) course.push({ state, at: place === 0 ? row.ordered_at : null, isSupposed: true });
      course.push({ state: row.order_status, at: reached === 0 ? row.ordered_at : null });
    }
    if (reached >= 0 && !row.is_deleted)
      for (const state of usual.slice(reached + 1)) if (state) course.push({ state, isAhead: true });
    const paid = steps.findLast(({ field_name: field }) => field === "payment_status");
    const isOpen = row.payment_standing === "open";
    if (row.is_sale)
      course.push(
        isOpen
          ? {
              state: format.stateOf("settled", "payment_status") ?? "payment",
              isAhead: true,
              note: row.total === null ? "not yet" : `not yet; ${format.amount(row.total)} open`,
            }
          : {
              state: row.payment_status ?? "payment",
              at: paid?.observed_at ?? null,
              note: paid ? null : "day not known",
            },
      );
    return course;
  }

  function took(from, to) {
    if (!from || !to) return null;
    const days = Math.round((Date.parse(to) - Date.parse(from)) / A_DAY);
    return days < 1 ? "within a day" : format.plural(days, "day");
  }

  function Course({ row, steps }) {
    const course = courseOf(row, steps);
    return h`<ol class="steps-line" aria-label="States">
      ${course.map(({ state, at, isAhead, note }, place) => {
        const next = course[place + 1];
        const style = [
          isAhead && "open",
          next?.isAhead && "dashed",
          row.is_cancelled && format.standing(state) === "cancelled" && "stopped",
        ]
          .filter(Boolean)
          .join(" ");
        const word =
          note ?? (at ? `${place ? "seen " : ""}${format.moment(at)}` : isAhead ? "not yet" : "day not known");
        return h`<li key=${place} class=${style}>
          ${next && h`<span class="took">${took(at, next.at)}</span>`}
          <b>${format.word(state)}</b>
          <small>${word}</small>
        </li>`;
      })}
    </ol>`;
  }

  function lineName(line, products) {
    const name = objects.lineName(line, products);
    if (!line.product_id) return h`<span class=${name === "Not known" ? "unknown" : ""} dir="auto">${name}</span>`;
    return h`<${Name} of="product" id=${line.product_id}>${name}<//>`;
  }

  function Lines({ row, lines, products }) {
    const columns = [
      {
        name: "title",
        label: "Product",
        value: (line) => objects.lineName(line, products),
        show: (line) => lineName(line, products),
      },
      lines.some(({ sku }) => parts.trimmed(sku)) && {
        name: "sku",
        label: "Code",
        show: (line) => h`<span dir="auto">${line.sku ?? format.NONE}</span>`,
      },
      { name: "quantity", label: "Pieces", type: "count" },
      { name: "unit_price", label: "Price", type: "exact" },
      lines.some(({ discount_amount: less }) => isMore(less)) && {
        name: "discount_amount",
        label: "Discount",
        type: "number",
        show: (line) => (isMore(line.discount_amount) ? `${format.MINUS}${format.exact(line.discount_amount)}` : ""),
      },
      { name: "total_price", label: "Amount", type: "amount" },
    ].filter(Boolean);
    const sum = lines.reduce((total, line) => total + decimals.units(line.total_price), 0n);
    const unpriced = lines.filter(({ total_price: amount }) => amount === null).length;
    const gap = row.sub_total === null || unpriced > 0 ? null : difference(decimals.text(sum), row.sub_total);
    return h`<${Section} title=${format.plural(lines.length, "line")}
        note=${row.unit_count === null ? "" : format.plural(row.unit_count, "piece")}>
      <${wholesale.Table} caption="Lines" columns=${columns} rows=${lines} size=${100}
          file=${`order-${row.order_number ?? row.order_id}`} empty="This order has no lines." />
      ${
        lines.length > 0 &&
        gap !== null &&
        decimals.compare(gap, 0) !== 0 &&
        h`<p class="warned">
          The lines add up to ${format.exact(decimals.text(sum))}: ${format.exact(gap.replace("-", ""))}${" "}
          ${gap.startsWith("-") ? "less" : "more"} than the goods of the order.
        </p>`
      }
      ${
        unpriced > 0 &&
        h`<p class="warned">
          ${format.plural(unpriced, "line")} without an amount: what the lines add up to is not known.
        </p>`
      }
    <//>`;
  }

  /** What changed since the version before, of the order and its lines, and each state that was seen before. */
  function Changed({ row, steps, changes, fields }) {
    const keyOf = (field, before, after) => [parts.fieldName(field), before, after].join("/");
    const told = new Set(
      fields.map(({ field, value_before: before, value_after: after }) => keyOf(field, before, after)),
    );
    const seen = steps
      .filter((step) => !told.has(keyOf(step.field_name, step.state_before, step.state_after)))
      .map((step) => ({
        at: step.observed_at,
        isMoved: false,
        content: h`
          ${format.word(parts.fieldName(step.field_name))} <s>${format.word(step.state_before)}</s> →${" "}
          <b>${format.word(step.state_after)}</b>
        `,
      }));
    const entries = [...parts.entriesOf({ changes, fields }), ...seen];
    return h`<${Section} title="What changed" note="as seen at each sync">
      ${
        entries.length
          ? h`<${parts.History} entries=${entries} />`
          : h`<${Empty} title="Nothing was seen to change.">
            It was last changed at the service on ${format.moment(row.updated_at)}.
          <//>`
      }
    <//>`;
  }

  function minimumOf(row, vendor) {
    const asked = [
      isMore(row.vendor_minimum_order_value) && format.amount(row.vendor_minimum_order_value),
      row.minimum_order_quantity > 0 && format.plural(row.minimum_order_quantity, "piece"),
    ]
      .filter(Boolean)
      .join(" and ");
    if (row.is_near_miss !== null) return h`${asked}, <span class="down">short by ${parts.short(row)}</span>`;
    if (!asked && !vendor?.is_listed) return h`<${Unknown} />`;
    return asked ? `${asked}${row.is_sale && !row.is_return ? ", met" : ""}` : "none";
  }

  /** How many orders a buyer has, and which of them this one is. */
  async function ofBuyer(row) {
    if (row.buyer === null) return null;
    const all = await orders.first({ where: { buyer: [row.buyer] } }, Infinity, { isBrief: true });
    const sales = all.filter((each) => each.is_sale && each.date !== null).toReversed();
    const place = sales.findIndex(({ key }) => key === row.key);
    const before = sales
      .slice(0, place)
      .filter(({ amount }) => amount !== null)
      .map(({ amount }) => Number(amount));
    return {
      place: place < 0 ? null : place + 1,
      since: place < 0 ? null : sales.length - place - 1,
      average: before.length ? before.reduce((sum, amount) => sum + amount, 0) / before.length : null,
      buyer: (await wholesale.objects.all("buyers")).get(row.buyer) ?? null,
    };
  }

  async function read(row) {
    const [lines, products, vendors, steps, changes, written] = await Promise.all([
      orders.linesOf(row),
      objects.all("products"),
      objects.all("vendors"),
      orders.stepsOf(row),
      parts.changesOf(({ order_id: id }) => id === row.order_id),
      wholesale.load("comments"),
    ]);
    const comments = wholesale.rowsOf(written).filter(({ order_id: id }) => id === row.order_id);
    return { lines, products, vendors, steps, comments, ...changes };
  }

  /**
   * What lies between goods and total: a total below the goods has their discount in it. What no field tells is said
   * to be so, and a discount that the total does not show is none of this sum.
   */
  function betweenOf({ sub_total: goods, total, line_discount_amount: discount }) {
    if (goods === null || total === null) return { discount: null, rest: null };
    const whole = difference(total, goods);
    const isTaken = isMore(discount) && decimals.compare(whole, 0) < 0;
    if (!isTaken) return { discount: null, rest: whole };
    return { discount, rest: difference(total, difference(goods, discount)) };
  }

  function Amounts({ row }) {
    const { discount, rest } = betweenOf(row);
    const isVoid = row.is_cancelled || row.is_deleted;
    const total = row.total === null ? h`<${Unknown} />` : format.amount(row.total);
    return h`<${Section} title="Amounts">
      <${Pairs}
          rows=${[
            ["Goods", row.sub_total === null ? h`<${Unknown} />` : format.amount(row.sub_total)],
            discount !== null && ["Discount", format.amount(`-${discount}`)],
            rest !== null &&
              decimals.compare(rest, 0) !== 0 && [
                isMore(rest) ? "Freight and other" : "Difference not explained by the fields",
                format.amount(rest),
              ],
            isVoid && ["Total", total],
            ["To pay", isVoid ? `nothing: ${row.is_deleted ? "deleted" : "cancelled"}` : total, "whole"],
            discount === null &&
              isMore(row.line_discount_amount) && [
                "Discount on lines, not in this sum",
                format.amount(row.line_discount_amount),
              ],
            ["Payment", row.payment_status ? h`<${parts.Payment} row=${row} />` : h`<${Unknown} />`],
            row.payment_method && ["By", parts.method(row.payment_method)],
            row.invoice_status && ["Invoice", format.word(row.invoice_status)],
          ]} />
    <//>`;
  }

  function OfBuyer({ row }) {
    const of = useLoaded(() => ofBuyer(row), row.key);
    const { place, since, average, buyer } = (!of.isOld && of.value) || {};
    return h`<${Section} title="Buyer">
      <${Pairs}
          rows=${[
            ["Name", h`<${Name} of="buyer" id=${row.buyer} name=${row.buyer_name} />`],
            place && [
              "This order",
              `${parts.ordinal(place)} order, ${since ? `${format.count(since)} since` : "the latest"}`,
            ],
            average !== null && average !== undefined && ["Average before", format.amount(average)],
            buyer && [
              "Shipped and unpaid",
              buyer.open_order_count > 0
                ? format.amount(buyer.owed_amount)
                : buyer.unknown_order_count > 0
                  ? h`<${Unknown} />`
                  : format.amount(0),
            ],
            ["Ships to", parts.place(row) || h`<${Unknown} />`],
          ]} />
    <//>`;
  }

  /** What was written to an order; without the words, unless these are published. */
  function Comments({ comments }) {
    if (!comments.length) return null;
    return h`<${Section} title="Comments" note=${format.count(comments.length)}>
      <ol class="history">
        ${comments.map(
          ({ commented_at: at, author, body }, place) =>
            h`<li key=${place}>
              <time>${at ? format.moment(at) : h`<${Unknown} />`}</time>
              ${author && h`<b dir="auto">${author}</b> `}
              <span dir="auto">${body ?? ""}</span>
            </li>`,
        )}
      </ol>
    <//>`;
  }

  function OneOrder({ row }) {
    parts.useNamed("order", row.order_number ?? row.order_id, `Order ${row.order_number ?? row.order_id}`);
    const of = useLoaded(() => read(row), row.key);
    const number = parts.trimmed(row.order_number) || row.order_id;
    const [, zeros, rest] = /^(0*)(.*)$/s.exec(number);
    return h`
      <${parts.Head} title=${h`Order <span class="zeros">${zeros}</span>${rest}`} badge=${badgeOf(row)}
          facts=${[
            h`<${Name} of="buyer" id=${row.buyer} name=${row.buyer_name} />`,
            h`from <${Name} of="vendor" id=${row.vendor} name=${row.vendor_name} />`,
            row.date ? `ordered ${format.date(row.date)}` : h`<${Unknown}>day not known<//>`,
            row.po_number && h`purchase order <span dir="auto">${row.po_number}</span>`,
            row.payment_method && `by ${parts.method(row.payment_method).toLowerCase()}`,
            row.is_return && "a return",
          ]}
          actions=${h`
            <${parts.Copy} text=${() => number}>Copy number<//>
            <${parts.Copy} text=${() => location.href}>Copy link<//>
          `} />
      <${Loaded} of=${of}>
        ${({ lines, products, vendors, steps, comments, changes, fields }) =>
          h`
            <${Course} row=${row} steps=${steps} />
            <${parts.Beside}
                side=${h`
                  <${Amounts} row=${row} />
                  <${OfBuyer} row=${row} />
                  <${Section} title="Vendor">
                    <${Pairs}
                        rows=${[
                          ["Name", h`<${Name} of="vendor" id=${row.vendor} name=${row.vendor_name} />`],
                          ["Minimum", minimumOf(row, vendors.get(row.vendor))],
                        ]} />
                  <//>
                `}>
              <${Lines} row=${row} lines=${lines} products=${products} />
              <${Changed} row=${row} steps=${steps} changes=${changes} fields=${fields} />
              <${Comments} comments=${comments} />
            <//>
            <${parts.Foot}>
              ${
                row.is_sale
                  ? "This order counts as a sale."
                  : row.is_deleted
                    ? "This order was deleted, so it does not count as a sale."
                    : "This order was cancelled, so it does not count as a sale."
              }${" "}
              States are as seen at each sync, so a step may be older than it says.
            <//>
          `}
      <//>
    `;
  }

  function Page({ view }) {
    const of = useLoaded(() => orders.find(view.id), view.id);
    return h`<${Loaded} of=${of.isOld ? {} : of}>
      ${(rows) => {
        if (rows.length === 1) return h`<${OneOrder} row=${rows[0]} />`;
        if (rows.length === 0) {
          return h`<${parts.NotHere} what="order" id=${view.id}>
            <a class="more" href=${views.hashOf({ page: "orders", period: "all_time" })}>All orders</a>
          <//>`;
        }
        return h`
          <${parts.Head}
              title=${h`
                ${format.plural(rows.length, "order")} with number <${OrderNumber} number=${view.id} id=${view.id} />
              `}
              facts=${["The same number was given more than once; each opens by itself."]} />
          <ul class="reasons">
            ${rows.map(
              (row) =>
                h`<li key=${row.key}>
                  <i></i>
                  <span class="name">
                    <${Link} to="order" id=${row.order_id} dir="auto">
                      ${row.buyer_name ?? "Buyer not known"}, from ${row.vendor_name ?? "vendor not known"}
                    <//>
                  </span>
                  <span class="reason">${format.date(row.date)}, <${State} code=${row.order_status} /></span>
                  <span class="money"><${parts.Amount} row=${row} /></span>
                </li>`,
            )}
          </ul>
        `;
      }}
    <//>`;
  }

  wholesale.receive("pages/order", Page);
})();

/** Order: one order: its lines, its states, its amounts, and what changed. */
(() => {
  "use strict";

  const { format, objects, orders, parts, view: views } = wholesale;
  const { h, useLoaded, Loaded, Name, OrderNumber, Section, State, Empty, Link } = wholesale.elements;
  const { badgeOf, Course, Lines, Amounts, minimumOf } = wholesale.pieces.order;
  const { Pairs, Unknown } = parts;

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
    return h`<${Section} title="What changed" note="as found at each reading">
      ${
        entries.length
          ? h`<${parts.History} entries=${entries} />`
          : h`<${Empty} title="No change was seen.">
            It was last changed at the service on ${format.moment(row.updated_at)}.
          <//>`
      }
    <//>`;
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

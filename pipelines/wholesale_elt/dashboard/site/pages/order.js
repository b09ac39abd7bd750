/** Order: one order: its lines, its states, its amounts, and what changed. */
(() => {
  "use strict";

  const { decimals, format, objects, orders, parts, view: views } = wholesale;
  const { h, useLoaded, Loaded, Name, OrderNumber, Section, State, Link } = wholesale.elements;
  const { badgeOf, Changed, Course, Lines, Amounts, minimumOf } = wholesale.pieces.order;
  const { Pairs, Unknown } = parts;
  /** Fewest earlier orders of a product that tell what is usual. */
  const FEWEST_TO_BE_USUAL = 3;

  /** What there is of an order; and which of those of its buyer it is, of each product what that usually takes. */
  async function ofBuyer(row) {
    const buyer = row.buyer === null ? null : ((await objects.all("buyers")).get(row.buyer) ?? null);
    if (!buyer) return { ...(await orders.contentsOf(row)), buyer: {} };
    const found = await objects.ofBuyer(buyer);
    const { orders: all, lines } = found;
    const own = all.find((each) => isSame(each, row));
    const sales = all.filter((each) => each.is_sale && each.date !== null).toReversed();
    const place = sales.findIndex((each) => isSame(each, row));
    const before = sales.slice(0, Math.max(place, 0)).filter(({ amount }) => amount !== null);
    const isBefore = new Set(sales.slice(0, Math.max(place, 0)).map((each) => each.place));
    const whole = before.reduce((sum, { amount }) => sum + decimals.units(amount), 0n);
    return {
      ...(await orders.contentsOf(row, found, own)),
      buyer: {
        buyer,
        place: place < 0 ? null : place + 1,
        since: place < 0 ? null : sales.length - place - 1,
        average: before.length ? decimals.text(whole / BigInt(before.length)) : null,
        usual: usualOf(lines.filter((line) => isBefore.has(line.place))),
      },
    };
  }

  const isSame = (one, { order_number: number, order_id: id, date }) =>
    (one.order_id ?? id) === id && one.order_number === number && one.date === date;

  /** What a buyer usually takes of each product: the median of what its earlier orders have, if they are enough. */
  function usualOf(lines) {
    const taken = Map.groupBy(
      lines.filter(({ product_id: id, quantity }) => id !== null && quantity > 0),
      ({ product_id: id }) => id,
    );
    const enough = [...taken].filter(([, own]) => own.length >= FEWEST_TO_BE_USUAL);
    return new Map(
      enough.map(([id, own]) => {
        const sorted = own.map(({ quantity }) => quantity).toSorted((left, right) => left - right);
        return [id, sorted[Math.floor((sorted.length - 1) / 2)]];
      }),
    );
  }

  /** A line with what the catalogue says of its product, where the line itself says nothing else. */
  function inCatalogue(line, place, products) {
    const product = products.get(line.product_id);
    return {
      ...line,
      key: place,
      product_name: line.title,
      sku: line.sku ?? product?.sku ?? null,
      options: product?.options ?? null,
    };
  }

  async function read(row) {
    const [products, vendors, steps, changes, usually, { lines: own, history, buyer }] = await Promise.all([
      objects.all("products"),
      objects.all("vendors"),
      orders.stepsOf(row),
      parts.changesOf(({ order_id: id }) => id === row.order_id),
      wholesale.load("vendor_steps"),
      ofBuyer(row),
    ]);
    const lines = own.map((line, place) => inCatalogue(line, place, products));
    const took = wholesale.rowsOf(usually).filter(({ vendor_id: id }) => id === row.vendor);
    return { lines, products, vendors, steps, history, took, buyer, ...changes };
  }

  function OfBuyer({ row, found: { place, since, average, buyer } }) {
    return h`<${Section} title="Buyer">
      <${Pairs}
          rows=${[
            ["Name", h`<${Name} of="buyer" id=${row.buyer} name=${row.buyer_name} />`],
            place && [
              "This order",
              `${parts.ordinal(place)}, ${since ? `${format.count(since)} since` : "no order since"}`,
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
            ["Ships to", parts.place({ ...row, city: row.shipping_city }) || h`<${Unknown} />`],
          ]} />
    <//>`;
  }

  /** What was written to an order; without the words, unless these are published. */
  function Comments({ comments }) {
    if (!comments.length) return null;
    if (!comments.some(({ body, author }) => body || author)) {
      const times = comments.map(({ at }) => (at ? format.moment(at) : "at a time that is not known"));
      return h`<${Section} title="Comments" note=${format.count(comments.length)}>
        <p class="quiet small">Their words are not published. Written ${times.join("; ")}.</p>
      <//>`;
    }
    return h`<${Section} title="Comments" note=${format.count(comments.length)}>
      <ol class="history">
        ${comments.map(
          ({ at, author, body }, place) =>
            h`<li key=${place}>
              <time>${at ? format.moment(at) : h`<${Unknown}>Time not known<//>`}</time>
              ${author && h`<b dir="auto">${author}</b>${" "}`}
              <span class="written" dir="auto">${body ?? ""}</span>
            </li>`,
        )}
      </ol>
    <//>`;
  }

  /** The vendor of an order, what it asks for, and how long it was seen to take. */
  function OfVendor({ row, vendor, took }) {
    const shipped = took.find(({ step }) => step === "sent");
    return h`<${Section} title="Vendor">
      <${Pairs}
          rows=${[
            ["Name", h`<${Name} of="vendor" id=${row.vendor} name=${row.vendor_name} />`],
            ["Minimum", minimumOf(row, vendor)],
            [
              "Usually ships",
              shipped
                ? shipped.median_days === 0
                  ? "the same day"
                  : `in ${format.plural(shipped.median_days, "day")}`
                : h`<${Unknown} />`,
            ],
            vendor?.order_processing_time && ["Says it takes", vendor.order_processing_time],
            vendor?.order_terms && ["Terms", vendor.order_terms],
          ]} />
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
            row.payment_method_type && `by ${parts.method(row.payment_method_type).toLowerCase()}`,
            row.is_return && "a return",
          ]}
          actions=${h`
            <${parts.Copy} text=${() => number}>Copy number<//>
            <${parts.CopyLink} />
          `} />
      <${Loaded} of=${of}>
        ${({ lines, products, vendors, steps, history, took, buyer, changes, fields }) =>
          h`
            <${Course} row=${row} steps=${steps} seenAt=${history.seenAt} took=${took} />
            <${parts.Beside}
                side=${h`
                  <${Amounts} row=${row} />
                  <${OfBuyer} row=${row} found=${buyer} />
                  <${OfVendor} row=${row} vendor=${vendors.get(row.vendor)} took=${took} />
                `}>
              <${Lines} row=${row} lines=${lines} products=${products} changed=${history.lines}
                  usual=${buyer.usual ?? new Map()} />
              <${Comments} comments=${history.comments} />
              <${Changed} row=${row} steps=${steps} history=${history} changes=${changes} fields=${fields}
                  lines=${lines} products=${products} />
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

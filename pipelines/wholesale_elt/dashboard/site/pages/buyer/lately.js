/** Lately: what became of the orders of a buyer, its people, and what it owes by due day. */
(() => {
  "use strict";

  const { decimals, format, objects, parts, windows, view: views } = wholesale;
  const { h, useLoaded, Loaded, OrderNumber, Section, Empty } = wholesale.elements;
  const { LineChange, Unknown } = parts;
  const [MOST, MOST_DUE] = [8, 10];
  const KINDS = { edited: "edited", cancelled: "cancelled", deleted: "deleted", reappeared: "is there again" };

  const isMoved = ({ amount_effect: by }) => by !== null && decimals.compare(by, 0) !== 0;

  /** Events that say something to a buyer's seller: an edit is one if it moved an amount or a line. */
  const isTold = (event) =>
    KINDS[event.kind] && (event.kind !== "edited" || isMoved(event) || event.changed_line_count > 0);

  function eventEntry({ event, order, lines, products }) {
    const by = event.amount_effect;
    return {
      at: event.at,
      isMoved: isMoved(event),
      content: h`
        Order <${OrderNumber} number=${order.order_number} id=${order.order_id} /> ${KINDS[event.kind]}
        ${lines.map(
          (line, number) =>
            h`<span key=${number}>${number ? "; " : ": "}<${LineChange} line=${line} products=${products} /></span>`,
        )}
        ${
          isMoved(event) &&
          h`, <span class=${decimals.compare(by, 0) < 0 ? "down" : "up"}>${format.signed(format.amount)(by)}</span>`
        }
      `,
    };
  }

  /** That it did not order in any of its windows, once all of them are over. */
  function missed(buyer) {
    if (buyer.standing !== "passed") return null;
    const day = windows.lastDay(buyer);
    return { at: `${day}T23:59:59Z`, day, isMoved: true, content: "Did not order in any window" };
  }

  function entriesOf({ buyer, data, products }) {
    const byPlace = new Map(data.orders.map((order) => [order.place, order]));
    const told = data.events.filter(isTold).map((event) =>
      eventEntry({
        event,
        order: byPlace.get(event.place),
        lines: data.changedLines.filter(({ place, at }) => place === event.place && at === event.at),
        products,
      }),
    );
    return [missed(buyer), ...told].filter(Boolean).toSorted((left, right) => (left.at < right.at ? 1 : -1));
  }

  /** What became of its orders since they were first seen, the newest first. */
  function Lately({ buyer, data }) {
    const of = useLoaded(() => objects.all("products"), "products");
    return h`<${Section} title="What changed lately" note="as seen at each sync">
      <${Loaded} of=${of}>
        ${(products) => {
          const entries = entriesOf({ buyer, data, products });
          if (!entries.length) return h`<${Empty} title="Nothing of its orders was seen to change." />`;
          return h`
            <${parts.History} entries=${entries.slice(0, MOST)} />
            ${
              entries.length > MOST &&
              h`<p class="quiet small">${`${format.plural(entries.length - MOST, "older change")} of its orders.`}</p>`
            }
          `;
        }}
      <//>
    <//>`;
  }

  function amountText({ amount, known, count }) {
    if (amount === null) return h`<${Unknown}>Not known<//>`;
    return `${known < count ? "at least " : ""}${format.amount(amount)}`;
  }

  /** What some orders come to, and of how many that is known. */
  const ofAll = (rows) => ({
    amount: wholesale.pieces.buyer.counted.summed(rows, "total"),
    count: rows.length,
    known: rows.filter(({ total }) => total !== null).length,
  });
  const isLater = (due, rows) => rows.slice(MOST_DUE).some((row) => row.due === (due ?? null));

  /** What it owes by the day on which that is due, the sum of all orders that were shipped and are not paid. */
  function Receivables({ buyer, data }) {
    const { counted } = wholesale.pieces.buyer;
    const rows = counted.owed(data);
    if (!rows.length) return null;
    const open = data.orders.filter(({ is_owed: is }) => is === true);
    const where = { buyer: [buyer.buyer_id] };
    const all = views.hashOf({ page: "orders", period: "all_time", where, own: { payment: "owed" } });
    const sum = ofAll(open);
    return h`<${Section} title="Owes" note="by due day">
      <dl class="pairs">
        ${rows.slice(0, MOST_DUE).map(
          (row) =>
            h`<div key=${row.due ?? "none"}>
              <dt class=${row.isOverdue ? "down" : ""}>
                ${row.due === null ? h`<${Unknown}>due day not known<//>` : format.date(row.due)}
                <span class="sub">
                  ${
                    row.only
                      ? h`<${OrderNumber} number=${row.only.order_number} id=${row.only.order_id} />`
                      : format.plural(row.count, "order")
                  }
                </span>
              </dt>
              <dd>${amountText(row)}</dd>
            </div>`,
        )}
        ${
          rows.length > MOST_DUE &&
          h`<div>
            <dt>${format.plural(rows.length - MOST_DUE, "later due day")}</dt>
            <dd>${amountText(ofAll(open.filter(({ due_date: due }) => isLater(due, rows))))}</dd>
          </div>`
        }
        <div class="whole">
          <dt><a class="a" href=${all}>${format.plural(sum.count, "order")}</a></dt>
          <dd>${amountText(sum)}</dd>
        </div>
      </dl>
    <//>`;
  }

  /** The people of a buyer: their names where these are published, else their roles. */
  function People({ users }) {
    if (!users.length) return null;
    const areNamed = users.some(({ full_name: name, email }) => name || email);
    return h`<${Section} title="Its people" note=${areNamed ? format.count(users.length) : "names are not published"}>
      <dl class="pairs">
        ${users.map(
          ({ full_name: name, email, user_role: role, user_status: status }, place) =>
            h`<div key=${place}>
              <dt dir="auto">${name || email || format.word(role)}</dt>
              <dd dir="auto">
                ${[(name || email) && format.word(role), name && email, format.word(status)].filter(Boolean).join(", ")}
              </dd>
            </div>`,
        )}
      </dl>
    <//>`;
  }

  wholesale.receive("pages/buyer/lately", { Lately, Receivables, People });
})();

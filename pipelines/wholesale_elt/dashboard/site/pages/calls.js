/** Calls: whom to call, one block a buyer, and which of them is at hand. */
(() => {
  "use strict";

  const { age, format, load, rowsOf, todo, view: views } = wholesale;
  const { h, useState, useEffect, useLoaded, Loaded, Empty } = wholesale.elements;
  const { Block } = wholesale.pieces.calls;
  const { called } = wholesale.silence;
  const AT = "at";

  async function read() {
    const { buyers, totals, size } = await load("calls/index");
    return { buyers: rowsOf(buyers), totals: rowsOf(totals)[0], size };
  }

  /** What there is to say to the buyers of some files, by buyer. */
  async function readParts(count) {
    const files = await Promise.all(Array.from({ length: count }, (_, number) => load(`calls/${number}`)));
    const all = (name) =>
      Map.groupBy(
        files.flatMap((tables) => rowsOf(tables[name])),
        ({ buyer_id: id }) => id,
      );
    return { products: all("products"), purchases: all("purchases"), bills: all("bills") };
  }

  const partsOf = (parts, { buyer_id: id }) =>
    Object.fromEntries(Object.entries(parts).map(([name, all]) => [name, all.get(id) ?? []]));

  /** The buyer of the address, or else the first that nobody called. */
  function atHand(buyers, { own }) {
    const asked = buyers.findIndex(({ buyer_id: id }) => id === own[AT]);
    if (asked >= 0) return asked;
    return Math.max(
      0,
      buyers.findIndex((buyer) => called.at(buyer) === null),
    );
  }

  /** The address of the buyer at hand takes the place of the last one: Back leaves the page. */
  function goTo(view, buyer) {
    location.replace(views.hashOf(views.changed(view, { own: { [AT]: buyer.buyer_id } })));
  }

  const isForPage = (event) =>
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    !event.target.closest?.("input, select, textarea, [contenteditable], .panel, dialog");

  /** `n` goes to the next buyer, `p` to the one before, `c` says that somebody called. */
  function useKeys({ move, call }) {
    useEffect(() => {
      const press = (event) => {
        if (!isForPage(event)) return;
        if (event.key === "n") move(1);
        else if (event.key === "p") move(-1);
        else if (event.key === "c") call();
        else return;
        event.preventDefault();
      };
      document.addEventListener("keydown", press);
      return () => document.removeEventListener("keydown", press);
    });
  }

  /** Brings the buyer at hand into sight, when another is. */
  function useSight(id, isAsked) {
    useEffect(() => {
      if (!isAsked) return;
      const block = document.querySelector(".call[data-here]");
      block?.scrollIntoView({ block: "start" });
      block?.querySelector("h2 a").focus({ preventScroll: true });
    }, [id]);
  }

  function Head({ totals: { buyer_count: count, monthly_amount: amount } }) {
    const worth = amount === null ? "" : h`, worth <span class="together">${format.compact(amount)} a month</span>`;
    return h`<section class="hello" aria-label="To call">
      <p class="sentence">${format.plural(count, "buyer")} to call${worth}.</p>
      <p class="lead">
        Silent for longer than usual${age.counted()}, who spends most first; then who is likely to order within${" "}
        seven days.
        <span class="calls-keys"> <kbd>n</kbd> next <kbd>p</kbd> the one before <kbd>c</kbd> called</span>
      </p>
    </section>`;
  }

  function Sheet({ view, index: { buyers, totals, size } }) {
    const [, again] = useState(0);
    const here = atHand(buyers, view);
    const [most, setMost] = useState(Math.floor(here / size) + 1);
    const files = Math.max(most, Math.floor(here / size) + 1);
    const of = useLoaded(() => readParts(files), files);
    const shown = buyers.slice(0, files * size);
    const move = (by) => {
      const next = buyers[here + by];
      if (next) goTo(view, next);
    };
    const call = (buyer) => {
      called.set(buyer, called.at(buyer) === null);
      again((times) => times + 1);
    };
    useEffect(() => todo.watch(() => again((times) => times + 1)), []);
    useKeys({ move, call: () => call(buyers[here]) });
    useSight(buyers[here].buyer_id, Boolean(view.own[AT]) && of.value !== undefined);
    return h`
      <${Head} totals=${totals} />
      <${Loaded} of=${of}>
        ${(parts) =>
          shown.map(
            (buyer, place) =>
              h`<${Block} key=${buyer.buyer_id} buyer=${buyer} isHere=${place === here} at=${called.at(buyer)}
                  parts=${partsOf(parts, buyer)}
                  next=${buyers[place + 1] && (() => goTo(view, buyers[place + 1]))} call=${() => call(buyer)} />`,
          )}
      <//>
      ${
        buyers.length > shown.length &&
        h`<button type="button" class="quiet-button" onClick=${() => setMost(files + 1)}>
          ${format.count(buyers.length - shown.length)} more to call
        </button>
        <p class="paper quiet">${format.count(totals.buyer_count - shown.length)} more, which are not printed.</p>`
      }
      <${wholesale.parts.Foot}>
        ${totals.buyer_count > buyers.length ? `${format.count(buyers.length)} of them are on this page. ` : ""}
        Orders of one day count as one. What it usually takes was in three of its orders of a year;${" "}
        buyers like it share the most products with it. “Called” is the tick of Today, and stays until it orders.${" "}
        <a class="a" href=${views.hashOf({ page: "today", id: "silent" })}>All of them as a table</a>
      <//>
    `;
  }

  function Page({ view }) {
    const of = useLoaded(read, "calls");
    return h`<div class="calls">
      <${Loaded} of=${of}>
        ${(index) =>
          index.buyers.length
            ? h`<${Sheet} view=${view} index=${index} />`
            : h`<${Empty} title="Nobody to call.">
              No buyer has been silent for longer than usual, and none is due.${" "}
              <a class="more" href=${views.hashOf({ page: "buyers" })}>All buyers</a>
            <//>`}
      <//>
    </div>`;
  }

  wholesale.receive("pages/calls", Page);
})();

/** Search: one field for orders, buyers, products, vendors, categories and pages; and what was seen last. */
(() => {
  "use strict";

  const { format, objects, orders, recent, view: views } = wholesale;
  const { h, useState, useEffect, useRef, Icon, Link } = wholesale.elements;
  const MOST = 4;
  const PAUSE = 120;
  const ICONS = { buyer: "buyers", vendor: "vendors", product: "products", category: "tag", order: "orders" };
  const sources = new Map();

  /** Texts alike for somebody who types without accents. */
  const folded = (text) => (text ?? "").normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

  /** All that has a name: `{page, id, name, note, end, texts}` by group, read when somebody first searches. */
  function sourceOf(group, make) {
    if (!sources.has(group)) {
      const made = make().then((entries) =>
        entries.map((entry) => ({ ...entry, texts: [entry.name, ...entry.also].map(folded) })),
      );
      sources.set(group, made);
      made.catch(() => sources.delete(group));
    }
    return sources.get(group);
  }

  const GROUPS = [
    [
      "Buyers",
      async () =>
        [...(await objects.all("buyers")).values()].map((row) => ({
          page: "buyer",
          id: row.buyer_id,
          name: objects.buyerName(row),
          note: row.city,
          end: format.compact(row.order_count > 0 ? row.sales_amount : 0),
          also: [row.city],
        })),
    ],
    [
      "Products",
      async () =>
        [...(await objects.all("products")).values()].map((row) => ({
          page: "product",
          id: row.product_id,
          name: objects.productName(row),
          note: row.vendor_name,
          end: format.compact(row.order_count > 0 ? row.sales_amount : 0),
          also: [row.sku],
        })),
    ],
    [
      "Vendors",
      async () =>
        [...(await objects.all("vendors")).values()].map((row) => ({
          page: "vendor",
          id: row.vendor_id,
          name: objects.vendorName(row),
          note: row.city,
          end: format.compact(row.order_count > 0 ? row.sales_amount : 0),
          also: [],
        })),
    ],
    [
      "Categories",
      async () =>
        [...(await objects.all("categories")).keys()].map((title) => ({
          page: "category",
          id: title,
          name: title,
          note: "",
          end: "",
          also: [],
        })),
    ],
    [
      "Pages",
      async () =>
        wholesale.meta.pages.map(({ name, title, question }) => ({
          page: name,
          id: "",
          name: title,
          note: question,
          end: "",
          also: [],
        })),
    ],
  ];

  /** How well an entry answers: 0 begins so, 1 has a word that does, 2 has it inside; null not at all. */
  function rank({ texts }, wanted) {
    const found = texts.map((text) => {
      const place = text.indexOf(wanted);
      if (place < 0) return 9;
      return place === 0 ? 0 : /[\p{L}\p{N}]/u.test(text[place - 1]) ? 2 : 1;
    });
    const best = Math.min(...found);
    return best === 9 ? null : best;
  }

  async function ordersLike(text) {
    const found = /^#?\d+$/.test(text) ? await orders.suggest(text.replace("#", ""), MOST) : [];
    const entries = found.map((row) => ({
      page: "order",
      id: row.order_number ?? row.order_id,
      name: row.order_number ?? row.order_id,
      note: [row.buyer_name, row.vendor_name].filter(Boolean).join(", "),
      end: row.amount === null ? "" : format.amount(row.amount),
      key: row.key,
    }));
    if (text.length >= 3 && /\d/.test(text)) {
      entries.push({
        page: "orders",
        id: "",
        name: `Purchase orders with “${text}”`,
        note: "looks through all orders",
        end: "",
        href: views.hashOf({ page: "orders", period: "all_time", own: { po: text } }),
      });
    }
    return entries;
  }

  /** What answers a text, in groups. */
  async function answers(text) {
    const wanted = folded(text.trim());
    if (!wanted) return [];
    const groups = await Promise.all(
      GROUPS.map(async ([title, make]) => {
        const entries = await sourceOf(title, make);
        const ranked = entries.map((entry) => [rank(entry, wanted), entry]).filter(([place]) => place !== null);
        return [
          title,
          ranked
            .toSorted(([left], [right]) => left - right)
            .slice(0, MOST)
            .map(([, entry]) => entry),
        ];
      }),
    );
    return [["Orders", await ordersLike(text.trim())], ...groups].filter(([, entries]) => entries.length);
  }

  const hrefOf = ({ href, page, id }) => href ?? views.linkTo({ ...wholesale.shown, where: {} }, { page, id });

  /** A name with the part that was typed in green. */
  function Marked({ text, wanted }) {
    const place = folded(text).length === text.length ? folded(text).indexOf(wanted) : -1;
    if (place < 0 || !wanted) return h`<b dir="auto">${text}</b>`;
    return h`<b dir="auto">
      ${text.slice(0, place)}
      <mark>${text.slice(place, place + wanted.length)}</mark>
      ${text.slice(place + wanted.length)}
    </b>`;
  }

  let count = 0;

  /** `onLeave` is told when something was chosen. */
  function Search({ onLeave }) {
    const [id] = useState(() => `found-${(count += 1)}`);
    const [text, type] = useState("");
    const [found, show] = useState({ text: "", groups: [] });
    const [isOpen, open] = useState(false);
    const [here, move] = useState(0);
    const root = useRef(null);
    const field = useRef(null);
    useEffect(() => {
      const focus = (event) => {
        const typed = event.target.closest?.("input, textarea, select, [contenteditable]");
        if (
          event.key !== "/" ||
          typed ||
          event.ctrlKey ||
          event.metaKey ||
          event.altKey ||
          !field.current?.offsetParent
        )
          return;
        event.preventDefault();
        field.current.focus();
        field.current.select();
      };
      const away = (event) => root.current?.contains(event.target) || open(false);
      document.addEventListener("keydown", focus);
      document.addEventListener("pointerdown", away);
      return () => {
        document.removeEventListener("keydown", focus);
        document.removeEventListener("pointerdown", away);
      };
    }, []);
    useEffect(() => {
      let isMine = true;
      const timer = setTimeout(
        () =>
          answers(text).then(
            (groups) => isMine && (show({ text, groups }), move(0)),
            (error) => isMine && show({ text, groups: [], error }),
          ),
        text ? PAUSE : 0,
      );
      return () => {
        isMine = false;
        clearTimeout(timer);
      };
    }, [text]);
    const entries = found.groups.flatMap(([, own]) => own);
    const isShown = isOpen && text.trim() !== "";
    const leave = () => {
      open(false);
      type("");
      onLeave?.();
    };
    const go = (entry) => {
      location.hash = hrefOf(entry);
      leave();
      field.current?.blur();
    };
    const press = (event) => {
      if (event.key === "Escape") {
        event.stopPropagation();
        if (isShown) leave();
        else field.current.blur();
      }
      if (!isShown || !entries.length) return;
      const steps = { ArrowDown: 1, ArrowUp: -1 };
      if (steps[event.key]) {
        event.preventDefault();
        const next = (here + steps[event.key] + entries.length) % entries.length;
        move(next);
        document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
      }
      if (event.key === "Enter" && found.text === text) go(entries[here]);
    };
    let number = -1;
    return h`<div class="search" role="search" ref=${root}>
      <${Icon} name="search" />
      <input type="search" ref=${field} role="combobox" autocomplete="off" spellcheck="false" placeholder="Search"
          aria-label="Search orders, buyers, products, vendors" aria-autocomplete="list" aria-expanded=${isShown}
          aria-controls=${id} aria-activedescendant=${isShown && entries.length ? `${id}-${here}` : undefined}
          value=${text} onInput=${(event) => (type(event.target.value), open(true))} onFocus=${() => open(true)}
          onKeyDown=${press} onBlur=${(event) => root.current.contains(event.relatedTarget) || open(false)} />
      <kbd class="key" aria-hidden="true">/</kbd>
      <div class="found" id=${id} role="listbox" aria-label="Found" hidden=${!isShown}
          onMouseDown=${(event) => event.preventDefault()}>
        ${
          isShown &&
          found.groups.map(
            ([title, own]) =>
              h`<div role="group" aria-label=${title} key=${title}>
                <p class="found-group" aria-hidden="true">${title}</p>
                ${own.map((entry) => {
                  number += 1;
                  const place = number;
                  return h`<a role="option" tabindex="-1" id=${`${id}-${place}`}
                      key=${entry.key ?? `${entry.page}/${entry.id}/${entry.name}`} href=${hrefOf(entry)}
                      aria-selected=${place === here} onClick=${leave}
                      onMouseMove=${() => place !== here && move(place)}>
                    <${Icon} name=${ICONS[entry.page] ?? entry.page} />
                    <${Marked} text=${entry.name} wanted=${folded(text.trim())} />
                    <span class="found-note" dir="auto">${entry.note}</span>
                    <span class="found-end">${entry.end}</span>
                  </a>`;
                })}
              </div>`,
          )
        }
        ${
          isShown &&
          found.text === text &&
          entries.length === 0 &&
          h`<p class="found-none">
            ${
              found.error
                ? found.error.message
                : "Nothing has this name or number. Order numbers may be typed without their zeros."
            }
          </p>`
        }
      </div>
    </div>`;
  }

  /** The objects seen last. */
  function Recent() {
    const [entries, set] = useState(recent.all());
    useEffect(() => {
      const follow = () => set(recent.all());
      window.addEventListener("kept", follow);
      return () => window.removeEventListener("kept", follow);
    }, []);
    if (!entries.length) return null;
    return h`<div class="recent">
      <h2>Recent</h2>
      ${entries.map(
        ({ page, id, name }) =>
          h`<${Link} key=${`${page}/${id}`} to=${page} id=${id}>
            <${Icon} name=${ICONS[page] ?? "orders"} />
            <span dir="auto">${name}</span>
          <//>`,
      )}
    </div>`;
  }

  Object.assign(wholesale, { Search, Recent });
})();

/** Search: one field for all that has a name or a number, and what was seen last. */
(() => {
  "use strict";

  const { inOrder, nearest, recent, view: views } = wholesale;
  const { h, useState, useEffect, useRef, Icon, Link } = wholesale.elements;
  const { folded } = nearest;
  const PAUSE = 120;
  const ICONS = { buyer: "buyers", vendor: "vendors", product: "products", category: "tag", order: "orders" };

  /** What a text may mean; how that is found is read when somebody first searches. */
  async function answers(text) {
    if (text.trim() === "") return [];
    await inOrder(["search/words", "search/purchases", "search/answers"]);
    return wholesale.answers(text);
  }

  const hrefOf = ({ href, page, id, own }) =>
    href ?? views.linkTo({ ...wholesale.shown, where: {} }, { page, id, own });

  /** A name with the parts that were typed in green. */
  function Marked({ text, wanted }) {
    const plain = folded(text);
    const words = plain.length === text.length ? [wanted, ...wholesale.searched.wordsOf(wanted)] : [];
    const parts = [];
    let from = 0;
    while (from < text.length) {
      const places = words.filter(Boolean).map((word) => [plain.indexOf(word, from), word]);
      const [next] = places.filter(([place]) => place >= 0).toSorted(([left], [right]) => left - right);
      if (!next) break;
      const [place, word] = next;
      parts.push(text.slice(from, place), h`<mark>${text.slice(place, place + word.length)}</mark>`);
      from = place + word.length;
    }
    return h`<b dir="auto">${parts}${text.slice(from)}</b>`;
  }

  /** `/` goes to the field from anywhere but another field. */
  function useShortcut(field) {
    useEffect(() => {
      const focus = (event) => {
        const typed = event.target.closest?.("input, textarea, select, [contenteditable]");
        const isModified = event.ctrlKey || event.metaKey || event.altKey;
        if (event.key !== "/" || typed || isModified || !field.current?.offsetParent) return;
        event.preventDefault();
        field.current.focus();
        field.current.select();
      };
      document.addEventListener("keydown", focus);
      return () => document.removeEventListener("keydown", focus);
    }, []);
  }

  /** Calls `leave` when something beside the search is pressed. */
  function useLeaving(root, leave) {
    useEffect(() => {
      const away = (event) => root.current?.contains(event.target) || leave();
      document.addEventListener("pointerdown", away);
      return () => document.removeEventListener("pointerdown", away);
    }, []);
  }

  /** What answers the text, a moment after it was typed: `{text, groups, error}`. */
  function useAnswers(text, follow) {
    const [found, show] = useState({ text: "", groups: [] });
    useEffect(() => {
      let isMine = true;
      const timer = setTimeout(
        () =>
          answers(text).then(
            (groups) => isMine && (show({ text, groups }), follow()),
            (error) => isMine && show({ text, groups: [], error }),
          ),
        text ? PAUSE : 0,
      );
      return () => {
        isMine = false;
        clearTimeout(timer);
      };
    }, [text]);
    return found;
  }

  function Option({ id, entry, wanted, isHere, onLeave, onPoint }) {
    return h`<a role="option" tabindex="-1" id=${id} href=${hrefOf(entry)} aria-selected=${isHere} onClick=${onLeave}
        onMouseMove=${() => !isHere && onPoint()}>
      <${Icon} name=${ICONS[entry.page] ?? entry.page} />
      <${Marked} text=${entry.name} wanted=${wanted} />
      <span class="found-note" dir="auto">${entry.note}</span>
      <span class="found-end">${entry.end}</span>
    </a>`;
  }

  /** The groups of what was found, their entries numbered through. */
  function Groups({ id, groups, wanted, here, onLeave, onPoint }) {
    let number = -1;
    return groups.map(
      ([title, entries, note]) =>
        h`<div role="group" aria-label=${[title, note].filter(Boolean).join(", ")} key=${title}>
          <p class="found-group" aria-hidden="true">${title}${note && h`<span>${note}</span>`}</p>
          ${entries.map((entry) => {
            number += 1;
            const place = number;
            return h`<${Option} key=${entry.key ?? `${entry.page}/${entry.id}/${entry.name}`} id=${`${id}-${place}`}
                entry=${entry} wanted=${wanted} isHere=${place === here} onLeave=${onLeave}
                onPoint=${() => onPoint(place)} />`;
          })}
        </div>`,
    );
  }

  const None = ({ error }) => h`<p class="found-none">
    ${error ? error.message : "Nothing has this name or number. Order numbers may be typed without their zeros."}
  </p>`;

  /** Keys of the field: Escape leaves, arrows move within what was found, Enter goes there. */
  function pressed(event, { isShown, isFound, entries, here, field, id, leave, move, go }) {
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
    if (event.key === "Enter" && isFound) go(entries[here]);
  }

  let count = 0;

  /** `onLeave` is told when something was chosen. */
  function Search({ onLeave }) {
    const [id] = useState(() => `found-${(count += 1)}`);
    const [text, type] = useState("");
    const [isOpen, open] = useState(false);
    const [here, move] = useState(0);
    const root = useRef(null);
    const field = useRef(null);
    useShortcut(field);
    useLeaving(root, () => open(false));
    const found = useAnswers(text, () => move(0));
    const entries = found.groups.flatMap(([, own]) => own);
    const isShown = isOpen && text.trim() !== "";
    const isFound = found.text === text;
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
    const press = (event) => pressed(event, { isShown, isFound, entries, here, field, id, leave, move, go });
    return h`<div class="search" role="search" ref=${root}>
      <${Icon} name="search" />
      <input type="search" ref=${field} role="combobox" autocomplete="off" spellcheck="false" placeholder="Search"
          aria-label="Search orders, buyers, products, vendors, figures"
          aria-autocomplete="list" aria-expanded=${isShown}
          aria-controls=${id} aria-activedescendant=${isShown && entries.length ? `${id}-${here}` : undefined}
          value=${text} onInput=${(event) => (type(event.target.value), open(true))} onFocus=${() => open(true)}
          onKeyDown=${press} onBlur=${(event) => root.current.contains(event.relatedTarget) || open(false)} />
      <kbd class="key" aria-hidden="true">/</kbd>
      <div class="found" id=${id} role="listbox" aria-label="Found" hidden=${!isShown}
          onMouseDown=${(event) => event.preventDefault()}>
        ${
          isShown &&
          h`<${Groups} id=${id} groups=${found.groups} wanted=${folded(text.trim())} here=${here} onLeave=${leave}
              onPoint=${move} />`
        }
        ${isShown && isFound && entries.length === 0 && h`<${None} error=${found.error} />`}
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
    return h`<div class="recent" role="group" aria-labelledby="recent-title">
      <p id="recent-title" class="title">Recent</p>
      ${entries.map(
        ({ page, id, name }) =>
          h`<${Link} key=${`${page}/${id}`} to=${page} id=${id}>
            <${Icon} name=${ICONS[page] ?? "orders"} />
            <span dir="auto">${name}</span>
          <//>`,
      )}
    </div>`;
  }

  Object.assign(wholesale, { answersTo: answers, Search, Recent });
})();

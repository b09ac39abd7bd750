/**
 * Definitions: what a word means, one press away wherever it stands: `Term`, a panel beside it, a sheet on phones.
 *
 * A word is one of the glossary (`terms.js`) or a figure, of which `metrics.yml` says what it means, for all doors.
 */
(() => {
  "use strict";

  const { load, view: views } = wholesale;
  const { h, useEffect, useLoaded, useRef, useState, Icon, Link } = wholesale.elements;
  const APART = 6;
  const MARGIN = 12;
  const PHONE = "(max-width: 720px)";

  /** What pages call the same: headings, choices, and kinds of tasks. */
  const ALSO = {
    "below-list-price": ["Sold below the list price", "List price", "below_list"],
    "below-minimum": ["Short by", "Just below its minimum"],
    cohort: ["Buyers who came back"],
    comparison: ["Before", "Change", "What moved"],
    "late-buyer": ["Buyers to call", "Silent", "Silent beyond their rhythm", "Silent for", "silent"],
    "lost-buyer": ["Lost", "lost"],
    "minimum-order": ["Minimum"],
    "old-order": ["old"],
    "one-carton-short": ["near_misses"],
    owed: ["Not paid", "To pay", "overdue"],
    pieces: ["Units"],
    "due-buyer": ["Due", "due"],
    "month-end": ["May end"],
    rhythm: ["Every"],
    sent: ["Not sent yet"],
    waiting: ["Waiting longest", "unconfirmed"],
    window: ["Windows", "Next order"],
  };

  const alike = (one, other) => one.toLowerCase() === other.toLowerCase();

  /** The word that is called so, by its id, its figure, or what stands on a page; undefined for none. */
  function termOf(name) {
    const is = [
      ({ id }) => id === name,
      ({ metric }) => metric === name,
      ({ term }) => alike(term, name),
      ({ id }) => ALSO[id]?.some((other) => alike(other, name)),
    ];
    return is.map((test) => wholesale.terms.find(test)).find(Boolean);
  }

  const metricNamed = (name) =>
    wholesale.meta.metrics[name]
      ? name
      : Object.keys(wholesale.meta.metrics).find((key) => alike(wholesale.meta.metrics[key].label, name));

  /** The key of the definition of a name: the id of a word, or a figure; undefined for none. */
  function keyOf(name) {
    if (typeof name !== "string" || name === "") return undefined;
    return termOf(name)?.id ?? metricNamed(name);
  }

  const ofMetric = (name, { label, text }) => ({ id: name, term: label, text, see: [], page: null, metric: name });

  /** All words, each with its text: those of the glossary, and the figures that have no other word. */
  async function all() {
    const meanings = await load("meanings");
    const named = new Set(wholesale.terms.map(({ metric }) => metric));
    return [
      ...wholesale.terms.map((term) => ({ ...term, text: term.text ?? meanings[term.metric].text })),
      ...Object.entries(meanings)
        .filter(([name]) => !named.has(name))
        .map(([name, meaning]) => ofMetric(name, meaning)),
    ];
  }

  /** The word of a name with its text. */
  async function of(name) {
    const words = await all();
    return words.find(({ id }) => id === name) ?? words.find(({ metric }) => metric === name);
  }

  /** Beside what it explains, within the window; a phone has it at its lower edge. */
  function place(panel, button) {
    if (matchMedia(PHONE).matches) return;
    const at = button.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = panel;
    const isBelow = at.bottom + APART + height + MARGIN <= innerHeight || at.top < height;
    const left = Math.max(MARGIN, Math.min(at.left - MARGIN, innerWidth - width - MARGIN));
    panel.style.left = `${left}px`;
    panel.style.top = `${isBelow ? at.bottom + APART : at.top - APART - height}px`;
  }

  function Words({ term: { term, text, see, page, id }, close }) {
    const listed = wholesale.meta.pages.find(({ name }) => name === page);
    const other = wholesale.terms.filter((each) => see.includes(each.id));
    const to = (key) => views.linkTo(wholesale.shown, { page: "glossary", id: key });
    return h`
      <b>${term}</b>
      <p>${text}</p>
      <p class="definition-more">
        ${other.map(
          ({ id: key, term: name }) => h`<a class="a" key=${key} href=${to(key)} onClick=${close}>${name}</a>`,
        )}
        ${listed && h`<${Link} to=${page} class="a" onClick=${close}>Open ${listed.title}<//>`}
        <a class="a" href=${to(id)} onClick=${close}>In the glossary</a>
      </p>
    `;
  }

  function Panel({ name, label, button, close }) {
    const root = useRef(null);
    const found = useLoaded(() => of(name), name);
    useEffect(() => {
      const panel = root.current;
      const follow = ({ newState }) => newState === "closed" && close();
      panel.addEventListener("toggle", follow);
      panel.showPopover();
      panel.focus({ preventScroll: true });
      window.addEventListener("hashchange", close);
      return () => {
        window.removeEventListener("hashchange", close);
        panel.removeEventListener("toggle", follow);
      };
    }, []);
    useEffect(() => place(root.current, button.current), [Boolean(found.value)]);
    const press = (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      event.preventDefault();
      close();
      button.current?.focus();
    };
    return h`<div class="definition" popover="auto" role="dialog" aria-label=${`What ${label} means`} tabindex="-1"
        ref=${root} onKeyDown=${press} onClick=${(event) => event.stopPropagation()}>
      ${found.value ? h`<${Words} term=${found.value} close=${close} />` : h`<b>${label}</b>`}
      ${found.error && h`<p>${found.error.message}</p>`}
    </div>`;
  }

  /**
   * A word that says what it means when it is pressed; without `children` a mark beside a word that does something
   * else. `of` is its name, or several of which the first counts that has a definition; without one it is as it is.
   */
  function Term({ of: names, children }) {
    const [isOpen, open] = useState(false);
    const button = useRef(null);
    const name = [names].flat().map(keyOf).find(Boolean);
    if (!name) return children ?? null;
    const label = termOf(name)?.term ?? wholesale.meta.metrics[name].label;
    const press = (event) => (event.stopPropagation(), open(!isOpen));
    return h`<span class=${children ? "term-word" : "term-mark"}>
      <button type="button" ref=${button} aria-expanded=${isOpen} aria-haspopup="dialog"
          aria-label=${children ? undefined : `What ${label} means`} onClick=${press}>
        ${children ?? h`<${Icon} name="what" />`}
      </button>
      ${isOpen && h`<${Panel} name=${name} label=${label} button=${button} close=${() => open(false)} />`}
    </span>`;
  }

  Object.assign(wholesale.elements, { Term });
  wholesale.definitions = { all, of, keyOf };
})();

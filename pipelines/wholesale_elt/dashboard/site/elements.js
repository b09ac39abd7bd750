/** Elements: the small parts that all pages are made of, and how they read figures. */
(() => {
  "use strict";

  const { html: h, render, Component, useState, useEffect, useMemo, useRef } = window.htmPreact;
  const { format, figures, Bones, Followed, view: views } = wholesale;

  /** Milliseconds after which what a part draws has begun to wait for its own. */
  const A_DRAWING = 120;
  let waiting = 0;

  /** Notes that a part of the page waits for what it shows, or no more: the page is busy as long as any does. */
  function wait(by) {
    if (by < 0) setTimeout(hold, A_DRAWING, by);
    else hold(by);
  }

  function hold(by) {
    waiting += by;
    document.getElementById("main")?.setAttribute("aria-busy", String(waiting > 0));
  }

  /** The result of a promise that `make` gives: `{value}`, `{error}`, or neither on its way; the old value stays. */
  function useLoaded(make, key) {
    const [state, set] = useState({});
    const { current: progress } = useRef({ now: null }); // what shows the value is not drawn anew for it
    useEffect(() => {
      let isMine = true;
      wait(1);
      progress.now = null;
      const done = (found) => {
        if (isMine) set({ ...found, key });
        wait(-1);
      };
      // A file that cannot be read may have gone with its version: then there are newer figures.
      make((counted, of) => isMine && (progress.now = { done: counted, of })).then(
        (value) => done({ value }),
        (error) => (wholesale.newer?.check(), done({ error })),
      );
      return () => {
        isMine = false;
      };
    }, [key]);
    return { ...state, progress, isOld: state.key !== key };
  }

  /** The answer to a question about figures; null asks nothing, and has no answer. */
  function useFigures(question) {
    const make = (follow) => (question ? figures(question, follow) : Promise.resolve(undefined));
    return useLoaded(make, JSON.stringify(question));
  }

  /** What is drawn of a loaded value, dimmed while a later one is on its way; or why there is none. */
  function Loaded({ of, rows = 0, children }) {
    if (of.error && !of.isOld) return h`<p class="failure" role="alert">${of.error.message}</p>`;
    const progress = of.isOld && h`<${Followed} progress=${of.progress} />`;
    if (of.value === undefined)
      return h`<div class="waiting">${progress}${rows > 0 && h`<${Bones} rows=${rows} />`}</div>`;
    return h`<div class=${of.isOld ? "loaded old" : "loaded"} aria-busy=${of.isOld}>
      ${progress}${children(of.value)}
    </div>`;
  }

  const ICONS = {
    today: "M8 2.25a5.75 5.75 0 100 11.5 5.75 5.75 0 000-11.5zM5.5 8.2l1.8 1.8 3.3-3.8",
    sales: "M2 13.5h12M3.5 10.5l3-3.5 2.5 2 4-5",
    buyers:
      "M6 3a2.5 2.5 0 100 5 2.5 2.5 0 000-5zM1.75 13.25c.4-2.6 2-4 4.25-4s3.85 1.4 4.25 4" +
      "M10.5 3.2a2.5 2.5 0 010 4.6M12 9.8c1.3.6 2.1 1.8 2.3 3.4",
    products: "M8 1.9l5.5 3v6.2L8 14.1l-5.5-3V4.9zM2.6 5L8 8l5.4-3M8 8v6",
    vendors: "M2.5 6.5v7h11v-7M1.75 5.5l1-3.5h10.5l1 3.5M6.25 13.5v-3.5h3.5v3.5",
    orders: "M3.5 1.75h9v12.5l-2.25-1.5L8 14.25l-2.25-1.5-2.25 1.5zM6 5.5h4M6 8.5h4",
    fulfilment: "M1.5 3.5h8v8h-8zM9.5 6.5h2.8l2.2 2.5v2.5h-5",
    changes: "M2 5h9L8.5 2.5M14 11H5l2.5 2.5",
    closed: "M3 7h10v7H3zM5.250 7V5a2.750 2.750 0 015.500 0v2",
    explore: "M2 4.5h7M13 4.5h1M2 11.5h1M7 11.5h7M11 2.75v3.5M5 9.75v3.5",
    reports: "M3.5 2h9v12h-9zM6 5.5h4M6 8h4M6 10.5h2.500",
    health: "M1.5 8.5h3l1.8-5 3 9 1.9-4h3.3",
    glossary: "M3 2.5h7a2.5 2.5 0 012.5 2.5v8.500H5.500A2.500 2.500 0 013 11zM5.500 5.500h4.500M5.500 8.500h4.500",
    calls:
      "M3 2.5h2.5l1.2 3-1.6 1.2a8 8 0 004.2 4.2l1.200-1.600 3 1.200V13c0 .6-.5 1-1 1C7 14 2 9 2 3.500c0-.6.4-1 1-1z",
    inbox: "M2 9.500l2-6.500h8l2 6.500v3.500H2zM2 9.500h3.500l1 1.500h3l1-1.500H14",
    card: "M1.750 3.500h12.500v9H1.750zM1.750 6.500h12.500M4.500 10H7",
    clock: "M8 2.250a5.750 5.750 0 100 11.500 5.750 5.750 0 000-11.500zM8 5v3.200l2 1.300",
    box: "M2 5.500h12v8H2zM3.500 2.500h9l1.500 3H2zM8 7.500v4M6 9.500h4",
    tag: "M2 2.500h5.500l6.500 6.500-5 5L2.500 7.500zM5 5.500h.01",
    print: "M4 5.500v-3.500h8v3.500M4 11H2V5.500h12V11h-2M4 9.500h8V14H4z",
    search: "M7 2.500a4.500 4.500 0 100 9 4.500 4.500 0 000-9zM10.500 10.500L14 14",
    down: "M4 6l4 4 4-4",
    right: "M6 4l4 4-4 4",
    cross: "M4 4l8 8M12 4l-8 8",
    plus: "M8 3v10M3 8h10",
    link: "M6.500 9.500l3-3M7 4.500L9 2.500a3 3 0 014.500 4.500l-2 2M9 11.500l-2 2A3 3 0 012.500 9l2-2",
    theme: "M8 2.500a5.500 5.500 0 100 11 5.500 5.500 0 000-11zM8 2.500v11",
    warning: "M8 2l6.500 11.500h-13zM8 6.500v3M8 11.500h.01",
    more: "M3.500 8h.01M8 8h.01M12.500 8h.01",
    what: "M8 2.250a5.750 5.750 0 100 11.500 5.750 5.750 0 000-11.500zM8 7.250v3.500M8 5.250h.01",
    saved: "M4.500 2.500h7v11L8 11l-3.500 2.500z",
  };
  Object.assign(ICONS, { phone: ICONS.calls, next: "M2 3h12v11H2zM2 6.500h12M5 1.750v2.500M11 1.750v2.500" });

  function Icon({ name }) {
    return h`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;
  }

  /** A link to a page or an object; it keeps the period and the comparison, and `where` if it is given. */
  function Link({ to, id, where = {}, own, children, ...rest }) {
    const { shown } = wholesale;
    return h`<a href=${views.linkTo({ ...shown, where }, { page: to, id, own })} ...${rest}>${children}</a>`;
  }

  /** What begins the key of what has no id. */
  const ONLY_A_NAME = "name:";

  /** The name of a buyer, vendor, product or category, which leads to its page; in grey if it is not known. */
  function Name({ of, id, name, children, class: style = "name" }) {
    if (id === null || id === undefined || id === "") return h`<span class="unknown">Not known</span>`;
    if (id.startsWith(ONLY_A_NAME)) return h`<span dir="auto">${children ?? wholesale.objects.nameOf(id, name)}</span>`;
    return h`<${Link} to=${of} id=${id} class=${style} dir="auto">
      ${children ?? wholesale.objects.nameOf(id, name)}
    <//>`;
  }

  /** An order's number, its leading zeros in grey. */
  function OrderNumber({ number, id }) {
    const text = (number ?? "").trim() || id;
    const [, zeros, rest] = /^(0*)(.*)$/s.exec(text);
    return h`<${Link} to="order" id=${text} class="number"><span class="zeros">${zeros}</span>${rest}<//>`;
  }

  const SIGNS = { waiting: "ring", accepted: "half", sent: "most", done: "full", cancelled: "dash", returned: "dash" };

  /** A state of an order with its sign and its word. */
  function State({ code }) {
    const sign = SIGNS[format.standing(code)] ?? "ring";
    return h`<span class="state"><i class=${sign} aria-hidden="true"></i>${format.word(code)}</span>`;
  }

  /** How a value changed, in green or red; `isGoodDown` for what should fall. */
  function Change({ now, before, isGoodDown = false }) {
    const text = format.change(now, before);
    if (text === null) return null;
    const fell = Number(now) < Number(before);
    const isSame = /^\d/.test(text);
    return h`<span class=${isSame ? "quiet" : fell === isGoodDown ? "up" : "down"}>${text}</span>`;
  }

  /** A heading with what belongs to it; `more` stands at its right, `term` is the word that it explains. */
  function Section({ title, note, more, term, class: style = "", children, ...rest }) {
    return h`<section class=${`section ${style}`} aria-label=${title} ...${rest}>
      <div class="section-head">
        <h2>${title}</h2>
        <${wholesale.elements.Term} of=${[term, title]} />
        ${note && h`<span class="note">${note}</span>`}
        ${more && h`<div class="end">${more}</div>`}
      </div>
      ${children}
    </section>`;
  }

  /** One of a few choices, side by side; if the chosen one is a word, what it means. */
  function Segments({ label, options, value, onChoose }) {
    return h`<span class="segments" role="group" aria-label=${label}>
      ${options.map(
        ([key, text, number]) =>
          h`<button type="button" key=${key} aria-pressed=${key === value} onClick=${() => onChoose(key)}>
            ${text}
            ${number !== undefined && h` <span class="count">${number}</span>`}
          </button>`,
      )}
      <${wholesale.elements.Term} of=${options.find(([key]) => key === value)?.[1]} />
    </span>`;
  }

  /**
   * A figure with its name, its change and what it was; `children` stand below (why, a sparkline).
   *
   * `onChoose` makes it a button, `to` a link. A figure that is not known says so in amber. The word that its label is
   * has its definition beside it: that of the metric of its `name`, unless it is another `term`.
   */
  function Tile({ label, figure, exact, change, note, name, term, isChosen, onChoose, href, isUnknown, children }) {
    const length = typeof figure === "string" && !isUnknown ? figure.length : 1;
    const content = h`
      <span class="label">${label}</span>
      <span class=${isUnknown ? "figure unknown" : "figure"} data-exact=${exact} style=${{ "--length": length }}>
        ${isUnknown ? "Not known" : figure}
        ${change && h` <span class="change">${change}</span>`}
      </span>
      <span class="was">${note}</span>
      ${children}
    `;
    const face = onChoose
      ? h`<button type="button" class="tile-face" aria-pressed=${Boolean(isChosen)} onClick=${onChoose}>
        ${content}
      </button>`
      : href
        ? h`<a class="tile-face" href=${href}>${content}</a>`
        : content;
    return h`<div class="tile" data-tile=${name}>
      ${face}
      <${wholesale.elements.Term} of=${[term, name, label]} />
    </div>`;
  }

  /** What a list without rows says. */
  function Empty({ title, children }) {
    return h`<div class="empty"><b>${title}</b>${children}</div>`;
  }

  /**
   * A panel that a button opens; `children` draws it, given a function that closes it.
   * Arrows, Home and End move in it; Escape, a press elsewhere and leaving it close it; the focus goes back.
   */
  function Menu({ label, text, style = "pick", children }) {
    const [isOpen, open] = useState(false);
    const root = useRef(null);
    const button = useRef(null);
    const close = () => {
      open(false);
      button.current?.focus();
    };
    const entries = () => [...root.current.querySelectorAll(".panel :is(a, button:not(:disabled), input)")];
    const enter = () => (root.current.querySelector(".panel [aria-pressed=true]") ?? entries()[0])?.focus();
    useEffect(() => {
      if (!isOpen) return undefined;
      const away = (event) => root.current?.contains(event.target) || open(false);
      document.addEventListener("pointerdown", away);
      return () => document.removeEventListener("pointerdown", away);
    }, [isOpen]);
    const press = (event) => {
      if (event.key === "Escape" && isOpen) {
        event.stopPropagation();
        close();
        return;
      }
      const isField = event.target.matches("input");
      const by = { ArrowDown: 1, ArrowUp: -1, ...(!isField && { Home: -Infinity, End: Infinity }) }[event.key];
      if (!by || (isField && event.target.type === "date")) return;
      event.preventDefault();
      if (!isOpen) {
        open(true);
        setTimeout(enter);
        return;
      }
      const all = entries();
      const place = all.indexOf(document.activeElement) + by;
      all[Math.max(0, Math.min(all.length - 1, place))]?.focus();
    };
    const leave = (event) => event.relatedTarget && !root.current?.contains(event.relatedTarget) && open(false);
    return h`<div class="menu" ref=${root} onKeyDown=${press} onFocusOut=${leave}>
      <button type="button" class=${style} ref=${button} aria-expanded=${isOpen} onClick=${() => open(!isOpen)}>
        <span class="hidden">${label}: </span>
        ${text}
      </button>
      ${isOpen && h`<div class="panel">${children(close)}</div>`}
    </div>`;
  }

  /** Whether the page is being printed: then everything is drawn that paper can have. */
  function usePrinting() {
    const [isPrinting, set] = useState(false);
    useEffect(() => {
      const [begin, end] = [() => set(true), () => set(false)];
      window.addEventListener("beforeprint", begin);
      window.addEventListener("afterprint", end);
      return () => {
        window.removeEventListener("beforeprint", begin);
        window.removeEventListener("afterprint", end);
      };
    }, []);
    return isPrinting;
  }

  wholesale.elements = {
    h,
    render,
    wait,
    Component,
    useState,
    useEffect,
    useMemo,
    useRef,
    useLoaded,
    useFigures,
    Loaded,
    Icon,
    Link,
    Name,
    OrderNumber,
    State,
    Change,
    Section,
    Segments,
    Tile,
    Empty,
    Menu,
    usePrinting,
  };
})();

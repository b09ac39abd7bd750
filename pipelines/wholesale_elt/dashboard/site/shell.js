/** Shell: what stands around every page: the rail, the line at the top, and the bar of a phone. */
(() => {
  "use strict";

  const { age, format, view: views } = wholesale;
  const { h, useEffect, useLoaded, useRef, Icon, Link, Loaded, Menu } = wholesale.elements;
  const OF_PHONES = ["today", "sales", "buyers", "orders"];

  const KEYS = [
    ["/", "Search orders, buyers, products, vendors, figures"],
    ["[", "The period before"],
    ["]", "The period after"],
    ["j", "Next in the list"],
    ["k", "The one before"],
    ["x", "Tick as done"],
    ["n p", "The next and the one before on the call sheet"],
    ["c", "Called"],
    ["↵", "Open"],
    ["← →", "From bar to bar in a chart, with Shift over several"],
    ["↑ ↓", "Move in a menu, and in what a search found"],
    ["Esc", "Close what is open"],
    ["?", "These keys"],
  ];

  /** All keys, behind `?` and a button. */
  function Keys() {
    const dialog = useRef(null);
    const open = () => dialog.current.open || dialog.current.showModal();
    useEffect(() => {
      const press = (event) => {
        if (
          event.key !== "?" ||
          event.ctrlKey ||
          event.metaKey ||
          event.altKey ||
          event.target.matches?.("input:not([type=checkbox]), select, textarea")
        )
          return;
        event.preventDefault();
        open();
      };
      document.addEventListener("keydown", press);
      return () => document.removeEventListener("keydown", press);
    }, []);
    return h`
      <button type="button" class="keys-button" onClick=${open}>
        <span>Keys</span>
        <kbd class="key" aria-hidden="true">?</kbd>
      </button>
      <dialog class="keys-list" ref=${dialog} aria-labelledby="keys-title"
          onClick=${(event) => event.target === dialog.current && dialog.current.close()}>
        <div>
          <p id="keys-title" class="title">Keys</p>
          <dl>
            ${KEYS.map(
              ([key, text]) =>
                h`<div key=${key}>
                  <dt>${key.split(" ").map((one) => h`<kbd key=${one}>${one}</kbd>`)}</dt>
                  <dd>${text}</dd>
                </div>`,
            )}
          </dl>
          <button type="button" class="pick" onClick=${() => dialog.current.close()}>Close</button>
        </div>
      </dialog>
    `;
  }

  function Rail({ view }) {
    const current = views.OBJECTS[view.page]?.list ?? view.page;
    return h`<nav class="rail" aria-label="Pages">
      <div class="rail-inner">
        <${Link} to="today" class="brand">
          <i aria-hidden="true">${[...wholesale.meta.company][0]}</i>
          <span dir="auto">${wholesale.meta.company}</span>
        <//>
        <${wholesale.Search} />
        <div class="nav">
          ${wholesale.meta.pages.map(
            (page) =>
              h`<${Link} key=${page.name} to=${page.name} where=${view.where}
                  aria-current=${page.name === current ? "page" : undefined}>
                <${Icon} name=${page.name} />
                <span>${age.titleOf(page)}</span>
                ${page.name === "today" && h`<${wholesale.todo.OpenCount} />`}
                ${page.name === "health" && h`<${Dot} />`}
              <//>`,
          )}
        </div>
        <${wholesale.Recent} />
        <${Keys} />
      </div>
    </nav>`;
  }

  const isWell = () => wholesale.meta.verdict === "complete" && age.isFresh();
  /** Green where the figures are whole and as new as they usually are. */
  const Dot = () => h`<i class=${isWell() ? "dot" : "dot partial"} aria-hidden="true"></i>`;

  /** How whole and how new the figures are. */
  function Verdict() {
    const { verdict, as_of: asOf } = wholesale.meta;
    const due = age.due();
    return h`<${Link} to="health" title=${asOf ? `Everything was read on ${format.moment(asOf)}` : undefined}>
      <${Dot} />
      <span>
        ${format.word(verdict)}
        ${asOf && h`<span class="wide"> as of ${age.said(asOf)}</span>`}
        , <span class=${age.isFresh() ? "quiet" : "unknown"}>${age.text()}</span>
        ${due && h`<span class="unknown wide">, ${due}</span>`}
      </span>
    <//>`;
  }

  /** The list of views, which is read when the menu is first opened. */
  function ViewList({ close }) {
    const of = useLoaded(() => wholesale.later("views"), "views");
    return h`<${Loaded} of=${of}>${(List) => h`<${List} close=${close} />`}<//>`;
  }

  /** The menu of views, on every page. */
  function Views() {
    const text = h`<${Icon} name="saved" /><span class="wide">Views</span>`;
    return h`<${Menu} label="Views" style="views-button" text=${text}>
      ${(close) => h`<${ViewList} close=${close} />`}
    <//>`;
  }

  function Top({ page, title, parent }) {
    const { published_at: publishedAt } = wholesale.meta;
    const weekday = page === "today" && age.isOfToday() && format.ownLongDay(new Date(Date.now()).toISOString());
    return h`<header class="top">
      <h1>
        ${parent && h`<${Link} to=${parent.name}>${parent.title}<//><span class="quiet"> / </span>`}
        <span dir="auto">${title}</span>
        ${weekday && h`<span class="quiet wide weekday">${"\u2002"}${weekday}</span>`}
      </h1>
      <div class="end">
        <${Verdict} />
        <span class="quiet wide" title=${`Published on ${format.moment(publishedAt)}`}>
          Version ${age.said(publishedAt)}
        </span>
        <${Views} />
        <button type="button" class="icon-button wide" aria-label="Print this page" onClick=${() => window.print()}>
          <${Icon} name="print" />
        </button>
        <button type="button" class="icon-button" aria-label="Light or dark" onClick=${wholesale.theme.toggle}>
          <${Icon} name="theme" />
        </button>
      </div>
    </header>`;
  }

  function Bottom({ view }) {
    const current = views.OBJECTS[view.page]?.list ?? view.page;
    const ofPhones = wholesale.meta.pages.filter(({ name }) => OF_PHONES.includes(name));
    return h`<nav class="bottom" aria-label="Main pages">
      ${ofPhones.map(
        (page) =>
          h`<${Link} key=${page.name} to=${page.name} aria-current=${page.name === current ? "page" : undefined}>
            <${Icon} name=${page.name} />
            <span>
              ${age.titleOf(page, format.ownDay)}
              ${page.name === "today" && h` <${wholesale.todo.OpenCount} />`}
            </span>
          <//>`,
      )}
      <${Menu} label="More pages" style="" text=${h`<${Icon} name="more" /><span>More</span>`}>
        ${(close) =>
          h`<div>
            <${wholesale.Search} onLeave=${close} />
            ${wholesale.meta.pages
              .filter(({ name }) => !OF_PHONES.includes(name))
              .map(
                ({ name, title }) =>
                  h`<${Link} key=${name} to=${name} onClick=${close}><${Icon} name=${name} />${title}<//>`,
              )}
          </div>`}
      <//>
    </nav>`;
  }

  wholesale.shell = { Rail, Top, Bottom };
})();

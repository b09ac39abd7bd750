/** Shell: what stands around every page: the rail, the line at the top, and the bar of a phone. */
(() => {
  "use strict";

  const { age, format, view: views } = wholesale;
  const { h, useEffect, useRef, Icon, Link, Menu } = wholesale.elements;
  const OF_PHONES = ["today", "sales", "buyers", "orders"];

  const KEYS = [
    ["/", "Search orders, buyers, products, vendors"],
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
          <h2 id="keys-title">Keys</h2>
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
              <//>`,
          )}
        </div>
        <${wholesale.Recent} />
        <${Keys} />
      </div>
    </nav>`;
  }

  function Top({ title, parent }) {
    const { verdict, as_of: asOf, published_at: publishedAt } = wholesale.meta;
    const isWell = verdict === "complete" && !age.isOld();
    const old = age.text();
    const style = age.isOld() ? "unknown" : "quiet";
    return h`<header class="top">
      <h1>
        ${parent && h`<${Link} to=${parent.name}>${parent.title}<//><span class="quiet"> / </span>`}
        <span dir="auto">${title}</span>
      </h1>
      <div class="end">
        <${Link} to="health">
          <i class=${isWell ? "dot" : "dot partial"}></i>
          <span>
            ${format.word(verdict)}
            ${asOf && h`<span class="wide"> as of ${format.moment(asOf)}</span>`}
            ${old && h`, <span class=${style}>${old}</span>`}
          </span>
        <//>
        <span class="quiet wide">Version ${format.moment(publishedAt)}</span>
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
            <span>${age.titleOf(page)}</span>
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

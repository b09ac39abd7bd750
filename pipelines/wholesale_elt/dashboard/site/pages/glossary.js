/**
 * Glossary: what the words and the figures mean, to be searched, each with an address of its own:
 * `#/glossary/late-buyer`, `#/glossary/sales_before_discounts`.
 */
(() => {
  "use strict";

  const { definitions, view: views } = wholesale;
  const { h, useEffect, useLoaded, useRef, Link, Loaded, Empty } = wholesale.elements;

  /** The terms that have all words of a search, those in whose name they are first. */
  function found(terms, search) {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (text) => words.every((word) => text.toLowerCase().includes(word));
    const all = terms.toSorted((one, other) => one.term.localeCompare(other.term));
    const named = all.filter(({ term }) => has(term));
    return [...named, ...all.filter((one) => !named.includes(one) && has(`${one.term} ${one.text}`))];
  }

  function Term({ view, terms, term, isChosen }) {
    const root = useRef(null);
    useEffect(() => {
      if (isChosen) root.current.scrollIntoView({ block: "center" });
    }, [isChosen]);
    const page = wholesale.meta.pages.find(({ name }) => name === term.page);
    const see = terms.filter(({ id }) => term.see.includes(id));
    return h`<div class="term" ref=${root} data-chosen=${isChosen ? "" : undefined}>
      <dt>
        <a class="name" href=${views.linkTo(view, { page: "glossary", id: term.id })}
            aria-current=${isChosen ? "true" : undefined}>
          ${term.term}
        </a>
      </dt>
      <dd>
        ${term.text}
        ${
          see.length > 0 &&
          h`
            ${" "}
            <span class="quiet">
              See${" "}
              ${see.map(
                ({ id, term: name }, place) =>
                  h`
                    ${place > 0 && ", "}
                    <a class="a" key=${id} href=${views.linkTo(view, { page: "glossary", id })}>${name}</a>
                  `,
              )}
              .
            </span>
          `
        }
        ${page && h` <${Link} to=${page.name} class="a">Open ${page.title}<//>`}
      </dd>
    </div>`;
  }

  function Page({ view }) {
    const [search, type] = wholesale.useTyped("words.find");
    const of = useLoaded(definitions.all, "definitions");
    return h`<div class="glossary">
      <input type="search" class="field" aria-label="Search the words" placeholder="Search the words"
          value=${search} onInput=${(event) => type(event.target.value)} />
      <${Loaded} of=${of}>
        ${(terms) => {
          const shown = found(terms, search);
          return shown.length === 0
            ? h`<${Empty} title="No such word">Try another one, or a part of it.<//>`
            : h`<dl class="terms">
              ${shown.map(
                (term) =>
                  h`<${Term} key=${term.id} view=${view} terms=${terms} term=${term}
                      isChosen=${term.id === view.id || term.metric === view.id} />`,
              )}
            </dl>`;
        }}
      <//>
    </div>`;
  }

  wholesale.receive("pages/glossary", Page);
})();

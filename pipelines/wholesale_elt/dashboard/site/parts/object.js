/** Object: what the page of one buyer, product, vendor, category or order begins with, or says if there is none. */
(() => {
  "use strict";

  const { h, useEffect, useLoaded, Empty } = wholesale.elements;

  /** The name of an object with what is wrong with it, its facts in one line, and what can be done. */
  function Head({ title, badge, facts = [], actions }) {
    const said = facts.filter(Boolean);
    return h`<div class="object-head">
      <div class="object-title">
        <h2 dir="auto">${title}</h2>
        ${badge && h`<span class=${`badge ${badge.tone}`}>${badge.text}</span>`}
      </div>
      <p class="object-facts">${said.map((fact, number) => h`<span key=${number}>${fact}</span>`)}</p>
      ${actions && h`<div class="object-actions">${actions}</div>`}
    </div>`;
  }

  /** An object of a kind by its key, or null; remembered among the recent ones, and named in the line at the top. */
  function useObject(kind, page, id, nameOf) {
    const of = useLoaded(async () => (await wholesale.objects.all(kind)).get(id) ?? null, `${kind}/${id}`);
    const name = of.value && !of.isOld ? nameOf(of.value) : null;
    useNamed(page, id, name);
    return of;
  }

  function useNamed(page, id, name) {
    useEffect(() => {
      if (!name) return;
      wholesale.nameShown(name);
      wholesale.recent.add({ page, id, name });
    }, [page, id, name]);
  }

  /** What a page of an object says if the address names none; `children` lead on. */
  function NotHere({ what, id, children }) {
    return h`<${Empty} title=${`No ${what} of this name or number`}>
      “<span dir="auto">${id}</span>” is not in these figures.${" "}
      <${wholesale.NearObject} page=${what} id=${id} /> ${children}
    <//>`;
  }

  Object.assign(wholesale.parts, { Head, useObject, useNamed, NotHere });
  wholesale.receive("parts/object", null);
})();

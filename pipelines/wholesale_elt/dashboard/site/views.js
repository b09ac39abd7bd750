/**
 * Views: addresses by a name: those for everybody, which a setting has, and the reader's own, kept in the browser.
 *
 * Two windows do not lose what the other one kept: each change is made to what is stored then.
 */
(() => {
  "use strict";

  const { view: views } = wholesale;
  const { h, useEffect, useRef, useState, Icon, Menu } = wholesale.elements;
  const LONGEST = 80;
  const store = () => `wholesale.views.${wholesale.meta.company}`;
  /** What is kept where the browser keeps nothing: it lasts as long as the page. */
  let unkept = null;

  const isView = (each) => typeof each?.name === "string" && typeof each.address === "string";

  /** The reader's own views in their order, `[{name, address}]`; `isKept` tells whether the browser keeps them. */
  function all() {
    try {
      const kept = JSON.parse(localStorage.getItem(store()) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isView) : [];
    } catch {
      return unkept ?? [];
    }
  }

  function change(made) {
    const now = made(all());
    try {
      localStorage.setItem(store(), JSON.stringify(now));
      unkept = null;
    } catch {
      unkept = now;
    }
    window.dispatchEvent(new CustomEvent("kept", { detail: "views" }));
  }

  function isKept() {
    try {
      localStorage.setItem(store(), localStorage.getItem(store()) ?? "[]");
      return true;
    } catch {
      return false;
    }
  }

  const called = (name) => (each) => each.name === name;

  /** Keeps an address by a name; one of that name gets it anew, in its place. */
  function keep(name, address) {
    change((kept) =>
      kept.some(called(name))
        ? kept.map((each) => (each.name === name ? { name, address } : each))
        : [...kept, { name, address }],
    );
  }

  const forget = (name) => change((kept) => kept.filter((each) => each.name !== name));

  /** Gives a view another name; one that had it goes. */
  function rename(from, name) {
    change((kept) =>
      kept
        .filter((each) => each.name === from || each.name !== name)
        .map((each) => (each.name === from ? { ...each, name } : each)),
    );
  }

  /** Moves a view by one place, up or down. */
  function move(name, by) {
    change((kept) => {
      const from = kept.findIndex(called(name));
      const to = Math.max(0, Math.min(kept.length - 1, from + by));
      return from < 0 ? kept : kept.toSpliced(from, 1).toSpliced(to, 0, kept[from]);
    });
  }

  /** The own views, followed: what another window keeps shows here at once. */
  function useViews() {
    const [kept, set] = useState(all);
    useEffect(() => {
      const follow = (event) => {
        if (event.type === "kept" ? event.detail === "views" : event.key === null || event.key === store()) set(all());
      };
      window.addEventListener("kept", follow);
      window.addEventListener("storage", follow);
      return () => {
        window.removeEventListener("kept", follow);
        window.removeEventListener("storage", follow);
      };
    }, []);
    return kept;
  }

  function Named({ name, address, close }) {
    const isHere = address === location.hash.replace(/^#\//, "");
    return h`<a href=${`#/${address}`} aria-current=${isHere ? "true" : undefined} dir="auto" onClick=${close}>
      ${name}
    </a>`;
  }

  /** An own view: a link, or while they are edited its name, its place and its end. */
  function Own({ each: { name, address }, isEdited, close }) {
    const [typed, type] = useState(name);
    const leave = () => (typed.trim() && typed.trim() !== name ? rename(name, typed.trim()) : type(name));
    if (!isEdited) return h`<${Named} name=${name} address=${address} close=${close} />`;
    const button = (icon, label, press, style = "") =>
      h`<button type="button" class=${`icon-button ${style}`} aria-label=${`${label} ${name}`} onClick=${press}>
        <${Icon} name=${icon} />
      </button>`;
    return h`<div class="view-edited">
      <input aria-label=${`Name of ${name}`} maxlength=${LONGEST} value=${typed}
          onInput=${(event) => type(event.target.value)} onBlur=${leave}
          onKeyDown=${(event) => event.key === "Enter" && leave()} />
      ${button("down", "Move up", () => move(name, -1), "upward")} ${button("down", "Move down", () => move(name, 1))}
      ${button("cross", "Forget", () => forget(name))}
    </div>`;
  }

  function Keep() {
    const [typed, type] = useState("");
    const name = typed.trim();
    const press = (event) => {
      event.preventDefault();
      if (name) keep(name, location.hash.replace(/^#\//, "") || views.hashOf(wholesale.shown).replace(/^#\//, ""));
      type("");
    };
    return h`<form class="view-kept" onSubmit=${press}>
      <input aria-label="Name of this view" placeholder="Name of this view" maxlength=${LONGEST} value=${typed}
          onInput=${(event) => type(event.target.value)} />
      <button type="submit" class="pick" disabled=${!name}>Save</button>
    </form>`;
  }

  /** All views of a name, and the way to keep the one that is shown. */
  function List({ close }) {
    const kept = useViews();
    const [isEdited, edit] = useState(false);
    const root = useRef(null);
    const shared = Object.entries(wholesale.meta.views ?? {});
    return h`<div class="views" ref=${root}>
      ${
        shared.length > 0 &&
        h`<div role="group" aria-label="For everybody">
          <h3 aria-hidden="true">For everybody</h3>
          ${shared.map(([name, address]) => h`<${Named} key=${name} name=${name} address=${address} close=${close} />`)}
        </div>`
      }
      <div role="group" aria-label="Your own">
        <h3 aria-hidden="true">Your own</h3>
        ${kept.length === 0 && h`<p class="quiet">None yet. A view has its page, days and filters.</p>`}
        ${kept.map((each) => h`<${Own} key=${each.name} each=${each} isEdited=${isEdited} close=${close} />`)}
        <${Keep} />
        ${
          kept.length > 0 &&
          h`<button type="button" aria-pressed=${isEdited} onClick=${() => edit(!isEdited)}>
            ${isEdited ? "Done" : "Rename, order, forget"}
          </button>`
        }
        <p class="quiet">
          ${isKept() ? "In this browser alone." : "This browser keeps nothing: they last until this page is closed."}
        </p>
      </div>
    </div>`;
  }

  /** The menu of views, on every page. */
  function Views() {
    const text = h`<${Icon} name="saved" /><span class="wide">Views</span>`;
    return h`<${Menu} label="Views" style="views-button" text=${text}>
      ${(close) => h`<${List} close=${close} />`}
    <//>`;
  }

  wholesale.views = { all, keep, forget, rename, move, isKept, Views };
})();

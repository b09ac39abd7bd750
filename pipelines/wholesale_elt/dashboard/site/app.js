/** App: the page in force, which follows the address, and says what it shows. */
(() => {
  "use strict";

  const { age, format, inOrder, load, newer, places, style, view: views } = wholesale;
  const { h, render, wait, Component, useState, useEffect, useRef } = wholesale.elements;
  const { Rail, Top, Bottom } = wholesale.shell;
  const root = document.getElementById("app");
  wholesale.pieces = {};

  /** What a page throws is said in its place; the rail stays. */
  class Guard extends Component {
    componentDidCatch(error) {
      reportError(error);
      this.setState({ error });
    }

    componentDidUpdate({ name }) {
      if (name !== this.props.name && this.state.error) this.setState({ error: null });
    }

    render({ children }, { error }) {
      return error ? h`<p class="failure" role="alert">${error.message}</p>` : children;
    }
  }

  function App({ view, Page }) {
    const [named, name] = useState({});
    const [, passed] = useState(0);
    useEffect(() => age.watch(() => passed((times) => times + 1)), []);
    wholesale.shown = view;
    wholesale.nameShown = (text) => name({ of: wholesale.shown, text });
    useEffect(() => {
      root.removeAttribute("aria-busy");
      wait(0);
    }, []);
    const opened = useRef(null);
    useEffect(() => {
      const page = `${view.page}/${view.id}`;
      places.arrive(opened.current !== page);
      opened.current = page;
    }, [places.arrivals(), view.page, view.id]);
    const listed = (page) => wholesale.meta.pages.find(({ name: known }) => known === page);
    const object = views.OBJECTS[view.page];
    const kind = object ? object.title : age.titleOf(listed(view.page));
    const isNamed = named.of?.page === view.page && named.of.id === view.id;
    const title = isNamed ? named.text : kind;
    useEffect(() => {
      document.title = `${title} · ${wholesale.meta.company}`;
    }, [title]);
    return h`
      <${Rail} view=${view} />
      <div class="page">
        <${Top} page=${view.page} title=${title} parent=${object && listed(object.list)} />
        <main id="main" tabindex="-1" data-page=${view.page}>
          <${wholesale.Notices} view=${view} />
          <${Guard} name=${views.hashOf(view)}><${Page} view=${view} key=${`${view.page}/${view.id}`} /><//>
        </main>
      </div>
      <${Bottom} view=${view} />
    `;
  }

  /** The next or the former row of the tables of the page; the first page has a list of its own. */
  function move(by) {
    if (document.querySelector(".tasks")) return;
    const links = [...document.querySelectorAll("main .table tbody th a")];
    const row = document.activeElement.closest("tr");
    const place = links.findIndex((link) => link === document.activeElement || (row && link.closest("tr") === row));
    links[Math.max(0, Math.min(links.length - 1, place + by))]?.focus();
  }

  /** `x` ticks the row that has the focus. */
  const tick = () => document.activeElement.closest?.("main tr")?.querySelector(".tick")?.click();

  /** `[` and `]` go to the period before and after, `j` and `k` to a row, `x` ticks it; fields keep what is typed. */
  function press(event) {
    if (
      event.target.matches("input:not([type=checkbox]), select, textarea") ||
      event.metaKey ||
      event.ctrlKey ||
      event.altKey
    )
      return;
    const by = { "[": -1, "]": 1 }[event.key];
    if (event.key === "j" || event.key === "k") move(event.key === "j" ? 1 : -1);
    if (event.key === "x") tick();
    const asked = views.parse(location.hash); // what is drawn may still be the one before
    const period = by && wholesale.controls.beside(asked, by);
    if (period) views.go(views.changed(asked, { period }));
  }

  /** What all pages but the first are made of. */
  const SHARED = [
    "catalogue",
    "charts/marks",
    "charts/bars",
    "charts/causes",
    "charts/lines",
    "charts/moved",
    "charts/steps",
    "orders/contents",
    "orders/list",
    "parts/object",
    "parts/orders",
    "parts/history",
    "trends",
    "windows",
  ];
  /** Styles of a page besides those that all pages have. */
  const STYLES = { calls: "pages/calls.css", explore: "pages/explore.css", next: "pages/next.css" };
  /** Scripts of a page besides its own, which finds what they have in `wholesale.pieces`. */
  const PIECES = {
    buyer: ["counted", "bought", "lately"],
    buyers: ["cohorts"],
    calls: ["hours", "block"],
    changes: ["shown"],
    closed: ["counted", "journal"],
    next: ["listed", "ends", "record"],
    explore: ["offered", "listed", "statement", "courses", "pivot", "crossed", "asked", "beside"],
    order: ["course", "goods", "changed"],
    product: ["catalogued"],
    vendor: ["terms"],
  };
  /** The folder of the pieces of a page: one that is called `vendor` has what is from others. */
  const folderOf = (name) => (name === "vendor" ? "vendors" : name);
  const read = (name) => load(`pages/${name}`, `pages/${name}.js`);

  /** The page of a name, whose scripts are read when it is first opened; what cannot be read says so in its place. */
  async function pageOf(name) {
    try {
      if (name !== "today") await inOrder(SHARED);
      if (STYLES[name]) await style(STYLES[name]);
      const pieces = await Promise.all((PIECES[name] ?? []).map((piece) => read(`${folderOf(name)}/${piece}`)));
      wholesale.pieces[name] = Object.assign({}, ...pieces);
      return await read(name);
    } catch (error) {
      newer?.check(); // it may have gone with its version
      return () => {
        throw error;
      };
    }
  }

  /** Draws what the address asks for, unless it asks for something else by the time that the page is there. */
  async function follow() {
    const { hash } = location;
    const view = views.parse(hash);
    wait(1);
    const Page = await pageOf(view.page);
    if (hash === location.hash) {
      if (!wholesale.shown) root.replaceChildren();
      render(h`<${App} view=${view} Page=${Page} />`, root);
    }
    wait(-1);
  }

  async function start() {
    wholesale.meta = await load("meta");
    format.useCurrency(wholesale.meta.currency);
    wholesale.follow = follow;
    places.watch();
    window.addEventListener("hashchange", follow);
    await follow();
    document.addEventListener("keydown", press);
    // The address is that of a view, and cannot name a part of the page.
    document
      .querySelector(".skip")
      .addEventListener("click", (event) => (event.preventDefault(), document.getElementById("main").focus()));
    newer?.watch();
  }

  start().catch((error) => {
    reportError(error);
    const said = document.createElement("p");
    said.className = "failure";
    said.setAttribute("role", "alert");
    said.textContent = error.message;
    root.replaceChildren(said);
    root.removeAttribute("aria-busy");
  });
})();

/** Wrong: says what an address asks for that there is not, and the nearest right thing: no view comes silently. */
(() => {
  "use strict";

  const { address, controls, facts, format, nearest: near, objects, view: views } = wholesale;
  const { h, Icon, useLoaded } = wholesale.elements;
  /** Pages that count, and so follow filters. */
  const FILTERED = [
    "sales",
    "buyers",
    "products",
    "vendors",
    "orders",
    "explore",
    "buyer",
    "vendor",
    "product",
    "category",
  ];
  /** Filters that take members of another dimension, too: a state may be one of orders. */
  const ALSO = { state: ["order_status"] };

  /** The members of a filter by their key, each with its name; null where this publication has no such filter. */
  async function membersOf(name) {
    const found = new Map();
    for (const each of [name, ...(ALSO[name] ?? [])]) {
      const { keys, names } = await facts.members(each).catch(() => ({ keys: [], names: [] }));
      for (const [place, key] of keys.entries()) found.set(key, objects.nameOf(key, names[place]));
    }
    return found.size ? found : null;
  }

  /** What is counted alone: orders may be chosen by whatever is told of them. */
  function filtersOf({ page, where, own }) {
    if (!FILTERED.includes(page)) return {};
    const told = page === "orders" ? Object.keys(wholesale.meta.dimensions?.fct_orders ?? {}) : [];
    const chosen = Object.entries(own).filter(([name]) => told.includes(name));
    return { ...where, ...Object.fromEntries(chosen.map(([name, value]) => [name, String(value).split(",")])) };
  }

  /** What filters ask for that nothing has. */
  async function ofFilters(view) {
    const wrong = [];
    for (const [name, keys] of Object.entries(filtersOf(view))) {
      const known = await membersOf(name);
      for (const key of known ? keys.filter((each) => each !== null && !known.has(each)) : []) {
        const found = near.nearest(key, [...known]);
        wrong.push({
          said: `${controls.LABELS[name] ?? format.word(name)}: none here is “${key}”.`,
          shown: "So nothing of it is counted.",
          ...(found !== null && {
            text: known.get(found),
            hash: views.hashOf(
              views.changed(view, {
                where: { [name]: keys.map((each) => (each === key ? found : each)) },
                own: { [name]: null },
              }),
            ),
          }),
        });
      }
    }
    return wrong;
  }

  /** “Did you mean” the nearest, as a link. */
  const Nearest = ({ hash, text }) =>
    hash ? h` <span>Did you mean <a class="a" href=${hash} dir="auto">${text}</a>?</span>` : null;

  function Wrong({ view }) {
    const of = useLoaded(() => ofFilters(view), JSON.stringify([view.page, filtersOf(view)]));
    const wrong = [...address.wrongIn(location.hash), ...((!of.isOld && of.value) || [])];
    return wrong.map(
      ({ said, shown, ...nearest }) =>
        h`<p class="notice wrong" role="note" key=${said}>
          <${Icon} name="warning" />
          <span><b dir="auto">${said}</b> ${shown}<${Nearest} ...${nearest} /></span>
        </p>`,
    );
  }

  const wordsOf = (text) =>
    near
      .folded(text)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean);

  /** Whether a name is near to what was asked for as a whole, or has all of its words. */
  const isMeant = (asked, name) =>
    near.nearest(asked, [[name]]) !== null ||
    wordsOf(asked).every((word) => wordsOf(name).some((each) => each.startsWith(word)));

  /** The object of a kind whose name or number is nearest to what an address asks for. */
  function NearObject({ page, id }) {
    const of = useLoaded(
      () => wholesale.answersTo(id).then((groups) => groups.flatMap(([, found]) => found)),
      `${page}/${id}`,
    );
    const found = !of.isOld && of.value?.find((each) => each.page === page && each.id !== "" && isMeant(id, each.name));
    return found
      ? h`<${Nearest} text=${found.name} hash=${views.linkTo(wholesale.shown, { page, id: found.id })} />`
      : null;
  }

  Object.assign(wholesale, { Wrong, NearObject });
})();

/** Offered: the figures and dimensions that can be chosen, those of a view, and why a view has no answer. */
(() => {
  "use strict";

  const { axes, controls, days, facts, format, load } = wholesale;
  const { h, useEffect, useLoaded, useRef, useState, Empty, Icon, Menu, Link } = wholesale.elements;
  const MEASURED = [facts.ORDERS, facts.LINES];
  const LABELS = {
    ...controls.LABELS,
    product: "Product",
    sku: "SKU",
    category: "Category",
    brand: "Brand",
    product_id: "Variant",
    parent_category: "Category above",
    top_category: "Uppermost category",
    color: "Colour",
    size: "Size",
    options: "Options",
    buyer_user: "Person of the buyer",
    buyer_user_role: "Role of the person",
    invoice_status: "Invoice",
    payment_method: "Payment method",
    city: "City",
    weekday: "Weekday",
  };
  const GRAINS = { day: "Day", week: "Week", month: "Month", quarter: "Quarter", year: "Year" };
  const MOST_OTHERS = 5;
  const LONGEST = 18;

  /** What a dimension is called, also one that a setting adds. */
  const labelOf = (name) => LABELS[name] ?? wholesale.meta.fields[name] ?? GRAINS[name];
  const inWords = (name) => (name === "sku" ? "SKU" : labelOf(name).toLowerCase());
  const metricOf = (name) => wholesale.meta.metrics[name];
  const isCounted = (name) => MEASURED.includes(metricOf(name)?.fact);

  /** What can be asked for of a fact. */
  function dimensionsOf({ fileOf }, fact) {
    const names = [...fileOf[facts.ORDERS].keys(), ...(fact === facts.LINES ? fileOf[facts.LINES].keys() : [])];
    return [...new Set(names)].filter((name) => LABELS[name] || wholesale.meta.fields[name]);
  }

  const spanOf = ({ period }) => axes.spanOf(days.period(period, wholesale.meta.figures_up_to));

  /** The parts of time that the days of a view may be cut into. */
  function grainsIn(view) {
    const span = spanOf(view);
    return span ? axes.grainsOf(span).map(([grain]) => grain) : [];
  }

  /** What a view asks for, `{metric, by, across}`, with a `problem` where that has no answer. */
  function asked(view, read) {
    const { metric = "sales", by = "vendor", across = null } = view.own;
    const found = { metric, by, across };
    if (!isCounted(metric)) return { ...found, problem: { kind: "metric", name: metric } };
    const own = dimensionsOf(read, metricOf(metric).fact);
    const all = dimensionsOf(read, facts.LINES);
    const wrong = [by, across]
      .filter(Boolean)
      .find((name) => !all.includes(name) && !(name === across && GRAINS[name]));
    if (wrong) return { ...found, problem: { kind: "dimension", name: wrong } };
    if (by === across) return { ...found, problem: { kind: "twice", name: by } };
    const lacking = [by, across].find((name) => name && !own.includes(name) && !GRAINS[name]);
    if (lacking) return { ...found, problem: { kind: "lacking", name: lacking } };
    if (GRAINS[across] && !grainsIn(view).includes(across))
      return { ...found, problem: { kind: "grain", name: across } };
    return { ...found, problem: null };
  }

  /** The figure of lines that means the same and is told apart by what they have; else some in the same unit. */
  function having(metric) {
    const { of_products: same, unit: own } = metricOf(metric);
    if (same) return [same];
    const alike = ([, { fact, unit }]) => fact === facts.LINES && unit === own;
    return Object.entries(wholesale.meta.metrics)
      .filter(alike)
      .map(([name]) => name)
      .slice(0, MOST_OTHERS);
  }

  const button = (text, onClick) => h`<button type="button" class="pick" onClick=${onClick}>${text}</button>`;

  /** Why there is no answer, in words, and what has one. */
  function Problem({ metric, by, across, problem: { kind, name }, choose }) {
    const label = metricOf(metric)?.label ?? metric;
    if (kind === "metric")
      return h`<${Empty} title=${
        metricOf(name) ? `${label} is not counted here.` : `There is no figure called “${name}”.`
      }>
        ${
          metricOf(name)
            ? "It is not counted over orders or lines: the first page and that of buyers have such figures."
            : "Choose one above."
        }
        <p class="ways">${button("Show: Sales", () => choose({ metric: null }))}</p>
      <//>`;
    if (kind === "dimension")
      return h`<${Empty} title=${`Nothing is told apart by “${name}” here.`}>
        Choose something else above.
        <p class="ways">${button(`Show: ${label} by vendor`, () => choose({ by: null, across: null }))}</p>
      <//>`;
    if (kind === "twice")
      return h`<${Empty} title=${`Rows and columns are both by ${inWords(name)}.`}>
        <p class="ways">${button(`Show: ${label} by ${inWords(name)}`, () => choose({ across: null }))}</p>
      <//>`;
    if (kind === "grain")
      return h`<${Empty} title=${`These days are not cut by ${inWords(name)}.`}>
        They are too many or too few for that.
        <p class="ways">${button(`Show: ${label} by ${inWords(by)}`, () => choose({ across: null }))}</p>
      <//>`;
    const others = having(metric);
    const isBy = name === by;
    const way = (other) => `Show: ${metricOf(other).label} by ${inWords(name)}`;
    return h`<${Empty} title=${`${label} cannot be told apart by ${inWords(name)}.`}>
      An order may have products of several kinds, so it is counted as a whole. What is counted by line can be${" "}
      told apart so.
      <p class="ways">
        ${others.map((other) => h`<span key=${other}>${button(way(other), () => choose({ metric: other }))}</span>`)}
        ${button(`Show: ${label} by ${inWords(isBy ? "vendor" : by)}`, () =>
          choose(isBy ? { by: across === "vendor" ? "buyer" : null } : { across: null }),
        )}
      </p>
    <//>`;
  }

  /**
   * How values are written that stand below each other: exactly, with as many decimals as one of them needs, unless
   * that takes more letters than a column has.
   */
  function evenly(metric, values) {
    const { unit, kind } = metricOf(metric);
    if (unit !== "amount") return (value) => format.metric(metric, value);
    if (kind === "ratio") return format.fixed(2);
    const needed = Math.max(0, ...values.map((value) => (String(value ?? "").split(".")[1] ?? "").length));
    const ways = [needed === 0 ? 0 : Math.max(2, needed), 2, 0].map(format.fixed);
    return ways.find((write) => values.every((value) => write(value).length <= LONGEST)) ?? ways.at(-1);
  }

  /** Which of the named people call what was typed, else which match all words of it. */
  function matching(names, typed, meanings) {
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    const called = names.filter((name) => meanings?.[name]?.synonyms.includes(words.join(" ")));
    if (called.length > 0) return called;
    return names.filter((name) => {
      const { label, group } = metricOf(name);
      const { text = "", synonyms = [] } = meanings?.[name] ?? {};
      const all = [label, group, text, ...synonyms].join(" ").toLowerCase();
      return words.every((word) => all.includes(word));
    });
  }

  function Figures({ chosen, onChoose }) {
    const [typed, type] = useState("");
    const field = useRef(null);
    useEffect(() => field.current.focus(), []);
    const { value: meanings } = useLoaded(() => load("meanings"), "meanings");
    const found = matching(Object.keys(wholesale.meta.metrics).filter(isCounted), typed, meanings);
    return h`<div class="figures-panel">
      <input type="search" ref=${field} aria-label="Search figures" placeholder="Search figures" value=${typed}
          onInput=${(event) => type(event.target.value)} />
      <div class="grouped">
        ${wholesale.meta.groups.map((group) => {
          const own = found.filter((name) => metricOf(name).group === group);
          return (
            own.length > 0 &&
            h`<div role="group" aria-label=${group} key=${group}>
              <h3 aria-hidden="true">${group}</h3>
              ${own.map(
                (name) =>
                  h`<button type="button" key=${name} aria-pressed=${name === chosen} onClick=${() => onChoose(name)}>
                    ${metricOf(name).label}
                  </button>`,
              )}
            </div>`
          );
        })}
      </div>
      ${
        found.length === 0 &&
        h`<p class="quiet">
          No figure is called so. <${Link} to="glossary" own=${{ q: typed }} class="a">Search the words<//>
        </p>`
      }
    </div>`;
  }

  function FigureMenu({ metric, choose }) {
    const text = metricOf(metric)?.label ?? metric;
    return h`<${Menu} label="Figure" text=${h`${text}<${Icon} name="down" />`}>
      ${(close) => h`<${Figures} chosen=${metric} onChoose=${(name) => (close(), choose({ metric: name }))} />`}
    <//>`;
  }

  function Options({ names, value, onChoose }) {
    return names.map(
      (name) =>
        h`<button type="button" key=${name} aria-pressed=${name === value} onClick=${() => onChoose(name)}>
          ${name === "" ? "Nothing else" : labelOf(name)}
        </button>`,
    );
  }

  const group = (title, content) =>
    h`<div role="group" aria-label=${title}><h3 aria-hidden="true">${title}</h3>${content}</div>`;

  /** The dimensions of a figure, and those that only another one has, which is chosen with them. */
  function DimensionMenu({ view, read, label, name, metric, value, without, choose }) {
    const own = isCounted(metric) ? dimensionsOf(read, metricOf(metric).fact) : [];
    const offered = own.filter((each) => each !== without);
    const all = dimensionsOf(read, facts.LINES);
    const lacking = all.filter((each) => !own.includes(each) && each !== without);
    const [instead = null] = isCounted(metric) ? having(metric) : [];
    const isAcross = name === "across";
    const grains = isAcross ? grainsIn(view) : [];
    const text = value ? (labelOf(value) ?? value) : "one more";
    return h`<${Menu} label=${isAcross ? "Columns by" : "Rows by"}
        text=${h`<span class="quiet">${label}</span> ${text}<${Icon} name="down" />`}>
      ${(close) => {
        const pick = (own_) => (close(), choose(own_));
        return h`<div class="columns">
          <div>
            ${isAcross && h`<${Options} names=${[""]} value=${value ?? ""} onChoose=${() => pick({ across: null })} />`}
            ${
              grains.length > 0 &&
              group("Time", h`<${Options} names=${grains} value=${value} onChoose=${(key) => pick({ across: key })} />`)
            }
            <${Options} names=${offered} value=${value} onChoose=${(key) => pick({ [name]: key })} />
          </div>
          ${
            lacking.length > 0 &&
            instead &&
            h`<div>
              ${group(
                `With: ${metricOf(instead).label}`,
                h`<${Options} names=${lacking} value=${value}
                    onChoose=${(key) => pick({ [name]: key, metric: instead })} />`,
              )}
            </div>`
          }
        </div>`;
      }}
    <//>`;
  }

  const offered = { GRAINS, asked, evenly, grainsIn, labelOf, inWords, metricOf, spanOf };
  wholesale.receive("pages/explore/offered", { offered: { ...offered, Problem, FigureMenu, DimensionMenu } });
})();

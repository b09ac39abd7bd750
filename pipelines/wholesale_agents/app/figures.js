/** Figures: the page of an answer, as the host hands it over, and of those that its reader asks for. */
(() => {
  "use strict";

  const { h, host, format, charts, rows: tables, why } = window.figures;
  const page = document.getElementById("page");
  /** The answers that were shown, each with what was `asked`, the last of them now. */
  const shown = [];
  /** What members are called that were in any answer, by dimension and key. */
  const called = new Map();
  let given = {};

  /** What the server's library writes before an error. */
  const PREFIX = /^Error executing tool \w+: /;
  const isWhy = (answer) => "causes" in answer;
  const grainOf = (row) => ["day", "week", "month", "quarter", "year"].find((grain) => grain in (row ?? {})) ?? null;

  /** Below all: whether it is complete, as of when, what is not known, and the rows that did not come. */
  function trust(answer) {
    const isComplete = answer.verdict === "complete";
    const when = answer.as_of ? ` as of ${format.momentText(answer.as_of)}` : "";
    const notes = [
      ...(isComplete ? [] : (answer.reasons ?? [])),
      ...(answer.notes ?? []),
      ...(answer.findings ?? []).map(({ message }) => message),
      answer.rows_not_shown > 0 && `${format.number(answer.rows_not_shown)} more rows were not sent`,
    ].filter(Boolean);
    return h(
      "footer",
      { class: isComplete ? "trust" : "trust doubtful" },
      h(
        "p",
        null,
        h("i", { class: "dot" }),
        `${isComplete ? "Complete" : "Not complete"}${when}`,
        h("span", { class: "version" }, answer.version),
      ),
      notes.map((note) => h("p", { class: "note" }, `${format.capital(note)}.`.replace("..", "."))),
    );
  }

  /** Notes what the members of an answer are called. */
  function remember({ rows = [] }) {
    for (const row of rows)
      for (const name of Object.keys(row))
        if (row[`${name}_name`]) called.set(`${name} ${row[name]}`, row[`${name}_name`]);
  }

  /** What the figures are restricted to. */
  function chips({ where = {} }) {
    const told = (name, member) => called.get(`${name} ${member}`) ?? member ?? "none";
    const chip = ([name, members]) =>
      h(
        "span",
        { class: "chip", dir: "auto" },
        h("span", { class: "soft" }, `${format.capital(format.plain(name))} `),
        [members]
          .flat()
          .map((member) => told(name, member))
          .join(", "),
      );
    const all = Object.entries(where ?? {});
    return all.length > 0 && h("p", { class: "chips" }, all.map(chip));
  }

  /** What may be asked next, where the host lets this page ask. */
  function further(answer) {
    const calls = (answer.next ?? []).filter(({ tool }) => ["figures", "why"].includes(tool));
    if (!host.mayAsk() || (!calls.length && shown.length < 2)) return null;
    return h(
      "nav",
      { "aria-label": "Next" },
      shown.length > 1 && h("button", { type: "button", onclick: back }, "← Back"),
      calls.map((call) =>
        h("button", { type: "button", onclick: (event) => go(call, event.currentTarget) }, format.capital(call.to)),
      ),
    );
  }

  /** The figures of the total; where there are several, the chosen one is drawn. */
  function tiles(answer, metrics, chosen, choose) {
    const { total, currency } = answer;
    const tile = (metric) => {
      const was = total[`${metric}_before`];
      const change = format.growth(total[`${metric}_growth`]);
      const tone = Number(total[`${metric}_difference`]) < 0 ? "down" : "up";
      const is =
        metrics.length > 1
          ? { role: "tab", type: "button", "aria-selected": String(metric === chosen), onclick: () => choose(metric) }
          : {};
      return h(
        metrics.length > 1 ? "button" : "div",
        { class: "tile", ...is },
        h("span", { class: "label" }, format.labelOf(metric)),
        h(
          "span",
          { class: total[metric] === null ? "figure unknown" : "figure" },
          format.full(metric, total[metric], currency),
          change && h("span", { class: `growth ${tone}` }, change),
        ),
        was !== undefined && h("span", { class: "before" }, `before ${format.full(metric, was, currency)}`),
      );
    };
    return h(
      "div",
      { class: metrics.length > 1 ? "tiles" : "tiles one", role: metrics.length > 1 ? "tablist" : null },
      metrics.map(tile),
    );
  }

  function titleOf(metrics, names) {
    const [first, ...others] = metrics.map(format.labelOf);
    const what = [first, ...others.map((label) => label.toLowerCase())].join(", ");
    return names.length ? `${what} ${tables.byWords(names).toLowerCase()}` : what;
  }

  /** The answer of `figures`. */
  function figuresPage(answer, asked, chosen = null) {
    const metrics = Object.keys(answer.total).filter(format.isMetric);
    const metric = chosen ?? metrics[0] ?? Object.keys(answer.total)[0];
    const { rows = [], period = {}, compared_with: before, currency } = answer;
    const grain = grainOf(rows[0]);
    const names = rows.length ? tables.namesOf(rows[0], metrics) : [];
    const title = titleOf(metrics, names);
    const isTime = grain !== null && names.length === 1;
    const span = format.days(period.first_day, period.last_day);
    const against = before ? `, compared with ${format.days(before.first_day, before.last_day)}` : "";
    const drawn = { rows, metrics, metric, grain, currency, title };
    return [
      h(
        "header",
        null,
        h("h1", null, title),
        h("p", { class: "soft" }, `${span}${period.is_unfinished && period.first_day ? ", not over" : ""}${against}`),
      ),
      chips(asked),
      tiles(answer, metrics.length ? metrics : [metric], metric, (other) => render(figuresPage(answer, asked, other))),
      isTime && charts.inTime(drawn),
      isTime && h("details", null, h("summary", null, "As a table"), tables.bars(drawn)),
      !isTime && names.length > 0 && tables.bars(drawn),
      further(answer),
      trust(answer),
    ];
  }

  /** The answer of `why`. */
  const whyPage = (answer, asked) => [
    why.header(answer),
    chips(asked),
    why.parts(answer),
    further(answer),
    trust(answer),
  ];

  function render(parts) {
    page.setAttribute("aria-busy", "false");
    page.replaceChildren(...parts.flat(Infinity).filter(Boolean));
  }

  const show = () => {
    const { answer, asked } = shown.at(-1);
    remember(answer);
    render(isWhy(answer) ? whyPage(answer, asked) : figuresPage(answer, asked));
  };

  function back() {
    shown.pop();
    show();
    page.querySelector("button")?.focus();
  }

  /** What a result says: an answer, or why there is none. */
  function answerIn(result) {
    const text = (result.content ?? []).map((part) => part.text ?? "").join("\n");
    if (result.isError) throw new Error(text.replace(PREFIX, "") || "The question has no answer.");
    return result.structuredContent ?? JSON.parse(text);
  }

  const refuse = (message) =>
    render([
      h("p", { class: "refused", role: "alert" }, message),
      shown.length > 0 && h("nav", null, h("button", { type: "button", onclick: show }, "← Back")),
    ]);

  /** Ask what was pressed, and show it. */
  async function go(call, button) {
    button.setAttribute("aria-busy", "true");
    button.disabled = true;
    try {
      shown.push({ answer: answerIn(await host.ask(call)), asked: call.arguments });
      show();
      page.querySelector("h1").setAttribute("tabindex", -1);
      page.querySelector("h1").focus();
      host.tell(`The reader now looks at the answer of ${call.tool} ${JSON.stringify(call.arguments)}.`);
    } catch (error) {
      refuse(error.message);
    }
  }

  /** What is asked for, while there is no answer yet. */
  function wait() {
    const what = given.metric ?? (given.metrics ?? []).join(", ");
    const by = (given.by ?? []).length ? ` by ${given.by.join(" and ")}` : "";
    const text = what ? `Asking for ${format.plain(what)}${format.plain(by)} …` : "Asking …";
    page.replaceChildren(h("p", { class: "soft" }, text), h("div", { class: "waiting" }, h("i"), h("i"), h("i")));
  }

  wait();
  const hears = {
    input: (asked) => {
      given = asked;
      if (!shown.length) wait();
    },
    result: (result) => {
      try {
        shown.splice(0, shown.length, { answer: answerIn(result), asked: given });
        show();
      } catch (error) {
        refuse(error.message);
      }
    },
    cancelled: () => refuse("The question was withdrawn."),
  };
  host.connect(hears).catch((error) => refuse(error.message));
})();

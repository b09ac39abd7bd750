/** Figures: the page of an answer, as the host hands it over, and of those that its reader asks for. */
(() => {
  "use strict";

  const { h, host, format, charts, rows: tables } = window.figures;
  const page = document.getElementById("page");
  const MOST_IDS = 24;
  /** The answers that were shown, the last of them now. */
  const shown = [];
  let given = {};

  const ADDS_UP = "The causes add up to the difference to the last digit.";
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
          ? { role: "tab", type: "button", "aria-selected": metric === chosen, onclick: () => choose(metric) }
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

  const byWords = (names) => `By ${names.map((name) => format.plain(name.replace(/_name$/, ""))).join(" and ")}`;

  function titleOf(metrics, names) {
    const what = metrics.map(format.labelOf).join(", ");
    return names.length ? `${what} ${byWords(names).toLowerCase()}` : what;
  }

  /** The answer of `figures`. */
  function figuresPage(answer, chosen = null) {
    const metrics = Object.keys(answer.total).filter(format.isMetric);
    const metric = chosen ?? metrics[0] ?? Object.keys(answer.total)[0];
    const { rows = [], period = {}, compared_with: before, currency } = answer;
    const grain = grainOf(rows[0]);
    const names = rows.length ? tables.namesOf(rows[0], metrics) : [];
    const title = titleOf(metrics, names);
    const isTime = grain !== null && names.length === 1;
    const span = format.days(period.first_day, period.last_day);
    const against = before ? `, compared with ${format.days(before.first_day, before.last_day)}` : "";
    const asked = { rows, metrics, metric, grain, currency, title };
    return [
      h(
        "header",
        null,
        h("h1", null, title),
        h("p", { class: "soft" }, `${span}${period.is_unfinished && period.first_day ? ", not over" : ""}${against}`),
      ),
      tiles(answer, metrics.length ? metrics : [metric], metric, (other) => render(figuresPage(answer, other))),
      isTime && charts.inTime(asked),
      isTime && h("details", null, h("summary", null, "As a table"), tables.bars(asked)),
      !isTime && names.length > 0 && tables.bars(asked),
      further(answer),
      trust(answer),
    ];
  }

  /** The orders of a cause, by number if there is one, behind a press. */
  function ordersOf({ order_ids: ids = [], fields = [] }) {
    if (!ids.length) return null;
    const more = ids.length > MOST_IDS ? ` and ${format.number(ids.length - MOST_IDS)} more` : "";
    return h(
      "details",
      null,
      h("summary", null, fields.length ? fields.map(format.plain).join(", ") : "Orders"),
      h("p", { class: "ids" }, `${ids.slice(0, MOST_IDS).join(", ")}${more}`),
    );
  }

  /** What the figure was and is, and by how much it moved. */
  function movedTile({ metric, from, to, difference, currency }) {
    const isSame = Number(difference ?? 0) === 0;
    const tone = Number(difference) < 0 ? "down" : "up";
    const [was, is] = [from, to].map(({ value }) => format.full(metric, value, currency));
    const figure = isSame ? is : format.signed(metric, difference, currency);
    return h(
      "div",
      { class: "tiles one" },
      h(
        "div",
        { class: "tile" },
        h("span", { class: "label" }, isSame ? "It did not move" : "Difference"),
        h("span", { class: `figure ${isSame ? "" : tone}` }, figure),
        !isSame && h("span", { class: "before" }, `${was} became ${is}`),
      ),
    );
  }

  /** The causes, and that they add up. */
  function causesOf({ metric, causes, residue, currency }) {
    if (!causes.length) return null;
    const parts = causes.map((cause) => ({
      name: format.capital(format.plain(cause.cause)),
      note: cause.order_count ? format.counted(cause.order_count, "order") : "",
      amount: cause.amount,
      more: ordersOf(cause),
    }));
    const rest = `${format.signed(metric, residue, currency)} is explained by no cause.`;
    return [
      tables.moved({ parts, metric, currency, label: "By cause" }),
      h("p", { class: "sum" }, Number(residue) === 0 ? ADDS_UP : rest),
    ];
  }

  /** Who made the difference. */
  function membersOf({ metric, rows = [], currency }) {
    if (!rows.length) return null;
    const names = tables.namesOf(rows[0], ["from", "to", "difference", "causes", "residue"]);
    const parts = rows.map((row) => ({ name: tables.nameOf(row, names, null), amount: row.difference }));
    return [h("h2", null, byWords(names)), tables.moved({ parts, metric, currency, label: "By member" })];
  }

  /** The answer of `why`. */
  function whyPage(answer) {
    const { metric, from, to, period, settings = [] } = answer;
    const days = period === "all_time" ? "All time" : format.capital(format.plain(period));
    const sides = [from, to].map(({ version }) => version ?? "then").join(" to ");
    return [
      h(
        "header",
        null,
        h("h1", null, `Why ${format.labelOf(metric).toLowerCase()} moved`),
        h("p", { class: "soft" }, `${days}, from ${sides}`),
      ),
      movedTile(answer),
      causesOf(answer),
      settings.map(({ setting, from: was, to: is }) => h("p", { class: "note" }, `${setting}: ${was} became ${is}`)),
      membersOf(answer),
      further(answer),
      trust(answer),
    ];
  }

  function render(parts) {
    page.setAttribute("aria-busy", "false");
    page.replaceChildren(...parts.flat(Infinity).filter(Boolean));
  }

  const show = () => {
    const answer = shown.at(-1);
    render(isWhy(answer) ? whyPage(answer) : figuresPage(answer));
  };

  function back() {
    shown.pop();
    show();
    page.querySelector("button")?.focus();
  }

  /** What a result says: an answer, or why there is none. */
  function answerIn(result) {
    const text = (result.content ?? []).map((part) => part.text ?? "").join("\n");
    if (result.isError) throw new Error(text || "The question has no answer.");
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
      shown.push(answerIn(await host.ask(call)));
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
  host.connect({
    input: (asked) => {
      given = asked;
      if (!shown.length) wait();
    },
    result: (result) => {
      try {
        shown.splice(0, shown.length, answerIn(result));
        show();
      } catch (error) {
        refuse(error.message);
      }
    },
    cancelled: () => refuse("The question was withdrawn."),
  });
})();

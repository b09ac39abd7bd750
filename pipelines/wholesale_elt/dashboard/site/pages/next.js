/** Next: who orders next, in which windows, and how often these were right. */
(() => {
  "use strict";

  const { age, days, decimals, format, load, outlook, rowsOf, view: views } = wholesale;
  const { h, useLoaded, Loaded, Empty, Icon, Menu } = wholesale.elements;
  const { Listed, Ends, Record } = wholesale.pieces.next;
  const MANAGER = "account_manager";
  const WEEK = 7;

  async function read() {
    const [tables, ends] = await Promise.all([load("next"), outlook.read()]);
    return { ...Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, rowsOf(table)])), ends };
  }

  const sum = (rows, name) => rows.reduce((total, row) => total + row[name], 0);
  const amounts = (rows, name) =>
    decimals.text(rows.reduce((total, row) => total + decimals.units(row[name] ?? "0"), 0n));
  const managerName = (id) =>
    id === null ? "Nobody" : (wholesale.meta.people[id] ?? `Account manager ${id.slice(0, 8)}`);

  /** Whose buyers are shown: those of an account manager, where buyers have any. */
  function Managers({ view, counts }) {
    const chosen = view.where[MANAGER];
    const known = [...new Set(counts.map(({ account_manager_id: id }) => id))];
    if (known.every((id) => id === null)) return null;
    const choose = (id) => views.go(views.changed(view, { where: { [MANAGER]: id === undefined ? undefined : [id] } }));
    const sorted = known.toSorted(
      (one, other) => (one === null) - (other === null) || managerName(one).localeCompare(managerName(other)),
    );
    const text = chosen ? chosen.map(managerName).join(", ") : "all account managers";
    return h`<div class="controls" role="group" aria-label="Whose buyers">
      <${Menu} label="Account manager"
          text=${h`<span class="quiet">Buyers of</span> <span dir="auto">${text}</span><${Icon} name="down" />`}>
        ${(close) => {
          const button = (key, id, name) =>
            h`<button type="button" key=${key} dir="auto"
                aria-pressed=${id === undefined ? !chosen : Boolean(chosen?.includes(id))}
                onClick=${() => (close(), choose(id))}>
              ${name}
            </button>`;
          return [
            button("all", undefined, "All account managers"),
            ...sorted.map((id) => button(id ?? "none", id, managerName(id))),
          ];
        }}
      <//>
    </div>`;
  }

  /** When those that are due order: in this week, or in the one that begins after the last known day. */
  function dueText(count, upTo) {
    const who = count === 0 ? "Nobody is" : `${format.plural(count, "buyer")} ${count === 1 ? "is" : "are"}`;
    const when = age.daysSince(upTo) <= 1 ? "this week" : `by ${format.day(days.text(days.number(upTo) + WEEK))}`;
    return `${who} due ${when}.`;
  }

  /** What became of those that were due in weeks that are over. */
  function past(weeks, isOfAll) {
    const due = sum(weeks, "due_count");
    if (due === 0) return "";
    const ordered = sum(weeks, "due_and_ordered_count");
    const who = `${isOfAll ? "" : "all "}${format.count(due)} that ${due === 1 ? "was" : "were"}`;
    const when = `due in the last ${format.plural(weeks.length, "week")}`;
    return `Of ${who} ${when}, ${format.count(ordered)} ordered in their week.`;
  }

  function Lead({ counts, weeks, upTo, isOfAll }) {
    const due = counts.filter(({ standing }) => standing === "due");
    const count = sum(due, "buyer_count");
    const isWhole = sum(due, "known_count") === count;
    const usual = `${isWhole ? "" : "at least "}${format.compact(amounts(due, "usual_amount"))}`;
    const from = format.day(days.text(days.number(upTo) + 1));
    const to = format.day(days.text(days.number(upTo) + WEEK));
    const [hoped, came] = ["due_usual_amount", "due_amount"].map((name) => format.compact(amounts(weeks, name)));
    return h`
      <p class="sentence">${dueText(count, upTo)} ${past(weeks, isOfAll)}</p>
      <p class="lead">
        Due: of buyers with about as many purchases that were silent for as long, at least half ordered within seven
        ${" "}days, here from ${from} to ${to}.
        ${count > 0 && h` Each at its usual amount they come to <b>${usual}</b>.`}
        ${
          sum(weeks, "due_count") > 0 &&
          weeks.every((week) => week.due_usual_amount !== null && week.due_amount !== null) &&
          ` In the last ${format.plural(weeks.length, "week")} the usual amounts of all that were due came to ` +
            `${hoped}, and ${came} was ordered.`
        }
      </p>
    `;
  }

  function Windows({ view, tables: { buyers, counts, ends, record, weeks } }) {
    const upTo = counts.map(({ figures_up_to: day }) => day).find(Boolean) ?? null;
    if (counts.length === 0 || upTo === null)
      return h`<${Empty} title="No buyer has ordered yet">Windows are told from the sixth purchase on.<//>`;
    const chosen = view.where[MANAGER];
    const isOf = ({ account_manager_id: id }) => !chosen || chosen.includes(id);
    const own = counts.filter(isOf);
    const isHeld = counts.some(({ standing }) => standing === "all_right_too_seldom");
    return h`
      <${Managers} view=${view} counts=${counts} />
      ${
        age.isOutdated(upTo)
          ? h`
            <p class="sentence">No window is shown: figures end ${format.plural(age.daysSince(upTo), "day")} ago.</p>
            <p class="lead">
              Windows count from the last day that is known, ${format.date(upTo)}. More than a week later they say
              ${" "}nothing.
            </p>
          `
          : h`
            <${Lead} counts=${own} weeks=${weeks} upTo=${upTo} isOfAll=${!chosen} />
            ${
              isHeld &&
              h`<p class="held"><${Icon} name="warning" /><span>
                <b>Windows are held back.</b> Of the last 200, set to be right eight times in ten, fewer than seven in
                ${" "}ten were. Who is silent beyond its own rhythm still holds.
              </span></p>`
            }
            <${Listed} view=${view} rows=${buyers.filter(isOf)} counts=${own} upTo=${upTo} />
          `
      }
      ${!age.isOutdated(upTo) && h`<${Ends} view=${view} rows=${ends} nameOf=${managerName} />`}
      <${Record} record=${record} />
      <${wholesale.parts.Foot}>
        Who is due is counted from ${format.date(upTo)}, the last whole day. Orders of one day count as one purchase.
      <//>
    `;
  }

  function Page({ view }) {
    const of = useLoaded(read, "next");
    return h`<div class="next">
      <${Loaded} of=${of} rows=${12}>${(tables) => h`<${Windows} view=${view} tables=${tables} />`}<//>
    </div>`;
  }

  wholesale.receive("pages/next", Page);
})();

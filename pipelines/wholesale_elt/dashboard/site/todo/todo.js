/** To do: the lines that wait for this reader, with their ticks and keys. */
(() => {
  "use strict";

  const { format, todo, view: views } = wholesale;
  const { h, useState, useEffect, useRef, Icon, Section, Segments, Term, Empty } = wholesale.elements;

  const A_MOMENT = 2_000;

  /** Whether a key is meant for the list, and not for a field or a menu. */
  function isForList(event) {
    return (
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey &&
      !event.target.closest?.("input:not([type=checkbox]), select, textarea, [contenteditable], .panel, dialog")
    );
  }

  /** That nothing waits, which is not known of orders without a state. */
  function Nothing({ isOfKind, stateless }) {
    if (isOfKind || !(stateless > 0))
      return h`<${Empty} title="Nothing is waiting for you">
        ${isOfKind ? "Nothing of this kind." : "No silent buyers, no orders waiting too long, no old bills."}
      <//>`;
    const [told, wait] = stateless === 1 ? ["has", "it waits"] : ["have", "they wait"];
    return h`<${Empty} title=${`${format.plural(stateless, "order")} ${told} no state`}>
      Whether ${wait} is not known. Nothing else is waiting for you.
    <//>`;
  }

  /** Keys of the list: `j` and `k` move, `x` ticks, Enter opens. */
  function useKeys({ root, lines, here, move, choose }) {
    useEffect(() => {
      const press = (event) => {
        if (!isForList(event) || lines.length === 0) return;
        const links = root.current.querySelectorAll(".task-title a");
        if (event.key === "j" || event.key === "k") {
          const next = Math.min(lines.length - 1, Math.max(0, here + (event.key === "j" ? 1 : -1)));
          move(next);
          links[next].focus();
        } else if (event.key === "x" && lines[here]) choose(lines[here]);
        else if (event.key === "Enter" && lines[here] && event.target === document.body) links[here].click();
        else return;
        event.preventDefault();
      };
      document.addEventListener("keydown", press);
      return () => document.removeEventListener("keydown", press);
    });
  }

  function Line({ line, isHere, onFocus, onTick }) {
    return h`<li data-kind=${line.kind} class=${`${["", "soon", "late"][line.urgency]} ${line.at ? "done" : ""}`}
        data-here=${isHere ? "" : undefined} onFocusIn=${onFocus}>
      <input type="checkbox" class="tick" checked=${Boolean(line.at)} aria-label=${`Done: ${line.title}`}
          onChange=${onTick} />
      <${Icon} name=${line.icon} />
      <p class="task-title"><a href=${line.href} dir="auto">${line.title}</a></p>
      <p class="why">
        ${line.at ? `Ticked ${wholesale.age.said(line.at)}.` : line.reason} <${Term} of=${line.kind} />
      </p>
      <p class="money" data-exact=${line.money}>
        ${line.money === null ? line.unit && h`<span class="unknown">Not known</span>` : format.compact(line.money)}
        <small>${line.unit}</small>
      </p>
    </li>`;
  }

  function Keys() {
    const [isKept] = useState(todo.isKept);
    return h`<p class="keys">
      <kbd>j</kbd> <kbd>k</kbd> move <kbd>x</kbd> done <kbd>↵</kbd> open ·${" "}
      ${
        isKept
          ? "A tick stays in this browser until the reason is gone."
          : "This browser keeps no ticks: they go when the page is closed."
      }
    </p>`;
  }

  /** How many lines are open for this reader; nothing while that is not known. */
  function OpenCount() {
    const [tasks, set] = useState(null);
    const ticked = todo.useTicks(tasks?.kinds);
    useEffect(() => {
      const isThere = wholesale.meta.pages.some(({ name }) => name === "today");
      // The page that is opened comes first.
      const read = () => isThere && todo.read().then(set, () => {});
      const timer = setTimeout(read, wholesale.shown.page === "today" ? 0 : A_MOMENT);
      return () => clearTimeout(timer);
    }, []);
    const count = tasks && todo.linesOf(tasks).filter((line) => !todo.tickedAt(ticked, line)).length;
    return count ? h`<span class="todo-count">${format.count(count)}<span class="hidden"> to do</span></span>` : null;
  }

  function Todo({ view, tasks }) {
    const ticked = todo.useTicks(tasks.kinds);
    const [here, move] = useState(-1);
    const root = useRef(null);
    const group = todo.GROUPS[view.own.show] ? view.own.show : "all";
    const all = todo.linesOf(tasks).map((line) => ({ ...line, at: todo.tickedAt(ticked, line) }));
    const open = all.filter((line) => !line.at);
    const lines = [...open, ...all.filter((line) => line.at)].filter((line) => group === "all" || line.group === group);
    const choose = (line) => todo.tick(tasks.kinds, line, !line.at);
    useKeys({ root, lines, here, move, choose });
    const counts = Object.entries(todo.GROUPS).map(([key, text]) => [
      key,
      text,
      open.filter((line) => line.group === key).length,
    ]);
    return h`<${Section} title="To do" note=${open.length > 0 && `${format.count(open.length)} open`}
        more=${
          all.length > 0 &&
          h`<${Segments} label="Kind" value=${group}
              options=${[["all", "All"], ...counts.filter(([key, , count]) => count > 0 || key === group)]}
              onChoose=${(key) => views.go(views.changed(view, { own: { show: key === "all" ? null : key } }))} />`
        }>
      ${
        lines.length === 0
          ? h`<${Nothing} isOfKind=${all.length > 0} stateless=${tasks.usual.stateless_count} />`
          : h`
            <ul class="tasks" ref=${root}>
              ${lines.map(
                (line, place) =>
                  h`<${Line} key=${line.key} line=${line} isHere=${place === here} onFocus=${() => move(place)}
                      onTick=${() => choose(line)} />`,
              )}
            </ul>
            <${Keys} />
          `
      }
      ${lines.length > 0 && open.length === 0 && h`<p class="note">All done. The next version looks again.</p>`}
    <//>`;
  }

  Object.assign(todo, { Todo, OpenCount });
})();

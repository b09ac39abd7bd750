/** Ticks: which tasks this reader has done, kept in the browser. */
(() => {
  "use strict";

  const { MEMBERS } = wholesale.todo;
  const { useEffect, useState } = wholesale.elements;

  const store = () => `wholesale.ticks.${wholesale.meta.company}`;
  /** What is ticked where the browser keeps nothing: it lasts as long as the page. */
  let unkept = {};

  function stored() {
    try {
      const kept = JSON.parse(localStorage.getItem(store()) ?? "{}");
      return { ...unkept, ...kept };
    } catch {
      return unkept;
    }
  }

  /** Whether this browser keeps ticks. */
  function isKept() {
    try {
      const kept = localStorage.getItem(store());
      localStorage.setItem(store(), kept ?? "{}");
      return true;
    } catch {
      return false;
    }
  }

  const membersOf = (kinds) => new Set(Object.entries(kinds).flatMap(([kind, { rows }]) => rows.map(MEMBERS[kind])));

  /** What this reader ticked, by member, with when; a tick goes when its reason is gone. */
  function ticks(kinds) {
    const present = membersOf(kinds);
    return new Map(Object.entries(stored()).filter(([member]) => present.has(member)));
  }

  /**
   * Ticks all members of a line, or takes their ticks back, beside what other windows ticked meanwhile.
   *
   * What is gone since this version is forgotten; what a window with another version ticked is not.
   */
  function tick(kinds, { members }, isDone) {
    const present = membersOf(kinds);
    const isNeeded = ([member, at]) => present.has(member) || at > wholesale.meta.published_at;
    const changed = Object.fromEntries(Object.entries(stored()).filter(isNeeded));
    const now = new Date().toISOString();
    for (const member of members) {
      if (isDone) changed[member] = now;
      else delete changed[member];
    }
    keep(changed);
    return ticks(kinds);
  }

  function keep(changed) {
    try {
      localStorage.setItem(store(), JSON.stringify(changed));
      unkept = {};
    } catch {
      unkept = changed;
    }
    window.dispatchEvent(new Event("ticked"));
  }

  /** When one member was ticked, or null; and its tick alone, wherever it is set. */
  const markedAt = (member) => stored()[member] ?? null;
  function mark(member, isDone) {
    const { [member]: _, ...others } = stored();
    keep(isDone ? { ...others, [member]: new Date().toISOString() } : others);
  }

  /** Calls `follow` whenever this window or another one ticks; gives the way to end that. */
  function watch(follow) {
    const changed = ({ key }) => (key === null || key === store()) && follow();
    window.addEventListener("storage", changed);
    window.addEventListener("ticked", follow);
    return () => {
      window.removeEventListener("storage", changed);
      window.removeEventListener("ticked", follow);
    };
  }

  /** The ticks of these kinds, followed; null while they are not read yet. */
  function useTicks(kinds) {
    const [, again] = useState(0);
    useEffect(() => watch(() => again((times) => times + 1)), []);
    return kinds ? ticks(kinds) : null;
  }

  /** When a line was ticked: when the last of its members was; null while one is open. */
  function tickedAt(ticked, { members }) {
    const times = members.map((member) => ticked.get(member));
    return times.every(Boolean) ? times.toSorted().at(-1) : null;
  }

  Object.assign(wholesale.todo, { tick, markedAt, mark, isKept, watch, useTicks, tickedAt });
})();

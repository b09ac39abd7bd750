/** Kept: what parts of a page keep in the address: how a table is sorted, what is typed, what is unfolded. */
(() => {
  "use strict";

  const { view: views } = wholesale;
  const { useEffect, useRef, useState } = wholesale.elements;
  const PAUSE = 200;

  /** The address may be newer than what is drawn. */
  const asked = (kept) => views.changed(views.parse(location.hash), { kept });

  /** A choice that is pressed, by its name: `[text, choose]`, each choice an entry of the history; null is none. */
  const useKept = (name) => [wholesale.shown.kept[name] ?? null, (text) => views.go(asked({ [name]: text }))];

  /** How many are shown of something: `[count, showMore]`. */
  function useCount(name, least, step) {
    const [text, choose] = useKept(name);
    const count = /^\d{1,6}$/.test(text ?? "") ? Math.max(least, Number(text)) : least;
    return [count, () => choose(String(count + step))];
  }

  /** A text that is typed: the address has it at once, in the same entry; what is drawn follows after a pause. */
  function useTyped(name) {
    const kept = wholesale.shown.kept[name] ?? "";
    const [typed, type] = useState(kept);
    const written = useRef(kept);
    const drawn = useRef(kept);
    const pause = useRef(0);
    useEffect(() => {
      if (kept !== drawn.current && kept !== written.current) type(kept); // Back, or a link
      drawn.current = kept;
      written.current = kept;
    }, [kept]);
    useEffect(() => () => clearTimeout(pause.current), []);
    const write = (text) => {
      type(text);
      written.current = text;
      views.put(asked({ [name]: text }));
      clearTimeout(pause.current);
      pause.current = setTimeout(wholesale.follow, PAUSE);
    };
    return [typed, write];
  }

  Object.assign(wholesale, { useKept, useCount, useTyped });
})();

/** Elements: data becomes text nodes and attributes, never markup. */
(() => {
  "use strict";

  /**
   * An element with attributes and children.
   *
   * A function listens to the event of its name; a child that is no node and no text is left out,
   * so that `condition && child` may stand in its place.
   */
  function element(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === "function") node.addEventListener(name, value);
      else if (value !== false && value !== null && value !== undefined) {
        node.setAttribute(name, value === true ? "" : value);
      }
    }
    node.append(...children.flat(Infinity).filter((child) => child instanceof Node || typeof child === "string"));
    return node;
  }

  /** A button that says, for those who do not see its surroundings, what it leads to. */
  function button(text, { run, label, title, key, style = "link" }) {
    return element(
      "button",
      { type: "button", class: style, click: run, "aria-label": label, title, "data-key": key },
      text,
    );
  }

  let numbered = 0;

  function freshId(prefix) {
    numbered += 1;
    return `${prefix}-${numbered}`;
  }

  Object.assign(wholesale, { element, button, freshId });
})();

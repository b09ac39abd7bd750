/** Data health: whether these numbers can be trusted, and why. */
(() => {
  "use strict";

  const { page, load } = wholesale;

  wholesale.pages.health = async (view, entry) => page.content(entry, page.reader(await load(entry.name), view));
})();

/** Host: messages to and from the host of this page, JSON-RPC by `postMessage` (SEP-1865, 2026-01-26). */
(() => {
  "use strict";

  const PROTOCOL = "2026-01-26";
  const NO_SUCH_METHOD = -32601;
  const waiting = new Map();
  const heard = {};
  let last = 0;
  let context = {};
  let capabilities = {};

  const post = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const notify = (method, params = {}) => post({ method, params });

  /** What the host answers; rejected with its error. */
  function request(method, params) {
    last += 1;
    const id = last;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      post({ id, method, params });
    });
  }

  /** Light or dark, and the host's font, whatever else it offers: colours have meanings here. */
  function follow(changed) {
    context = { ...context, ...changed };
    const root = document.documentElement;
    if (context.theme) root.dataset.theme = context.theme;
    const font = context.styles?.variables?.["--font-sans"];
    if (font) root.style.setProperty("--family", font);
    const { top = 0, right = 0, bottom = 0, left = 0 } = context.safeAreaInsets ?? {};
    root.style.padding = [top, right, bottom, left].map((inset) => `${inset}px`).join(" ");
    heard.context?.(context);
  }

  const notified = {
    "ui/notifications/tool-input": ({ arguments: given }) => heard.input?.(given ?? {}),
    "ui/notifications/tool-result": (result) => heard.result?.(result),
    "ui/notifications/tool-cancelled": ({ reason }) => heard.cancelled?.(reason),
    "ui/notifications/host-context-changed": follow,
  };
  const asked = { ping: () => ({}), "ui/resource-teardown": () => ({}) };

  function answer({ id, method }) {
    if (asked[method]) post({ id, result: asked[method]() });
    else post({ id, error: { code: NO_SUCH_METHOD, message: `there is no method ${method}` } });
  }

  function receive({ source, data }) {
    if (source !== window.parent || data?.jsonrpc !== "2.0") return;
    if (data.method === undefined) {
      const { resolve, reject } = waiting.get(data.id) ?? {};
      waiting.delete(data.id);
      if (data.error) reject?.(new Error(data.error.message));
      else resolve?.(data.result);
    } else if (data.id === undefined) notified[data.method]?.(data.params ?? {});
    else answer(data);
  }

  /** Tells the host how high the page is, whenever that changes. */
  function tellSize() {
    let told = "";
    new ResizeObserver(() => {
      const { width, height } = document.documentElement.getBoundingClientRect();
      const size = { width: Math.ceil(width), height: Math.ceil(height) };
      if (told === JSON.stringify(size)) return;
      told = JSON.stringify(size);
      notify("ui/notifications/size-changed", size);
    }).observe(document.documentElement);
  }

  /** `hears` is called with `input`, `result`, `cancelled` and `context`. */
  async function connect(hears) {
    Object.assign(heard, hears);
    window.addEventListener("message", receive);
    const begun = await request("ui/initialize", {
      protocolVersion: PROTOCOL,
      appInfo: { name: "wholesale figures", version: "1" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    });
    capabilities = begun.hostCapabilities ?? {};
    follow(begun.hostContext ?? {});
    notify("ui/notifications/initialized");
    tellSize();
  }

  /** Whether the host lets this page ask for more. */
  const mayAsk = () => Boolean(capabilities.serverTools);
  const ask = ({ tool, arguments: given }) => request("tools/call", { name: tool, arguments: given });

  /** What the reader looks at now, for the agent to know, where the host hands that on. */
  function tell(text) {
    if (!capabilities.updateModelContext) return;
    const refused = () => {}; // what the reader sees is right without it
    request("ui/update-model-context", { content: [{ type: "text", text }] }).catch(refused);
  }

  window.figures = { host: { connect, mayAsk, ask, tell } };
})();

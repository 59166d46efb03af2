import { formatCount } from "./format.ts";

/** A label, and a tooltip that explains it. */
export interface Term {
  readonly name: string;
  readonly help?: string | undefined;
}

/** Text of the frame around all pages, and labels that several pages use. */
export const common = {
  product: "Longhaul",
  pageTitle: (page: string) => `${page} · Longhaul`,

  nav: {
    label: "Pages",
    skip: "Skip to content",
    menu: "Menu",
    documentation: "Documentation",
    signOut: "Sign out",
    groups: { traffic: "Traffic", condensing: "Condensing", gateway: "Gateway" },
    pages: {
      overview: "Overview",
      sessions: "Sessions",
      requests: "Requests",
      strategies: "Strategies",
      presets: "Presets",
      prompts: "Prompts",
      profiles: "Profiles",
      playground: "Playground",
      upstreams: "Upstreams",
      routes: "Routes",
      keys: "API keys",
      settings: "Settings",
    },
  },
  theme: { label: "Theme", auto: "System", light: "Light", dark: "Dark" },
  signIn: {
    usedLink: "This link has been used already, or is older than an hour. Run `longhaul dashboard` for a new one.",
    help: "Run `longhaul dashboard` for a link that signs you in; each link works once. You can also paste the token from that link, or the admin token from your configuration.",
    token: "Token",
    submit: "Sign in",
  },

  errors: {
    offline:
      "The gateway is not responding. This page shows the last known data and reconnects automatically when the gateway is back.",
    unreachable: "The gateway is not responding. Check that it is running; this page retries automatically.",
    unreadable: (status: number) => `The gateway returned status ${status} with a response that this page cannot read.`,
    unexpected: "Something went wrong on this page. Reload it.",
    pageFailed: (message: string) => `This page failed to render: ${message}`,
    clipboard: "The browser blocked access to the clipboard. Select the text and copy it manually.",
  },

  simulated: {
    name: "simulated",
    help: "The built-in simulator answered, because no model is configured. Connect a client that sends its own Anthropic, OpenAI or Gemini key or login, set a vendor's API key where the gateway runs, or add an upstream and a route.",
  },

  notFound: {
    title: "Page not found",
    help: "The dashboard has no page at this address.",
    link: "Go to the overview",
  },

  range: {
    label: "Period",
    periods: { all: "All", hour: "This hour", day: "24 hours", week: "7 days", month: "30 days", custom: "Custom" },
    from: "From",
    to: "To",
    show: "Show",
  },
  export: { name: (table: string) => `Export “${table}”`, csv: "CSV", json: "JSON" },

  add: "Add",
  cancel: "Cancel",
  copied: "Copied",
  copy: "Copy",
  copyLabel: (what: string) => `Copy ${what}`,
  edit: "Edit",
  editLabel: (name: string) => `Edit ${name}`,
  loading: "Loading",
  remove: "Remove",
  retry: "Try again",
  save: "Save",
  showMore: "Show more",

  after: "After",
  before: "Before",
  tokensAfter: "Tokens after",
  tokensBefore: "Tokens before",
  beforeAfter: (before: number, after: number) =>
    before === after ? formatCount(before) : `${formatCount(before)} to ${formatCount(after)}`,
  tokensBeforeAfter: (before: number, after: number) =>
    `${before === after ? formatCount(before) : `${formatCount(before)} to ${formatCount(after)}`} tokens`,
  cost: "Cost",
  duration: "Duration",
  missing: "–",
  model: "Model",
  name: "Name",
  no: "no",
  none: "none",
  notSet: "not set",
  strategy: "Strategy",
  time: "Time",
  unknown: "unknown",
  upstream: "Upstream",
  yes: "yes",

  tokens: {
    received: { name: "Received", help: "Tokens in the client's request." },
    sent: { name: "Sent", help: "Tokens sent to the model, after condensing." },
    cached: { name: "Cached", help: "Tokens that the vendor read from its prompt cache." },
  },
  /** The parts of a prompt, by the names that the gateway counts them under. */
  promptParts: {
    system: "System prompt",
    tools: "Tools",
    text: "Text",
    calls: "Tool calls",
    results: "Tool results",
    thinking: "Thinking",
    media: "Media",
    other: "Other",
    free: "Free",
  },
  turn: (turn: number) => `Turn ${turn}`,

  connectHelp: "Point a client at this gateway and its traffic appears here.",
  connectLink: "Connect a client",
};

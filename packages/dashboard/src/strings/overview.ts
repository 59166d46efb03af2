import { plural } from "./format.ts";

const SAVED_HELP =
  "Cost of the same sessions with an unlimited context window, minus their actual cost including summaries.";
const CACHE_HELP = "Share of the tokens sent that the vendor read from its prompt cache.";

export const strings = {
  title: "Overview",
  lead: "Sessions, tokens and costs of this gateway.",
  health: {
    status: { ok: "Healthy", degraded: "Degraded", stopping: "Stopping" },
    upstreams: (count: number) => `${plural(count, "upstream")}, none failing`,
    down: (names: string) => `Failing: ${names}`,
    store: "Store available",
    storeFailed: (why: string) => `Store unavailable: ${why}`,
    simulated: "Simulated answers without a key or login",
    real: "Real models",
    warnings: (count: number) => plural(count, "warning"),
  },
  attention: {
    title: "Needs attention",
    detail: "in the last 24 hours",
    nothing: "Nothing needs attention.",
    latest: "The latest:",
    kinds: { upstream: "Upstream", alert: "Alert", key: "Key limit", window: "Window", cache: "Cache", error: "Error" },
    window: (percent: string, tokens: string) => `fills ${percent} of its window of ${tokens} tokens.`,
    windowRemedy:
      "It is condensed at its next turn if condensing is on. If it is off, turn it on or choose a larger model.",
    cache: (percent: string) => `no longer reads its prompt cache (before: ${percent} of the prompt).`,
    cacheRemedy: "Something changes at the beginning of the prompt, or pauses are longer than the cache's lifetime.",
    upstream: (failures: number, isOpen: boolean) =>
      `failed ${plural(failures, "time")} in the last hour${isOpen ? "; its circuit is open" : ""}.`,
    alertName: "Budget alert",
    alert: "was not delivered.",
    alertRemedy:
      "Check `alerts.webhook` and the server behind it. The next alert is sent when a key reaches its next threshold.",
    key: (percent: string, limit: string, period: string) =>
      `has used ${percent} of ${limit} per ${period === "usdPerDay" ? "day" : "month"}.`,
    keyRemedy: "Raise the limit, or its requests are refused when it is used up.",
    unnamedError: "Error",
    error: (requests: number, upstream: string) =>
      `in ${plural(requests, "request")}${upstream === "" ? "" : ` to ${upstream}`}.`,
  },

  stats: {
    keptAlive: { name: "Sessions kept alive", help: "Sessions that outgrew the model's context window and continued." },
    keptAliveDetail: (all: number) => `of ${plural(all, "session")}`,
    saved: { name: "Net savings", help: SAVED_HELP },
    savedDetail: (summaries: string) => `vs. sending everything, uncondensed; ${summaries} spent on summaries`,
    cost: { name: "Cost", help: "Requests and summaries, at list prices." },
    requests: "Requests",
    tokensSent: "Tokens sent",
    tokensSentDetail: (output: string) => `${output} output tokens`,
    tokensSaved: "Tokens saved",
    tokensSavedDetail: (condensations: number) => `in ${plural(condensations, "condensation")}`,
    cacheHits: { name: "Cache hit rate", help: CACHE_HELP },
    cacheHitsDetail: "of tokens sent",
    latency: {
      name: "Added latency",
      help: "Time that the gateway adds, model time excluded: median, 95th and 99th percentile.",
    },
    firstByte: {
      name: "First byte",
      help: "Time until the first byte of the answer: median, 95th and 99th percentile.",
    },
    percentiles: (p95: string, p99: string) => `p95 ${p95}, p99 ${p99}`,
    errors: "Errors",
    errorsDetail: (requests: number) => `${plural(requests, "request")} retried or failed over`,
  },
  change: {
    same: "same as the previous period",
    more: (percent: number) => `${percent}% more than the previous period`,
    less: (percent: number) => `${percent}% less than the previous period`,
  },

  charts: {
    tokens: "Tokens",
    tokensDetail: "received from clients and sent to models",
    tokensTitle: "Tokens over time",
    money: "Cost and savings",
    moneyDetail: "at list prices",
    moneyTitle: "Cost over time",
  },
  groups: {
    model: "By model",
    noModel: "no model",
    strategy: "By strategy",
    noStrategy: "not condensed",
    key: "By API key",
    noKey: "no API key",
    upstream: "By upstream",
    noUpstream: "no upstream",
    tokens: "Tokens",
    cached: { name: "Cache hits", help: CACHE_HELP },
    saved: { name: "Savings", help: SAVED_HELP },
  },

  firstRun: {
    title: "No traffic yet",
    lead: "Point a client at this gateway. Its sessions appear here automatically, with the tokens sent, the tokens saved and the cost.",
    demo: "Try the demo",
    demoDetail: "no account needed",
    demoHelp:
      "Plays a long coding session in the terminal, with a simulated model: it outgrows its window, and every turn is still answered. With `--stay`, its dashboard stays open.",
    demoCommand: "longhaul demo --fast",
    demoCopy: "the demo command",
    setup: "Connect your clients",
    setupDetail: "Claude Code, Codex, opencode, Gemini CLI, Qwen Code",
    setupHelp:
      "Finds the clients on this machine, shows every change, asks once, and lets each client send a test request.",
    setupCommand: "longhaul setup",
    setupCopy: "the setup command",
    connect:
      "To configure a client yourself, copy its lines below, or run `longhaul connect <client> --write`. If this gateway requires API keys, create one and use it in place of the key `longhaul`.",
    createKey: "Create an API key",
    clientCopy: (client: string) => `the lines for ${client}`,
  },
};

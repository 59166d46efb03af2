import { plural } from "./format.ts";

const SAVED_HELP =
  "Cost of the same sessions with an unlimited context window, minus their actual cost including summaries.";
const CACHE_HELP = "Share of the tokens sent that the vendor read from its prompt cache.";

export const strings = {
  title: "Overview",
  lead: "Sessions, tokens and costs of this gateway.",
  period: "Period",
  periods: { hour: "This hour", day: "24 hours", week: "7 days", month: "30 days" },

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
    latency: "Added latency",
    latencyDetail: "average per request, model time excluded",
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
      "The demo runs a long agent session against the built-in simulator and condenses it several times. Watch it in the terminal, or open the dashboard link that it prints.",
    demoCommand: "longhaul demo",
    demoCopy: "the demo command",
    connect:
      "To configure a client, copy its lines below, or run `longhaul connect <client> --write`. If this gateway requires API keys, create one and use it in place of the key `longhaul`.",
    createKey: "Create an API key",
    clientCopy: (client: string) => `the lines for ${client}`,
  },
};

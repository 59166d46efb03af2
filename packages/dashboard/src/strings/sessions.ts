import { plural } from "./format.ts";

/** Text of the list of sessions and of a session's page. */
export const strings = {
  title: "Sessions",
  lead: "Every conversation, newest first, and how full its context window is.",
  empty: "No sessions yet",

  columns: {
    session: "Session",
    window: { name: "Context window", help: "How much of the model's context window the latest prompt fills." },
    turns: "Turns",
    condensations: "Condensations",
    saved: "Saved",
    errors: "Errors",
    lastActive: "Last active",
    output: "Output",
    result: "Result",
  },
  subAgent: "sub-agent",
  fill: (percent: string, window: string) => `${percent} of ${window}`,
  keptAlive: "kept alive",
  keptAliveHelp: "The conversation is larger than the context window; it continues because it is condensed.",

  session: {
    title: "Session",
    all: "All sessions",
    subAgentOf: "Sub-agent of",
    truncated: (turns: number) => `Only the latest ${plural(turns, "turn")} are shown.`,
    growth: "Context size by turn",
    growthDetail: "the context window, the conversation as received, and the prompt as sent",
    window: "Context window",
    condensed: "Condensed",
    content: "Context window content",
    contentDetail: (ago: string) => `latest prompt, sent ${ago}`,
    condensations: "Condensations",
    subAgents: "Sub-agents",
    subAgentsDetail: "not included in the figures above",
    turns: "Turns",
    turnsDetail: "newest first",
  },
  stats: {
    turns: "Turns",
    failed: (turns: number) => `${turns} failed`,
    condensations: "Condensations",
    summaries: (usd: string) => `${usd} for summaries`,
    cost: "Cost",
    costDetail: "including summaries",
    saved: "Net savings",
    savedDetail: "vs. sending everything, uncondensed",
    cacheHits: "Cache hit rate",
    reused: "Reuses",
    reusedDetail: "turns sent with an earlier condensation",
  },

  remove: {
    button: "Delete session",
    title: "Delete this session?",
    help: "Deletes the events, recorded content and condensations of this session and its sub-agents. Totals are kept. The client still has the conversation; its next turn starts a new session. This cannot be undone.",
    done: "Session deleted.",
  },
};

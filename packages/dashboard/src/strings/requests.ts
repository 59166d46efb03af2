export const strings = {
  title: "Requests",
  lead: "Every request, newest first: tokens received and sent, cost and result.",
  empty: "No requests yet",
  noMatch: "No requests match these filters",
  noMatchHelp: "Choose “All” in a filter to see more.",

  filters: { all: "All", result: "Result", failed: "Errors only", succeeded: "Without errors" },
  columns: { result: "Result", session: "Session" },
  results: {
    condensed: (strategy: string) => `condensed with ${strategy}`,
    reused: (strategy: string) => `reused ${strategy} result`,
    unchanged: "unchanged",
  },

  request: {
    title: "Request",
    session: "View session",
    prompt: "Prompt sent",
    promptDetail: (window: string) => `context window: ${window} tokens`,
    facts: "Facts",
    factsDetail: "restored by an earlier condensation",
    comparison: "Before and after",
    unchanged: "sent unchanged",
    condensed: (strategy: string) => `Condensed with ${strategy}`,
    condensedDetail: (tokens: string, duration: string, cost: string) =>
      `${tokens} tokens, took ${duration}, cost ${cost}`,
    condensedCost: (actual: string, estimated: string) => `${actual} (estimated ${estimated})`,
  },
  stats: {
    status: (status: number) => `HTTP ${status}`,
    receivedDetail: "tokens",
    sentDetail: (cached: string) => `tokens, ${cached} from the prompt cache`,
    saved: (usd: string) => `${usd} saved`,
    extraCost: (usd: string) => `${usd} more than without condensing`,
    durationDetail: (firstByte: string, gateway: string) => `${firstByte} to first byte (gateway ${gateway})`,
    attempts: "Attempts",
    retried: "retried or failed over",
    firstAttempt: "no retry",
    copiedMarks: "Copied marks",
    copiedMarksDetail: "“[… left out]” marks that the model copied into its tool calls",
  },

  notRecorded: {
    title: "Request content was not recorded",
    help: "Set `contents.keep` to `condensed` or `all` to compare requests before and after condensing. Content is stored in this gateway's own database for the number of days that you configure.",
    link: "Change contents.keep",
  },
};

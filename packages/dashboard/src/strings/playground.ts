import { formatCount, plural } from "./format.ts";

/** Text of the playground, and of the previews and comparisons that several pages show. */
export const strings = {
  title: "Playground",
  lead: "See what a conversation consists of and what each strategy would do to it. Nothing is stored and no model is called.",
  drop: "Drop a session log of Claude Code, Codex, pi, Roo, Cline or the Gemini CLI here, or the body of an API request.",
  choose: "Choose file",
  messages: (messages: number) => plural(messages, "message"),
  measured: (format: string, messages: number, model: string) =>
    `${format}, ${plural(messages, "message")}, measured for ${model}`,
  limits: (tokens: number, trigger: number, target: number) =>
    `${formatCount(tokens)} tokens. Condensing starts at ${formatCount(trigger)} tokens and aims for ${formatCount(target)}.`,
  strategies: {
    title: "Results by strategy",
    detail: "dry run; select a strategy to preview it",
    recommended: (strategy: string, reason: string) => `${strategy}: ${reason}`,
    label: "Strategies",
    reduction: "Reduction",
    fits: { name: "Fits", help: "Whether the result fits the context window." },
    summaries: "Summaries",
    savings: "Savings per call",
  },
  summaryModels: "Models for the summaries",
  passes: "Passes",

  preview: {
    title: "Preview",
    detail: "dry run; nothing is saved and no model is called",
    failed: (strategy: string, why: string) => `${strategy} failed: ${why}`,
    measured: (model: string, target: number, duration: string) =>
      `Measured for ${model}. Target: ${formatCount(target)} tokens. Computed in ${duration}.`,
    window: (tokens: number) => `Context window: ${formatCount(tokens)} tokens.`,
    assumedWindow: (tokens: number) =>
      `Context window: ${formatCount(tokens)} tokens, reduced for this preview so that the conversation has to be condensed.`,
    compare: "Compare before and after",
    tokens: "Tokens",
    smaller: (percent: string) => `${percent} smaller`,
    fits: (percent: string) => `${percent} smaller, fits`,
    tooLarge: (percent: string) => `${percent} smaller, does not fit`,
    messages: "Messages",
    messagesChange: (before: number, after: number) => `${before} to ${after}`,
    savings: "Savings per call",
    summaries: "Summaries",
    summariesDetail: (cost: string, writer: string) => `${cost} with ${writer}`,
  },
  conversation: {
    label: "Conversation",
    examples: "Examples",
    recorded: "Your sessions",
    files: "Files",
    example: (name: string, messages: number) => `${name}, ${plural(messages, "message")}`,
    session: (session: string, tokens: number, ago: string) => `${session}, ${plural(tokens, "token")}, ${ago}`,
    window: "Context window (tokens)",
    windowPlaceholder: "model default",
    open: "Open file",
  },

  estimate: {
    failed: (error: string) => `No estimate: ${error}`,
    loading: "Estimating…",
    free: "$0",
    noModel: (tokens: string) => `per condensation, no model call; ${tokens} tokens`,
    about: (usd: string) => `About ${usd}`,
    unknown: "Unknown price",
    summaries: (summaries: number, writer: string, tokens: string) =>
      `per condensation, ${plural(summaries, "summary", "summaries")} by ${writer}; ${tokens} tokens`,
  },
  profileCosts: {
    title: "Summary cost by profile",
    detail: "dry run; no model is called",
    empty: "No summary needed",
    emptyHelp: "Choose a longer conversation or a smaller context window.",
    label: "Costs by profile",
    basis: (strategy: string, summaries: number, tokens: string) =>
      `Strategy ${strategy}: ${plural(summaries, "summary", "summaries")}, ${tokens}.`,
    tokens: (input: number, output: number) =>
      `${formatCount(input)} input tokens and about ${formatCount(output)} output tokens`,
    profile: "Profile",
    ownModel: "the conversation's own model",
    recommended: "recommended",
    fits: { name: "Fits", help: "Whether the model can read the whole text at once." },
    inChunks: "in chunks",
    saved: "Savings",
    savedDetail: (usd: string, percent: string) => `${usd} (${percent})`,
  },
  actualCosts: {
    title: "Estimated and actual cost",
    detail: "latest condensations of one session",
    empty: "No condensations yet",
    emptyHelp: "After this strategy has condensed a session, estimated and actual costs are compared here.",
    estimated: "Estimated",
    actual: "Actual",
    difference: "Difference",
    same: "as estimated",
    unexpected: "more than estimated",
    more: (percent: string) => `${percent} more`,
    less: (percent: string) => `${percent} less`,
  },

  rows: {
    title: "Before and after",
    layout: "Layout",
    sideBySide: "Side by side",
    inline: "Inline",
    showAll: "Show full text",
    label: (role: string, kind: string, change: string) => `${role}, ${kind}, ${change}`,
    kind: (kind: string, name: string) => `${kind} · ${name}`,
    changes: {
      kept: "kept",
      referenced: "deduplicated",
      shortened: "shortened",
      suppressed: "suppressed",
      summarised: "summarized",
      dropped: "dropped",
      added: "added",
    },
  },
  waterfall: {
    earlier: "Earlier condensation",
    operation: (operation: string, edits: number) => `${operation}: ${plural(edits, "edit")}`,
    spent: (duration: string, cost: string) => ` · ${duration} · ${cost}`,
    dry: (duration: string) => ` · ${duration}`,
    facts: "Facts",
    retained: (retained: number, found: number, restored: number) =>
      `${retained} of ${found} paths, names, numbers and constraints survived the summary; ${restored} restored.`,
  },
};

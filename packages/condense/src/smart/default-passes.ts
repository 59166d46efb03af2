import type { PassConfig } from "./pass-schema.ts";

const KEEP = { operation: "keep" } as const;

/** What `smart` does where nobody says otherwise: what tools answered and were called with gives way, oldest first, and what was said stays. */
export const DEFAULT_PASSES: PassConfig[] = [
  {
    id: "truncate-results",
    name: "Truncate older results",
    selection: { type: "preserve_recent", keepRecentCount: 20 },
    mode: "individual",
    individualConfig: {
      defaults: {
        messageText: KEEP,
        toolParameters: KEEP,
        toolResults: { operation: "truncate", maxLines: 20 },
      },
      overrides: [],
    },
    execution: { type: "always" },
  },
  {
    id: "truncate-arguments",
    name: "Truncate older arguments",
    selection: { type: "preserve_recent", keepRecentCount: 20 },
    mode: "individual",
    individualConfig: {
      defaults: {
        messageText: KEEP,
        toolParameters: { operation: "truncate", maxChars: 300 },
        toolResults: KEEP,
      },
      overrides: [],
    },
    execution: { type: "always" },
  },
  {
    id: "suppress-results",
    name: "Suppress older results",
    selection: { type: "preserve_recent", keepRecentCount: 10 },
    mode: "individual",
    individualConfig: {
      defaults: { messageText: KEEP, toolParameters: KEEP, toolResults: { operation: "suppress" } },
      overrides: [],
    },
    execution: { type: "always" },
  },
  {
    id: "truncate-answers",
    name: "Truncate older answers",
    selection: { type: "preserve_recent", keepRecentCount: 10 },
    mode: "individual",
    individualConfig: {
      defaults: {
        messageText: { operation: "truncate", maxChars: 600 },
        toolParameters: { operation: "truncate", maxChars: 100 },
        toolResults: KEEP,
      },
      overrides: [],
    },
    execution: { type: "always" },
  },
];

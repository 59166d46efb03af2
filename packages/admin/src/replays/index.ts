export * from "./prompts.ts";
export * from "./session-analysis.ts";

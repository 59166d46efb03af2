export * from "./build-context.ts";
export type { CompressOptions, ContextOptions, ContextResult } from "./context-options.ts";
export * from "./context-state.ts";

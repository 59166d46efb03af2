export * from "./build-context.ts";
export * from "./context-state.ts";

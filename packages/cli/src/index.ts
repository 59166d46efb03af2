export * from "./program.ts";
export * from "./terminal.ts";

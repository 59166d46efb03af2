export * from "./program.ts";
export * from "./terminal/terminal.ts";

export * from "./config-file.ts";
export * from "./server.ts";

export * from "./config-file.ts";
export * from "./describe-config.ts";
export * from "./server.ts";

export * from "./config.ts";
export * from "./environment-config.ts";
export * from "./interpolate.ts";
export * from "./parse-config.ts";

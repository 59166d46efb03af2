export * from "./config.ts";
export * from "./config-json-schema.ts";
export * from "./context-config.ts";
export * from "./environment-config.ts";
export * from "./environment-overrides.ts";
export * from "./interpolate.ts";
export * from "./parse-config.ts";
export * from "./reasoning-config.ts";

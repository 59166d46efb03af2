export * from "./json.ts";
export * from "./lru-map.ts";
export * from "./parse-json-text.ts";

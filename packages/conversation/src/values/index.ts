export * from "./json.ts";
export * from "./lru-map.ts";
export * from "./parse-json-text.ts";
export { MAX_UTF8_BYTES, utf8Writer } from "./utf8.ts";

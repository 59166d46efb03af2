export * from "./contract/coordination.ts";
export * from "./contract/events.ts";
export * from "./contract/keys.ts";
export * from "./contract/settings.ts";
export * from "./contract/store.ts";
export * from "./open-store.ts";
export { measuresOfCondensation, measuresOfRequest, perMeasure } from "./sql/totals.ts";

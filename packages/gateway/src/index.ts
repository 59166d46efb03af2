export * from "./configuration/check-config.ts";
export * from "./configuration/config-file.ts";
export * from "./configuration/watch-file.ts";
export { listen } from "./listen.ts";
export type { FinishedRequest, Log, Reloaded } from "./logging/log.ts";
export type { Siblings } from "./observing.ts";
export * from "./server.ts";

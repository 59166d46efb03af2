export * from "./configuration/check-config.ts";
export * from "./configuration/config-file.ts";
export * from "./configuration/watch-file.ts";
export * from "./gateway.ts";
export { listen } from "./http/listen.ts";
export { lockedOutWarning, requiresKeys } from "./keys/access.ts";
export type { FinishedRequest, Log, Reloaded } from "./logging/log.ts";
export type { Siblings } from "./observing.ts";

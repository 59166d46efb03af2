export { mintToken as mintAdminToken } from "./admin/sign-in.ts";
export * from "./check-config.ts";
export * from "./config-file.ts";
export * from "./describe-config.ts";
export type { LiveChange, LiveSettings } from "./live-settings.ts";
export type { FinishedRequest, Log, Reloaded } from "./logging/log.ts";
export * from "./server.ts";
export * from "./store-place.ts";
export * from "./watch-file.ts";

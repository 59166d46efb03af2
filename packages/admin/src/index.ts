export type { AdminHost, AdminSnapshot } from "./host/admin-host.ts";
export { type ChangeFeed, openChangeFeed } from "./host/change-feed.ts";
export * from "./host/gateway-key.ts";
export { type LiveChange, LiveSettings } from "./host/live-settings.ts";
export { mintToken as mintAdminToken } from "./host/sign-in.ts";
export { describeAdminApi } from "./http/all-routes.ts";
export { type Admin, openAdmin } from "./open-admin.ts";
export { type TestedUpstream, testUpstream } from "./routes/test-upstream.ts";

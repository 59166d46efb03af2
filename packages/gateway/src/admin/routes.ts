import { EVENTS_ROUTES } from "./events-routes.ts";
import type { Route } from "./route.ts";
import { SETTINGS_ROUTES } from "./settings-routes.ts";
import { SIGN_IN_ROUTES } from "./sign-in-routes.ts";
import { STREAM_ROUTES } from "./stream-routes.ts";

/** Everything that the admin API does. */
export const ROUTES: readonly Route[] = [...SIGN_IN_ROUTES, ...SETTINGS_ROUTES, ...EVENTS_ROUTES, ...STREAM_ROUTES];

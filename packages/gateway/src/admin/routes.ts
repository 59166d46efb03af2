import { EVENTS_ROUTES } from "./events-routes.ts";
import { HEALTH_ROUTES } from "./health-routes.ts";
import { KEY_ROUTES } from "./key-routes.ts";
import { PRESET_ROUTES } from "./preset-routes.ts";
import { PREVIEW_ROUTES } from "./preview-routes.ts";
import { PROFILE_ROUTES } from "./profile-routes.ts";
import { PROMPT_ROUTES } from "./prompt-routes.ts";
import { REQUEST_ROUTES } from "./request-routes.ts";
import type { Route } from "./route.ts";
import { SETTINGS_ROUTES } from "./settings-routes.ts";
import { SIGN_IN_ROUTES } from "./sign-in-routes.ts";
import { STRATEGY_ROUTES } from "./strategy-routes.ts";
import { STREAM_ROUTES } from "./stream-routes.ts";
import { UPSTREAM_ROUTES } from "./upstream-routes.ts";

/** Everything that the admin API does. */
export const ROUTES: readonly Route[] = [
  ...SIGN_IN_ROUTES,
  ...HEALTH_ROUTES,
  ...SETTINGS_ROUTES,
  ...UPSTREAM_ROUTES,
  ...PROFILE_ROUTES,
  ...PRESET_ROUTES,
  ...STRATEGY_ROUTES,
  ...PROMPT_ROUTES,
  ...KEY_ROUTES,
  ...EVENTS_ROUTES,
  ...REQUEST_ROUTES,
  ...PREVIEW_ROUTES,
  ...STREAM_ROUTES,
];

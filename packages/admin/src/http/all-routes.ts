import type { JsonObject } from "@longhaul/conversation";
import { ATTENTION_ROUTES } from "../routes/attention-routes.ts";
import { EVENTS_ROUTES } from "../routes/event-routes.ts";
import { KEY_ROUTES } from "../routes/key-routes.ts";
import { MATCH_ROUTES } from "../routes/match-routes.ts";
import { PRESET_ROUTES } from "../routes/preset-routes.ts";
import { PREVIEW_ROUTES } from "../routes/preview-routes.ts";
import { PROFILE_ROUTES } from "../routes/profile-routes.ts";
import { REPEAT_ROUTES } from "../routes/repeat-routes.ts";
import { type Route, route } from "../routes/route.ts";
import { SESSION_ROUTES } from "../routes/session-routes.ts";
import { SETTINGS_ROUTES } from "../routes/settings-routes.ts";
import { SIGN_IN_ROUTES } from "../routes/sign-in-routes.ts";
import { HEALTH_ROUTES, STREAM_ROUTES } from "../routes/status-routes.ts";
import { STRATEGY_ROUTES } from "../routes/strategy-routes.ts";
import { UPSTREAM_ROUTES } from "../routes/upstream-routes.ts";
import { describeApi } from "./openapi.ts";

const ROUTES: readonly Route[] = [
  ...SIGN_IN_ROUTES,
  ...HEALTH_ROUTES,
  ...SETTINGS_ROUTES,
  ...UPSTREAM_ROUTES,
  ...MATCH_ROUTES,
  ...PROFILE_ROUTES,
  ...PRESET_ROUTES,
  ...STRATEGY_ROUTES,
  ...KEY_ROUTES,
  ...EVENTS_ROUTES,
  ...SESSION_ROUTES,
  ...REPEAT_ROUTES,
  ...ATTENTION_ROUTES,
  ...PREVIEW_ROUTES,
  ...STREAM_ROUTES,
];

const DESCRIPTION: Route = route("GET", "/openapi.json", {
  summary: "Returns this API's OpenAPI document.",
  answer: { contentType: "application/json" },
  run: async () => Response.json(describeAdminApi()),
});

export const ALL_ROUTES: readonly Route[] = [...ROUTES, DESCRIPTION];

/** Returns the admin API as an OpenAPI document. */
export function describeAdminApi(): JsonObject {
  return describeApi(ALL_ROUTES);
}

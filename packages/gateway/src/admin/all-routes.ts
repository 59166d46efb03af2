import type { JsonObject } from "@longhaul/conversation";
import { describeApi } from "./openapi.ts";
import { type Route, route } from "./route.ts";
import { ROUTES } from "./routes.ts";

const DESCRIPTION: Route = route({
  method: "GET",
  path: "/openapi.json",
  scope: "admin",
  summary: "Describes this API.",
  answer: { contentType: "application/json" },
  run: async () => Response.json(describeAdminApi()),
});

/** Everything that the admin API does, its own description too. */
export const ALL_ROUTES: readonly Route[] = [...ROUTES, DESCRIPTION];

/** The admin API as an OpenAPI document. */
export function describeAdminApi(): JsonObject {
  return describeApi(ALL_ROUTES);
}

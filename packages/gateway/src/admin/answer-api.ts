import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { ALL_ROUTES } from "./all-routes.ts";
import { makeAdminApp } from "./app.ts";
import type { AdminContext } from "./context.ts";

/** What answers the requests under `/api`. */
export function makeApiListener(
  context: AdminContext,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return getRequestListener(makeAdminApp(ALL_ROUTES, context).fetch, { overrideGlobalObjects: false });
}

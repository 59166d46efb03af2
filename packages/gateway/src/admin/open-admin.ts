import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { makeAdminApp } from "./app.ts";
import type { AdminContext } from "./context.ts";
import { describeApi } from "./openapi.ts";
import { type Route, route } from "./route.ts";
import { ROUTES } from "./routes.ts";

/** Answers a request under `/api`. Never rejects. */
export type AnswerAdmin = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Opens the admin API over a running gateway. */
export function openAdmin(context: AdminContext): AnswerAdmin {
  const all = [...ROUTES, DESCRIPTION];
  const listen = getRequestListener(makeAdminApp(all, context).fetch, { overrideGlobalObjects: false });
  return async (request, response) => {
    await listen(request, response);
  };
}

const DESCRIPTION: Route = route({
  method: "GET",
  path: "/openapi.json",
  scope: "admin",
  summary: "Describes this API.",
  answer: { contentType: "application/json" },
  run: async () => Response.json(describeApi([...ROUTES, DESCRIPTION])),
});

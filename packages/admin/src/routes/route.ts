import type { z } from "zod";
import type { AdminHost } from "../host/admin-host.ts";
import type { SignIn } from "../host/sign-in.ts";
import type { Previews } from "../previews/preview-thread.ts";

/** A route of the admin API as data. The app, the OpenAPI document and tests are made from these. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Under `/api`; names in it such as `:id` are in `params`. */
  readonly path: string;
  /** An open route needs no sign-in. */
  readonly scope: "admin" | "open";
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Limit of the body. @default 1 MiB */
  readonly maxBytes?: number;
  /** The schema of a JSON answer, or the content type of any other. */
  readonly answer: z.ZodType | { readonly contentType: string };
  /** Runs with a checked query and body. A `Response` is sent unchanged. */
  run(asked: RouteRequest<unknown, unknown>, context: AdminContext): Promise<unknown>;
}

interface RouteRequest<Query, Body> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly request: Request;
  readonly address: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

interface RouteOptions<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType>
  extends Pick<Route, "summary" | "maxBytes"> {
  /** @default "admin" */
  readonly scope?: Route["scope"];
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: Answer | { readonly contentType: string };
  run(asked: RouteRequest<z.output<Query>, z.output<Body>>, context: AdminContext): Promise<z.input<Answer> | Response>;
}

/** Makes a route. Its function may rely on the schemas' types, because the app parses with them. */
export function route<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType>(
  method: Route["method"],
  path: string,
  options: RouteOptions<Query, Body, Answer>,
): Route {
  return { scope: "admin", ...options, method, path };
}

export interface AdminContext extends AdminHost {
  readonly signIn: SignIn;
  readonly previews: Previews;
}

/** Makes a response that a browser saves as a file and never displays. */
export function sendFile(name: string, text: string): Response {
  const safeName = name.replace(/[^\w.-]+/g, "-");
  return new Response(text, {
    headers: { "content-type": "application/json", "content-disposition": `attachment; filename="${safeName}"` },
  });
}

import type { z } from "zod";
import type { AdminHost } from "../host/admin-host.ts";
import type { SignIn } from "../host/sign-in.ts";
import type { Previews } from "../previews/preview-thread.ts";

type Scope = "admin" | "open";

/** A route of the admin API as data. The app, the OpenAPI document and tests are made from these. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Under `/api`; names in it such as `:id` are in `params`. */
  readonly path: string;
  readonly scope: Scope;
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

interface TypedRoute<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType>
  extends Omit<Route, "query" | "body" | "answer" | "run"> {
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: Answer | { readonly contentType: string };
  run(asked: RouteRequest<z.output<Query>, z.output<Body>>, context: AdminContext): Promise<z.input<Answer> | Response>;
}

/** Makes a route. Its function may rely on the schemas' types, because the app parses with them. */
export function route<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType>(
  typed: TypedRoute<Query, Body, Answer>,
): Route {
  return typed;
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

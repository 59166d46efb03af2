import type { z } from "zod";
import type { AdminHost } from "../host/admin-host.ts";
import type { Previews } from "../previews/previews.ts";
import type { SignIn } from "../sign-in/sign-in.ts";

/** What a route may be asked without: a signed-in admin, or nothing. */
type Scope = "admin" | "open";

/** One thing that the admin API does, as data: the app, its description and its tests are made of these. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Under `/api`; names in it such as `:id` are in `params`. */
  readonly path: string;
  readonly scope: Scope;
  /** What it does, in one sentence. */
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Largest body. @default 1 MiB */
  readonly maxBytes?: number;
  /** What is answered; a route that answers something else than JSON says what. */
  readonly answer: z.ZodType | { readonly contentType: string };
  /** What the app calls, with a query and a body that were checked. A `Response` is sent as it is. */
  run(asked: Asked<unknown, unknown>, context: AdminContext): Promise<unknown>;
}

/** A request to the admin API, checked. */
interface Asked<Query, Body> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly request: Request;
  /** The network address that it came from. */
  readonly address: string;
  /** Ends when the client goes away. */
  readonly signal: AbortSignal;
}

/** A route whose function gets its query and body as their schemas say. */
interface TypedRoute<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType>
  extends Omit<Route, "query" | "body" | "answer" | "run"> {
  readonly query?: Query;
  readonly body?: Body;
  readonly answer: Answer | { readonly contentType: string };
  run(asked: Asked<z.output<Query>, z.output<Body>>, context: AdminContext): Promise<z.input<Answer> | Response>;
}

/** Makes a route: its function sees what its schemas say, because the app has parsed both with them. */
export function route<Query extends z.ZodType, Body extends z.ZodType, Answer extends z.ZodType>(
  typed: TypedRoute<Query, Body, Answer>,
): Route {
  return typed;
}

/** What routes work on: the running gateway, and what the admin API itself keeps open. */
export interface AdminContext extends AdminHost {
  readonly signIn: SignIn;
  readonly previews: Previews;
}

/** A file that a browser saves and never shows. */
export function sendFile(name: string, text: string): Response {
  const plain = name.replace(/[^\w.-]+/g, "-");
  return new Response(text, {
    headers: { "content-type": "application/json", "content-disposition": `attachment; filename="${plain}"` },
  });
}

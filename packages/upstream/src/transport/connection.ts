import { LonghaulError } from "@longhaul/conversation";
import type { Dispatcher } from "undici";
import { googleTokens } from "../requests/google-token.ts";
import { prepare } from "../requests/prepare.ts";
import type { Outgoing, Upstream } from "../requests/upstream.ts";
import { type DispatchContext, dispatch, type RawAnswer } from "./dispatch.ts";
import { eventFrames } from "./event-frames.ts";
import { unpack } from "./unpack.ts";

/** An upstream's answer: status and headers at once, the body as it arrives. */
export interface Incoming {
  readonly status: number;
  /** By lower-case name; several values of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Server-sent events or one whole body. A failure while reading throws a `LonghaulError`. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Connections to one upstream, kept open between requests. */
export interface Connection {
  readonly upstream: Upstream;
  /** Sends a request. Aborting the signal ends it at any time. */
  send(outgoing: Outgoing, signal: AbortSignal): Promise<Incoming>;
  /** Waits for running requests, then closes. */
  close(): Promise<void>;
}

/** The clock and the environment that a connection depends on. */
export interface ConnectionContext {
  readonly nowSeconds: () => number;
  /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, and `NODE_EXTRA_CA_CERTS`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Opens connections to an upstream. Nothing is sent, and the HTTP client is not loaded, before the first request. */
export function openConnection(upstream: Upstream, context: ConnectionContext): Connection {
  let opened: Promise<Dispatcher> | undefined;
  const open = () => {
    opened ??= openDispatcher(upstream, context.environment);
    return opened;
  };
  const token = googleTokenOf(upstream, open, context);
  return {
    upstream,
    send: async (outgoing, signal) => {
      const dispatcher = await open();
      const prepared = await prepare(upstream, outgoing, token);
      const explain: DispatchContext["explain"] = (error, hasBegun) => networkError(error, upstream, hasBegun);
      const answer = unpack(await dispatch(dispatcher, prepared, { signal, explain }));
      if (answer.status >= 300 && answer.status < 400) throw await redirected(answer, upstream);
      const isFramed = upstream.deployment.frames !== undefined && outgoing.stream && answer.status === 200;
      return isFramed ? { ...answer, body: eventFrames(answer.body) } : answer;
    },
    close: async () => {
      // The error was thrown to the caller of `send`.
      const dispatcher = await opened?.catch(() => undefined);
      await dispatcher?.close();
    },
  };
}

/** A redirect is not followed, because the credential would be sent along, nor passed on, because it bypasses the gateway. */
async function redirected({ status, headers, body }: RawAnswer, { id }: Upstream): Promise<LonghaulError> {
  await body[Symbol.asyncIterator]().return?.();
  const cause = new Error(`status ${status}, location ${headers.location ?? "not given"}`);
  return new LonghaulError(
    "upstream.broken",
    `upstream "${id}" answered with redirect ${status}, which is not followed; set upstreams.${id}.baseUrl to the final address`,
    { cause },
  );
}

/** Loading Undici takes a tenth of the gateway's start time, and a start sends nothing. */
async function openDispatcher(upstream: Upstream, environment: ConnectionContext["environment"]): Promise<Dispatcher> {
  const { makeDispatcher } = await import("./dispatcher.ts");
  try {
    return makeDispatcher(upstream, environment);
  } catch (error) {
    throw networkError(error instanceof Error ? error : new Error(String(error)), upstream);
  }
}

function googleTokenOf(upstream: Upstream, open: () => Promise<Dispatcher>, { nowSeconds }: ConnectionContext) {
  const { auth } = upstream;
  if (auth.kind !== "google") return undefined;
  const postForm = async (url: string, form: string) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const { origin, pathname, search } = new URL(url);
    const dispatcher = await open();
    const answer = await dispatcher
      .request({ origin, path: pathname + search, method: "POST", headers, body: form })
      .catch((error: Error) => {
        throw networkError(error, upstream);
      });
    return { status: answer.statusCode, body: await answer.body.json().catch(() => undefined) };
  };
  return googleTokens(auth.account, { postForm, nowSeconds });
}

/** Describes a network error. Addresses stay in the cause, which only the log shows. */
function networkError(error: Error, { id, timeouts }: Upstream, hasBegun = false): LonghaulError {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const details = { cause: error };
  if (code === "UND_ERR_HEADERS_TIMEOUT") {
    const message = `upstream "${id}" did not answer within ${timeouts.firstByteMs / 1000} s (timeouts.firstByteSeconds); try again`;
    return new LonghaulError("upstream.timeout", message, details);
  }
  if (code === "UND_ERR_BODY_TIMEOUT") {
    const message = `upstream "${id}" sent nothing for ${timeouts.idleMs / 1000} s (timeouts.idleSeconds); try again`;
    return new LonghaulError("upstream.timeout", message, details);
  }
  if (hasBegun) {
    return new LonghaulError("upstream.broken", `upstream "${id}" ended its response early; try again`, details);
  }
  return new LonghaulError(
    "upstream.unreachable",
    `upstream "${id}" cannot be reached: ${reasonOf(code)}; check upstreams.${id}.baseUrl and the network`,
    details,
  );
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ENOTFOUND", "unknown host name"],
  ["EAI_AGAIN", "host name lookup failed"],
  ["UND_ERR_CONNECT_TIMEOUT", "connection timed out"],
  ["ECONNRESET", "connection closed"],
  ["UND_ERR_SOCKET", "connection closed"],
]);

function reasonOf(code: string): string {
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return "invalid certificate";
  if (code.startsWith("HPE_")) return "the response is not HTTP";
  return REASONS.get(code) ?? "the connection failed";
}

/** Returns an error's message with the addresses and system errors behind it, for operators. */
export function messageForOperators(error: LonghaulError): string {
  const { message, cause, code } = error;
  const isOfNetwork = code.startsWith("upstream.") && cause instanceof Error && cause.message !== "";
  return isOfNetwork ? `${message} (${cause.message})` : message;
}

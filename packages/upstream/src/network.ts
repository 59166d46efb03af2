import { LonghaulError } from "@longhaul/conversation";
import type { Dispatcher } from "undici";
import { dispatch } from "./dispatch.ts";
import { eventFrames } from "./event-frames.ts";
import { googleTokens } from "./google-token.ts";
import { prepare } from "./prepare.ts";
import type { Outgoing, Upstream } from "./upstream.ts";

/** An upstream's answer: status and headers at once, the body as it arrives. */
export interface Incoming {
  readonly status: number;
  /** By lower-case name; several values of one name are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Server-sent events or one whole body; a failure on the way throws a `LonghaulError`. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Connections to one upstream, kept open between requests. */
export interface Connection {
  readonly upstream: Upstream;
  /** Sends a request; aborting the signal ends it at once, at any time. */
  send(outgoing: Outgoing, signal: AbortSignal): Promise<Incoming>;
  /** Waits for requests under way, then closes. */
  close(): Promise<void>;
}

/** What a connection takes from outside. */
export interface NetworkContext {
  readonly nowSeconds: () => number;
  /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, and `NODE_EXTRA_CA_CERTS`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Opens connections to an upstream; nothing is sent, nor is what sends it loaded, before the first request. */
export function openConnection(upstream: Upstream, context: NetworkContext): Connection {
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
      const explain = (error: Error) => networkError(error, upstream);
      const answer = await dispatch(dispatcher, prepared, { signal, explain });
      const isFramed = upstream.deployment.frames !== undefined && outgoing.stream && answer.status === 200;
      return isFramed ? { ...answer, body: eventFrames(answer.body) } : answer;
    },
    close: async () => {
      // One that could not be opened was told to whoever wanted to send.
      const dispatcher = await opened?.catch(() => undefined);
      await dispatcher?.close();
    },
  };
}

/** Undici takes a tenth of the time in which a gateway starts, and a start sends nothing. */
async function openDispatcher(upstream: Upstream, environment: NetworkContext["environment"]): Promise<Dispatcher> {
  const { makeDispatcher } = await import("./dispatcher.ts");
  try {
    return makeDispatcher(upstream, environment);
  } catch (error) {
    throw networkError(error instanceof Error ? error : new Error(String(error)), upstream);
  }
}

function googleTokenOf(
  upstream: Upstream,
  open: () => Promise<Dispatcher>,
  { nowSeconds }: NetworkContext,
): (() => Promise<string>) | undefined {
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

/** What went wrong on the network, in our words. */
function networkError(error: Error, { id, timeouts }: Upstream): LonghaulError {
  const code = "code" in error ? error.code : undefined;
  if (code === "UND_ERR_HEADERS_TIMEOUT") {
    return new LonghaulError(
      "upstream.timeout",
      `upstream "${id}" did not answer within ${timeouts.firstByteMs / 1000} s`,
      { cause: error },
    );
  }
  if (code === "UND_ERR_BODY_TIMEOUT") {
    return new LonghaulError("upstream.timeout", `upstream "${id}" was silent for ${timeouts.idleMs / 1000} s`, {
      cause: error,
    });
  }
  return new LonghaulError("upstream.unreachable", `upstream "${id}" cannot be reached: ${error.message}`, {
    cause: error,
  });
}

import { readFileSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { LonghaulError } from "@longhaul/conversation";
import { Agent, type Dispatcher, EnvHttpProxyAgent, errors, request } from "undici";
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

/** Opens connections to an upstream; nothing is sent yet. */
export function openConnection(upstream: Upstream, context: NetworkContext): Connection {
  const dispatcher = makeDispatcher(upstream, context);
  const token = googleTokenOf(upstream, dispatcher, context);
  return {
    upstream,
    send: async (outgoing, signal) => {
      const prepared = await prepare(upstream, outgoing, token);
      const explain = (error: Error) => networkError(error, upstream);
      const answer = await dispatch(dispatcher, prepared, { signal, explain });
      const isFramed = upstream.deployment.frames !== undefined && outgoing.stream && answer.status === 200;
      return isFramed ? { ...answer, body: eventFrames(answer.body) } : answer;
    },
    close: () => dispatcher.close(),
  };
}

function makeDispatcher({ timeouts }: Upstream, { environment }: NetworkContext): Dispatcher {
  const options = {
    headersTimeout: timeouts.firstByteMs,
    bodyTimeout: timeouts.idleMs,
    connect: { timeout: timeouts.connectMs, ...extraCertificates(environment) },
    allowH2: false,
  };
  const isProxied = PROXY_VARIABLES.some((name) => environment[name]);
  return isProxied ? new EnvHttpProxyAgent({ ...options, ...proxies(environment) }) : new Agent(options);
}

const PROXY_VARIABLES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"] as const;

function proxies(environment: NetworkContext["environment"]): {
  httpProxy?: string;
  httpsProxy?: string;
  noProxy?: string;
} {
  const given = {
    httpProxy: environment.HTTP_PROXY ?? environment.http_proxy,
    httpsProxy: environment.HTTPS_PROXY ?? environment.https_proxy,
    noProxy: environment.NO_PROXY ?? environment.no_proxy,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value));
}

function extraCertificates(environment: NetworkContext["environment"]): { ca?: string[] } {
  const file = environment.NODE_EXTRA_CA_CERTS;
  return file ? { ca: [...rootCertificates, readFileSync(file, "utf8")] } : {};
}

function googleTokenOf(
  upstream: Upstream,
  dispatcher: Dispatcher,
  { nowSeconds }: NetworkContext,
): (() => Promise<string>) | undefined {
  const { auth } = upstream;
  if (auth.kind !== "google") return undefined;
  const postForm = async (url: string, form: string) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await request(url, { dispatcher, method: "POST", headers, body: form }).catch((error: Error) => {
      throw networkError(error, upstream);
    });
    return { status: answer.statusCode, body: await answer.body.json().catch(() => undefined) };
  };
  return googleTokens(auth.account, { postForm, nowSeconds });
}

/** What went wrong on the network, in our words. */
function networkError(error: Error, { id, timeouts }: Upstream): LonghaulError {
  if (error instanceof errors.HeadersTimeoutError) {
    return new LonghaulError(
      "upstream.timeout",
      `upstream "${id}" did not answer within ${timeouts.firstByteMs / 1000} s`,
      { cause: error },
    );
  }
  if (error instanceof errors.BodyTimeoutError) {
    return new LonghaulError("upstream.timeout", `upstream "${id}" was silent for ${timeouts.idleMs / 1000} s`, {
      cause: error,
    });
  }
  return new LonghaulError("upstream.unreachable", `upstream "${id}" cannot be reached: ${error.message}`, {
    cause: error,
  });
}

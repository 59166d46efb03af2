import type { WireId } from "@longhaul/conversation";
import {
  type Destination,
  decode,
  type FitContext,
  type FitRequest,
  type FitState,
  type Fitted,
  fit,
  openFitRequest,
  type Pressure,
} from "@longhaul/fit";
import { BENCH_MODEL } from "@longhaul/fit/testing";
import type { Store } from "@longhaul/store";
import type { Snapshot } from "../configuration/snapshot.ts";
import type { Memory } from "../memory/memory.ts";
import { findEndpoint } from "../request/endpoints.ts";
import type { Call } from "../request/request-context.ts";
import { resolve } from "../stages/resolve.ts";
import { makeCaller } from "./caller.ts";
import { makeMemory } from "./memory.ts";
import { makeSnapshot } from "./snapshot.ts";

export { BENCH_MODEL, makeChat } from "@longhaul/fit/testing";

/** How a bench differs from the default. */
export interface FitBenchOptions {
  readonly model?: string;
  /** The client's format. @default anthropic-messages */
  readonly wire?: WireId;
  /** Tokens of the model's window. @default 4,000 */
  readonly window?: number;
  /** Other catalog fields of the model. */
  readonly facts?: object;
  readonly context?: object;
  /** Other keys of the configuration. */
  readonly config?: object;
  /** @default a clock that advances by a millisecond with each reading */
  readonly nowMs?: () => number;
  /** @default a new store */
  readonly store?: Store;
}

/** Everything that fitting needs, without an upstream. */
export interface FitBench {
  readonly memory: Memory;
  readonly state: FitState;
  readonly snapshot: Snapshot;
  readonly destination: Destination;
  /** The log lines. */
  readonly lines: readonly string[];
  fitRequest(body: object, headers?: Readonly<Record<string, string>>, pressure?: Pressure): Promise<FitRequest>;
  /** Fits a request; summaries fail by default. */
  fit(body: object, context?: Partial<FitContext>): Promise<Fitted>;
  call(body: object | string, headers?: Readonly<Record<string, string>>): Call;
}

/** Opens a bench. */
export async function openFitBench(options: FitBenchOptions = {}): Promise<FitBench> {
  const { model = BENCH_MODEL, wire = "anthropic-messages", window = 4_000, facts } = options;
  const context = { strategy: "middle-out", ...options.context };
  let clock = 0;
  const nowMs = options.nowMs ?? (() => ++clock);
  const lines: string[] = [];
  const snapshot = makeSnapshot(
    {
      upstreams: {
        anthropic: { kind: "anthropic", baseUrl: "http://127.0.0.1:9", apiKey: "k" },
        openai: { kind: "openai", baseUrl: "http://127.0.0.1:9/v1", apiKey: "k" },
        gemini: { kind: "gemini", baseUrl: "http://127.0.0.1:9", apiKey: "k" },
        own: { kind: "anthropic", baseUrl: "http://127.0.0.1:9" },
      },
      routes: [
        { match: "claude-*", upstream: "anthropic" },
        { match: "gpt-*", upstream: "openai" },
        { match: "*", upstream: "gemini" },
      ],
      models: { [model]: { window, maxOutput: 1_000, ...facts } },
      context,
      ...options.config,
    },
    lines,
  );
  const memory = await makeMemory(nowMs, options.store);
  const state = memory.fitting;
  const [destination] = resolve({ key: undefined, model, wire }, snapshot);
  if (destination === undefined) throw new Error(`no destination for ${model}`);
  const call = (body: object | string, headers = {}) => makeCall(body, { wire, model, headers });
  const { compaction } = snapshot.config;
  return {
    memory,
    state,
    snapshot,
    destination,
    lines,
    call,
    fitRequest: (body, headers, pressure) =>
      openFitRequest(call(body, headers), destination, { state, compaction, pressure }),
    fit: (body, more) => fit(call(body), destination, { state, compaction, ...NOBODY, ...more }),
  };
}

/** Summaries fail, and waits end at once. */
const NOBODY: Omit<FitContext, "state" | "compaction"> = {
  compactor: () => undefined,
  summarizer: () => async () => ({ kind: "failed", why: "no summarizer" }),
  onCondensed: () => {},
  wait: () => Promise.resolve(),
  signal: new AbortController().signal,
};

interface CallOptions {
  readonly wire: WireId;
  readonly model?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes a call; strings are sent unchanged, other values as JSON. */
function makeCall(body: object | string, { wire, model = "m", headers = {} }: CallOptions): Call {
  const path = PATHS[wire].replace("{model}", model);
  const endpoint = findEndpoint("POST", path, headers);
  if (endpoint === undefined) throw new Error(`no endpoint at ${path}`);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const received = { id: "lh_test", endpoint, headers, query: "", body: new TextEncoder().encode(text) };
  return decode({ ...received, caller: makeCaller(headers) });
}

const PATHS: Readonly<Record<WireId, string>> = {
  gemini: "/v1beta/models/{model}:generateContent",
  "anthropic-messages": "/v1/messages",
  "openai-chat": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
};

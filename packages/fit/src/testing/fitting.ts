import type { WireId } from "@longhaul/conversation";
import { mergeContext } from "@longhaul/settings";
import type { Store } from "@longhaul/store";
import { type Destination, destinationAt } from "../destinations/destination.ts";
import { type FitContext, type Fitted, fit } from "../fitting/fit.ts";
import type { FitRequest } from "../fitting/fit-request.ts";
import { openFitRequest, type Pressure } from "../fitting/open-fit-request.ts";
import type { FitState } from "../memory/state.ts";
import type { Call, CallEndpoint } from "../request/call.ts";
import { decode } from "../request/decode.ts";
import { makeFitState } from "./memory.ts";
import { makeOwner } from "./owner.ts";
import { makeSetup, type Setup } from "./setup.ts";

/** A model without server-side compaction whose thinking is not bound to its prefix. */
export const BENCH_MODEL = "claude-sonnet-4-5";

/** How a bench is opened. */
export interface FitBenchOptions {
  readonly model?: string;
  /** The client's format. @default anthropic-messages */
  readonly wire?: WireId;
  /** Tokens of the model's window. @default 4,000 */
  readonly window?: number;
  /** Further fields of the model's catalog entry. */
  readonly facts?: object;
  readonly context?: object;
  /** Further keys of the configuration. */
  readonly config?: object;
  /** @default a clock that advances by a millisecond per reading */
  readonly nowMs?: () => number;
  /** @default its own */
  readonly store?: Store;
}

/** Everything that fitting needs, without a running upstream. */
export interface FitBench {
  readonly state: FitState;
  readonly setup: Setup;
  readonly destination: Destination;
  /** The log, line by line. */
  readonly lines: readonly string[];
  fitRequest(body: object, headers?: Readonly<Record<string, string>>, pressure?: Pressure): Promise<FitRequest>;
  /** Fits a request. Summaries fail unless the context has a summariser. */
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
  const setup = makeSetup(
    {
      upstreams: {
        anthropic: { kind: "anthropic", baseUrl: "http://127.0.0.1:9", apiKey: "k" },
        openai: { kind: "openai", baseUrl: "http://127.0.0.1:9/v1", apiKey: "k" },
        gemini: { kind: "gemini", baseUrl: "http://127.0.0.1:9", apiKey: "k" },
        own: { kind: "anthropic", baseUrl: "http://127.0.0.1:9" },
      },
      models: { [model]: { window, maxOutput: 1_000, ...facts } },
      context,
      ...options.config,
    },
    lines,
  );
  const state = await makeFitState(nowMs, options.store);
  const destination = makeDestination(model, wire, setup);
  const call = (body: object | string, headers = {}) => makeCall(body, { wire, model, headers });
  const { compaction } = setup.config;
  return {
    state,
    setup,
    destination,
    lines,
    call,
    fitRequest: (body, headers, pressure) =>
      openFitRequest(call(body, headers), destination, { state, compaction, pressure }),
    fit: (body, more) => fit(call(body), destination, { state, compaction, ...WITHOUT_SUMMARIES, ...more }),
  };
}

/** A context without a summariser and without waiting. */
const WITHOUT_SUMMARIES: Omit<FitContext, "state" | "compaction"> = {
  compactor: () => undefined,
  summarizer: () => async () => ({ kind: "failed", why: "no summariser" }),
  onCondensed: () => {},
  wait: () => Promise.resolve(),
  signal: new AbortController().signal,
};

/** The format, model and headers of a call. */
export interface CallOptions {
  readonly wire: WireId;
  readonly model?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes a call. Text is sent unchanged, other values as JSON. */
export function makeCall(body: object | string, { wire, model = "m", headers = {} }: CallOptions): Call {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const received = { id: "lh_test", endpoint: makeEndpoint(wire, model), headers, query: "" };
  return decode({ ...received, body: new TextEncoder().encode(text), caller: makeOwner(headers) });
}

/** The endpoint at which a client of a format asks for an answer. */
export function makeEndpoint(wire: WireId, model = "m"): CallEndpoint {
  const line = wire === "gemini" ? { model, stream: false } : {};
  return { wire, action: "generate", method: "POST", ...line };
}

/** Returns a model's destination in a setup: the upstream that all models are routed to, else the one with the vendor's name. */
export function makeDestination(model: string, wire: WireId, setup: Setup): Destination {
  const [routed] = setup.config.routes.filter(({ match }) => match === "*").flatMap(({ upstream }) => upstream);
  const id = routed ?? [...setup.handles.keys()].find((name) => VENDORS.get(name)?.test(model)) ?? "gemini";
  const context = mergeContext(setup.config.context, undefined);
  return destinationAt(id, { requested: model, wire, snapshot: setup, isRenamed: false, context });
}

const VENDORS = new Map([
  ["anthropic", /^claude-/],
  ["claude", /^claude-/],
  ["openai", /^gpt-/],
]);

/** A body of the Messages API with so many exchanges and a question, about 50 tokens a message. */
export function makeChat(exchanges: number, more: object = {}) {
  const messages = Array.from({ length: exchanges }, (_, index) => [
    { role: "user", content: `Question ${index}: ${words(index)}` },
    { role: "assistant", content: `Answer ${index}: ${words(index + 1_000)}` },
  ]).flat();
  const last = { role: "user", content: "And what did I ask first?" };
  return { model: BENCH_MODEL, max_tokens: 200, messages: [...messages, last], ...more };
}

/** A body of the Messages API that reads files one after the other; the same number is the same file. */
export function makeReads(...files: number[]) {
  const messages = files.flatMap((file, index) => [
    {
      role: "assistant",
      content: [{ type: "tool_use", id: `call_${index}`, name: "read", input: { path: `f${file}` } }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `call_${index}`, content: linesOf(file) }] },
  ]);
  return { model: BENCH_MODEL, max_tokens: 100, messages: [{ role: "user", content: "Read." }, ...messages] };
}

function linesOf(file: number): string {
  return Array.from({ length: 40 }, (_, line) => `line ${line} of file ${file} says ${line * 37 * file}`).join("\n");
}

function words(seed: number): string {
  return Array.from(
    { length: 40 },
    (_, index) => WORDS[(seed * 7 + index * 13 + ((index * seed) % 11)) % WORDS.length],
  ).join(" ");
}

const WORDS = "harbour lantern meadow copper thistle engine ribbon window marble canyon orchard velvet compass".split(
  " ",
);

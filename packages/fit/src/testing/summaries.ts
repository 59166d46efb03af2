import type { Ask } from "@longhaul/condense";
import { textMessage } from "@longhaul/conversation";
import { makeTokenCounters } from "@longhaul/models";
import { openSimulator, type SimulatorOptions } from "@longhaul/simulator";
import { codecNamed } from "@longhaul/wire";
import type { SentRequest, SummarizerContext, SummaryNote } from "../summaries/summarizer.ts";
import { openWorkers } from "../workers/workers.ts";
import { makeDestination, makeEndpoint } from "./fitting.ts";
import { makeSetup } from "./setup.ts";

const HEADERS = { "x-api-key": "client", "anthropic-version": "2023-06-01" };

const counters = makeTokenCounters();

/** How a bench for summaries is opened. */
export interface BenchOptions extends SimulatorOptions {
  /** The conversation's own model. @default claude-sonnet-4-5 */
  readonly model?: string;
  readonly wire?: keyof typeof MODELS;
  /** Overrides keys of the configuration. */
  readonly config?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Opens a simulator with every vendor, a configuration for it, and a summariser's context. */
export async function openBench({
  model = "claude-sonnet-4-5",
  wire = "anthropic-messages",
  ...options
}: BenchOptions) {
  const simulator = await openSimulator(options);
  const { url } = simulator;
  const lines: string[] = [];
  const snapshot = makeSetup(
    {
      upstreams: {
        claude: { kind: "anthropic", baseUrl: url, apiKey: "k" },
        openai: { kind: "openai", baseUrl: `${url}/v1`, apiKey: "k" },
        gemini: { kind: "gemini", baseUrl: url, apiKey: "k" },
        router: { kind: "openrouter", baseUrl: `${url}/api/v1`, apiKey: "k" },
        keyless: { kind: "openai", baseUrl: `${url}/v1` },
        local: { kind: "openai-compatible", baseUrl: `${url}/v1` },
        own: { kind: "anthropic", baseUrl: url },
      },
      profiles: {
        cheap: { upstream: "claude", model: "claude-haiku-4-5" },
        foreign: { upstream: "openai", model: "gpt-4o-mini" },
        flash: { upstream: "gemini", model: "gemini-2.5-flash" },
        routed: { upstream: "router", model: "anthropic/claude-haiku-4.5" },
        keyless: { upstream: "keyless", model: "gpt-4o-mini" },
        local: { upstream: "local", model: "gpt-4o-mini" },
        same: { upstream: "claude", model },
        empty: {},
      },
      ...options.config,
    },
    lines,
  );
  const destination = makeDestination(model, wire, snapshot);
  const endpoint = makeEndpoint(wire, model);
  const notes: SummaryNote[] = [];
  const waits: number[] = [];
  let clock = 0;
  const context: SummarizerContext = {
    snapshot,
    destination,
    call: {
      id: "lh_test",
      endpoint,
      headers: options.headers ?? HEADERS,
    },
    settings: {},
    counters,
    workers: openWorkers(counters, Number.POSITIVE_INFINITY),
    windowOf: ({ match }) => match.model.window,
    note: (note) => void notes.push(note),
    nowMs: () => (clock += 5),
    random: () => 1,
    wait: async (ms) => void waits.push(ms),
  };
  const close = async () => {
    await snapshot.close();
    await simulator.close();
  };
  return { simulator, snapshot, context, notes, waits, lines, close };
}

/** A line that is different each time, long enough to be worth a summary. */
function lineAbout(index: number): string {
  const file = `src/part-${index}/module-${index}.ts`;
  return `Step ${index}: in ${file} the function handleCase${index} returns ${index * 7} where ${index * 11} is expected. `;
}

/** A conversation's messages. */
export type Talk = readonly { readonly role: "user" | "assistant"; readonly text: string }[];

/** A conversation of so many messages. */
export function makeTalk(count: number, repeats = 12): Talk {
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
    text: Array.from({ length: repeats }, (__, line) => lineAbout(index * 100 + line)).join("\n"),
  }));
}

/** An ask for a summary of messages 1 up to the last but two. */
export function makeAsk(talk = makeTalk(10), overrides: Partial<Ask> = {}): Ask {
  const range = { from: 1, to: talk.length - 2 };
  return {
    kind: "ask",
    messages: talk.slice(range.from, range.to).map(({ role, text }) => textMessage(role, text)),
    range,
    instructions: "Write a summary of what was said.",
    maxTokens: 400,
    expectedTokens: 300,
    ...overrides,
  };
}

/** A sent request. */
export function makeSent(body: object, wire: string): SentRequest {
  return {
    body: new TextEncoder().encode(JSON.stringify(body)),
    headers: HEADERS,
    codec: codecNamed(wire),
    tokens: 6_000,
  };
}

const SYSTEM = "You work on a project of many modules.";
const SCHEMA = { type: "object", properties: { path: { type: "string" } } };

/** A talk as the body of a request with a tool, in each format, with cache marks if the format has them. */
export const BODIES = {
  "anthropic-messages": (talk: Talk) => ({
    model: "claude-sonnet-4-5",
    max_tokens: 1_000,
    system: SYSTEM,
    tools: [{ name: "read", input_schema: SCHEMA }],
    messages: talk.map(({ role, text }, index) => ({
      role,
      content: [{ type: "text", text, ...(index === talk.length - 1 && { cache_control: { type: "ephemeral" } }) }],
    })),
    stream: true,
  }),
  "openai-chat": (talk: Talk) => ({
    model: "gpt-4o",
    messages: [{ role: "system", content: SYSTEM }, ...talk.map(({ role, text }) => ({ role, content: text }))],
    tools: [{ type: "function", function: { name: "read", parameters: SCHEMA } }],
    stream: true,
  }),
  "openai-responses": (talk: Talk) => ({
    model: "gpt-4o",
    instructions: SYSTEM,
    input: talk.map(({ role, text }) => ({ role, content: text })),
    tools: [{ type: "function", name: "read", parameters: SCHEMA, strict: false }],
  }),
  gemini: (talk: Talk) => ({
    systemInstruction: { parts: [{ text: SYSTEM }] },
    contents: talk.map(({ role, text }) => ({ role: role === "user" ? "user" : "model", parts: [{ text }] })),
    tools: [{ functionDeclarations: [{ name: "read", parametersJsonSchema: SCHEMA }] }],
  }),
} as const;

/** The models of these bodies. */
export const MODELS = {
  "anthropic-messages": "claude-sonnet-4-5",
  "openai-chat": "gpt-4o",
  "openai-responses": "gpt-4o",
  gemini: "gemini-2.5-flash",
} as const;

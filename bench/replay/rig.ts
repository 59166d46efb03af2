import type { JsonObject } from "@longhaul/conversation";
import { type Gateway, openGateway } from "@longhaul/gateway";
import {
  openSimulator,
  type Prompt,
  type RecordedRequest,
  type Simulator,
  type SimulatorOptions,
} from "@longhaul/simulator";
import { Agent, request } from "undici";
import { seededRandom } from "../tokens/random.ts";
import type { Format } from "./format.ts";
import type { LastMessage } from "./script.ts";

export interface RigOptions {
  readonly format: Format;
  /** The model's strict context window. */
  readonly windowTokens: number;
  /** The gateway's `context` settings. */
  readonly context: JsonObject;
  /** Whether to use the vendor's compaction. @default false */
  readonly compacts?: boolean;
  /** Default length of the model's summaries. */
  readonly summaryTokens: number;
  /** Shortest and longest summary, as shares of the requested length. @default exactly the requested length */
  readonly summaryShares?: readonly [number, number];
  /** The gateway's store. */
  readonly storePath: string;
}

/** A client, a gateway and a simulated upstream. */
export interface Rig {
  readonly simulator: Simulator;
  /** Sets the end of the next turn's requests, to distinguish them from summary requests. */
  expect(last: LastMessage): void;
  /** Whether a request, by its number, was for the client's own turn; all others were the gateway's. */
  isTurn(number: number): boolean;
  /** Condensations reported by the gateway so far. */
  condensations(): readonly LoggedCost[];
  /** Posts a body as the client, and reads the response to its end. */
  post(body: JsonObject, headers?: Readonly<Record<string, string>>): Promise<Posted>;
  /** Returns how long a separate simulator takes to begin its response to a request that the upstream received. */
  directMs(received: RecordedRequest): Promise<number>;
  /** Closes the gateway and opens another one on the same store. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The cost of a condensation's summaries, as estimated before and as billed. */
export interface LoggedCost {
  readonly strategy: string;
  readonly estimatedUsd: number;
  readonly costUsd: number;
}

/** A response as the client saw it. */
export interface Posted {
  /** Whether it was complete and without an error. */
  readonly isWhole: boolean;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly firstByteMs: number;
}

/** Time between two turns; caches outlive it. */
const TURN_MS = 20_000;
const ANSWER_TOKENS = 60;
const KEPT_BODIES = 64;
/** The gateway's log message for a condensation. */
const CONDENSED = '"conversation condensed"';

/** Opens a gateway in front of a strict simulator, with a clock that only turns advance. */
export async function openRig(options: RigOptions): Promise<Rig> {
  const { format, windowTokens, summaryTokens, summaryShares: [least, most] = [1, 1] } = options;
  const random = seededRandom(1);
  const turns = new Set<number>();
  let expected: LastMessage | undefined;
  let nowMs = 0;
  const world: SimulatorOptions = { models: { [format.model]: { window: windowTokens } }, now: () => nowMs };
  const simulator: Simulator = await openSimulator({
    ...world,
    keptBodies: KEPT_BODIES,
    script: (prompt) => {
      if (expected === undefined || !endsWith(prompt, expected))
        return `summary ${Math.round((wantedTokens(prompt) ?? summaryTokens) * (least + (most - least) * random()))}`;
      turns.add(simulator.requests().length);
      return `words ${ANSWER_TOKENS}`;
    },
  });
  const straight = await openSimulator({ ...world, keptBodies: 0, script: () => `words ${ANSWER_TOKENS}` });
  const condensations: LoggedCost[] = [];
  const writeLog = (line: string) => {
    if (!line.includes(CONDENSED)) return;
    const { strategy, estimatedUsd, costUsd }: LoggedCost = JSON.parse(line);
    condensations.push({ strategy, estimatedUsd, costUsd });
  };
  let gateway = await openGatewayTo(simulator.url, options, writeLog);
  const agent = new Agent();
  return {
    simulator,
    expect(last) {
      expected = last;
      nowMs += TURN_MS;
    },
    condensations: () => condensations,
    isTurn: (number) => turns.has(number),
    post: (body, headers = {}) => post({ url: `${gateway.url}${format.path}`, body, headers, agent, format }),
    directMs: (received) => straightMs(straight.url, received, agent),
    async restart() {
      await gateway.close();
      gateway = await openGatewayTo(simulator.url, options, writeLog);
    },
    async close() {
      await agent.close();
      await gateway.close();
      await simulator.close();
      await straight.close();
    },
  };
}

function openGatewayTo(
  url: string,
  { format, windowTokens, context, compacts = false, storePath }: RigOptions,
  writeLog: (line: string) => void,
): Promise<Gateway> {
  const config = {
    server: { port: 0 },
    upstreams: { vendor: format.upstream(url) },
    routes: [{ match: "*", upstream: "vendor" }],
    models: { [format.model]: { window: windowTokens } },
    context,
    compaction: { enabled: compacts },
    store: { path: storePath },
  };
  return openGateway({ file: config }, { writeLog });
}

const KNOWN_CHARACTERS = 40;
/** The beginning of every reference. */
const REFERENCE = "[same ";
const WANTED_WORDS = /about (\d+) words/;

/** Whether a prompt ends with the client's latest text, or with a vendor's block that replaces it. A summary request adds its own text. */
function endsWith({ turns }: Prompt, { text, texts, hasResults }: LastMessage): boolean {
  const last = turns.findLast(({ role }) => role !== "system");
  if (last?.role === "assistant") return true;
  const lastText = last?.texts.at(-1) ?? "";
  if (text !== "" && lastText.startsWith(text.slice(0, KNOWN_CHARACTERS))) return true;
  // Repeated lines may be replaced by references; a summary request states the length of its answer.
  if (last?.texts.some((each) => each.includes(REFERENCE)) && !WANTED_WORDS.test(lastText)) return true;
  // A result may have been shortened beyond recognition; a summary request would have one more text.
  return hasResults && last !== undefined && last.results.length > 0 && last.texts.length <= texts;
}

const TOKENS_PER_WORD = 1.4;

/** Returns the length that a summary request asks for; models roughly keep to it. */
function wantedTokens({ turns }: Prompt): number | undefined {
  const words = WANTED_WORDS.exec(turns.at(-1)?.texts.at(-1) ?? "")?.[1];
  return words === undefined ? undefined : Math.round(Number(words) * TOKENS_PER_WORD);
}

interface Letter {
  readonly url: string;
  readonly body: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: Agent;
  readonly format: Format;
}

async function post({ url, body, headers, agent, format }: Letter): Promise<Posted> {
  const bytes = JSON.stringify(body);
  const startedAt = performance.now();
  const answer = await request(url, {
    dispatcher: agent,
    method: "POST",
    headers: { "content-type": "application/json", ...format.headers, ...headers },
    body: bytes,
  });
  const firstByteMs = performance.now() - startedAt;
  const text = await answer.body.text();
  const isWhole = answer.statusCode === 200 && format.lastEvent.test(text);
  return { isWhole, text, headers: answer.headers, firstByteMs };
}

/** Headers of a connection. */
const OF_CONNECTION = new Set(["content-length", "host", "connection", "transfer-encoding"]);

async function straightMs(url: string, received: RecordedRequest, agent: Agent): Promise<number> {
  const headers = Object.fromEntries(Object.entries(received.headers).filter(([name]) => !OF_CONNECTION.has(name)));
  const body = JSON.stringify(received.body);
  const startedAt = performance.now();
  const answer = await request(`${url}${received.path}`, { dispatcher: agent, method: "POST", headers, body });
  const firstByteMs = performance.now() - startedAt;
  await answer.body.dump();
  return firstByteMs;
}

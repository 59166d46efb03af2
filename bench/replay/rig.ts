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
import type { Format } from "./format.ts";
import type { LastSaid } from "./script.ts";

/** How a rig is to be. */
export interface RigOptions {
  readonly format: Format;
  /** What the model takes, strictly. */
  readonly windowTokens: number;
  /** The gateway's `context` settings. */
  readonly context: JsonObject;
  /** Whether models that compact on the server are asked to. @default false */
  readonly compacts?: boolean;
  /** How long the model's summaries are where nobody says it. */
  readonly summaryTokens: number;
  /** The file that keeps what outlives the gateway. */
  readonly storePath: string;
}

/** A client, a gateway and a simulated upstream. */
export interface Rig {
  readonly simulator: Simulator;
  /** Says what the requests of the coming turn end with, so that they are known from requests for summaries. */
  expect(last: LastSaid): void;
  /** Whether a request, by its number, was for the client's own turn; anything else was the gateway's idea. */
  isTurn(number: number): boolean;
  /** How many condensations the gateway has told of so far. */
  condensations(): number;
  /** Posts a body as the client does, and reads the answer to its end. */
  post(body: JsonObject, headers?: Readonly<Record<string, string>>): Promise<Posted>;
  /** How long another simulator, whose books nobody reads, takes to begin its answer to a request that the upstream got. */
  straightMs(received: RecordedRequest): Promise<number>;
  /** Closes the gateway and opens another one on the same store. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** An answer as the client saw it. */
export interface Posted {
  /** Whether all of it came, and no error. */
  readonly isWhole: boolean;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly firstByteMs: number;
}

/** Time that passes between two turns: caches outlive it. */
const TURN_MS = 20_000;
const ANSWER_TOKENS = 60;
const KEPT_BODIES = 64;
/** What the gateway's log says of a condensation. */
const CONDENSED = '"conversation condensed"';

/** Opens a gateway in front of a strict simulator, with a clock that only turns move on. */
export async function openRig(options: RigOptions): Promise<Rig> {
  const { format, windowTokens, summaryTokens } = options;
  const turns = new Set<number>();
  let expected: LastSaid | undefined;
  let nowMs = 0;
  const world: SimulatorOptions = { models: { [format.model]: { window: windowTokens } }, now: () => nowMs };
  const simulator: Simulator = await openSimulator({
    ...world,
    keptBodies: KEPT_BODIES,
    script: (prompt) => {
      if (expected === undefined || !endsWith(prompt, expected))
        return `summary ${wantedTokens(prompt) ?? summaryTokens}`;
      turns.add(simulator.requests().length);
      return `words ${ANSWER_TOKENS}`;
    },
  });
  const straight = await openSimulator({ ...world, keptBodies: 0, script: () => `words ${ANSWER_TOKENS}` });
  let condensations = 0;
  const writeLog = (line: string) => {
    if (line.includes(CONDENSED)) condensations += 1;
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
    straightMs: (received) => straightMs(straight.url, received, agent),
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
/** What every reference begins with. */
const REFERENCE = "⟨";
const WANTED_WORDS = /about (\d+) words/;

/** Whether a prompt ends with what the client said last, or with a vendor's block that stands for it. An ask has its own words behind that. */
function endsWith({ turns }: Prompt, { text, texts, hasResults }: LastSaid): boolean {
  const last = turns.findLast(({ role }) => role !== "system");
  if (last?.role === "assistant") return true;
  const said = last?.texts.at(-1) ?? "";
  if (text !== "" && said.startsWith(text.slice(0, KNOWN_CHARACTERS))) return true;
  // What repeats earlier lines may stand by references to them; an ask says how long its answer is to be.
  if (last?.texts.some((each) => each.includes(REFERENCE)) && !WANTED_WORDS.test(said)) return true;
  // A result may have been shortened to nothing that is known; an ask would be one text more.
  return hasResults && last !== undefined && last.results.length > 0 && last.texts.length <= texts;
}

const TOKENS_PER_WORD = 1.4;

/** The length that an ask gives. Models keep to it, more or less. */
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

/** Headers that belong to a connection. */
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

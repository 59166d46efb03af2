import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Gateway, openGateway } from "@longhaul/gateway";
import { type Config, parseConfig } from "@longhaul/settings";
import { openSimulator, type RecordedRequest, type Simulator, type SimulatorOptions } from "@longhaul/simulator";
import { onTestFinished } from "vitest";

/** A gateway in front of a simulator whose models have small windows. */
export interface Rig {
  readonly simulator: Simulator;
  readonly gateway: Gateway;
  readonly config: Config;
  /** The log, line by line. */
  readonly log: () => readonly LogLine[];
  /** Resolves when the log has so many lines that say this, with those lines. */
  logged(msg: string, count?: number): Promise<readonly LogLine[]>;
  /** Sends a body to a path of the gateway, as a client with a key. */
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Answered>;
  /** The same with one of the Messages API's bodies. */
  say(messages: readonly object[], more?: object, headers?: Readonly<Record<string, string>>): Promise<Answered>;
  /** The requests that reached the models, without summary requests. */
  turns(): readonly RecordedRequest[];
  /** Those that ask for a summary. */
  asks(): readonly RecordedRequest[];
  /** Another gateway over the same store, in place of the one before. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A line of the gateway's log. */
type LogLine = Readonly<Record<string, unknown>> & { readonly msg: string; readonly level: number };

/** An answer, read to its end. */
interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** How a rig differs from the usual one. */
export interface RigOptions {
  /** Tokens of the model's window. @default 4,000 */
  readonly window?: number;
  /** The window in the gateway's configuration. @default the same */
  readonly believed?: number;
  /** Tokens that the model may answer with. @default 1,000 */
  readonly maxOutput?: number;
  /** Further settings of every upstream; nothing takes one out. */
  readonly upstream?: Readonly<Record<string, unknown>>;
  /** Further upstreams. */
  readonly more?: Readonly<Record<string, object>>;
  readonly context?: object;
  /** Further keys of the configuration. */
  readonly config?: object;
  readonly environment?: Readonly<Record<string, string>>;
  readonly simulator?: SimulatorOptions;
  readonly storePath?: string;
  /** Reads the configuration. @default without an environment */
  readonly parse?: (value: object) => Config;
}

/** A model without server-side compaction whose thinking binds to nothing. */
export const MODEL = "claude-sonnet-4-5";

/** Opens a rig. */
export async function openRig(options: RigOptions = {}): Promise<Rig> {
  const { window = 4_000, maxOutput = 1_000, environment = {} } = options;
  const simulator = await openSimulator({
    models: Object.fromEntries(MODELS.map((id) => [id, { window, maxOutput }])),
    keptBodies: 1_000,
    ...options.simulator,
  });
  const config = configFor(simulator, options);
  const { lines, logged, writeLog } = makeLog();
  const open = () => openGateway({ file: config, environment }, { writeLog });
  let gateway = await open();
  const post: Rig["post"] = (path, body, headers) => postJson(`${gateway.url}${path}`, body, headers);
  return {
    simulator,
    get gateway() {
      return gateway;
    },
    config,
    log: () => lines,
    logged,
    post,
    say: (messages, more, headers) =>
      post("/v1/messages", { model: MODEL, max_tokens: 200, messages, ...more }, headers),
    turns: () => simulator.requests().filter((request) => !isAsk(request)),
    asks: () => simulator.requests().filter(isAsk),
    restart: async () => {
      await gateway.close();
      gateway = await open();
    },
    close: async () => {
      await gateway.close();
      await simulator.close();
    },
  };
}

function configFor(simulator: Simulator, options: RigOptions): Config {
  const { window = 4_000, believed = window, maxOutput = 1_000, storePath } = options;
  const parse = options.parse ?? ((value) => parseConfig(value, {}));
  const upstreams = KINDS.map(([kind, path]) => [
    kind,
    { kind, baseUrl: `${simulator.url}${path}`, apiKey: "k", ...options.upstream },
  ]);
  return parse({
    server: { port: 0 },
    upstreams: { ...Object.fromEntries(upstreams), ...options.more },
    routes: [
      { match: "claude-*", upstream: "anthropic" },
      { match: "gpt-*", upstream: "openai" },
      { match: "*", upstream: "gemini" },
    ],
    models: Object.fromEntries(MODELS.map((id) => [id, { window: believed, maxOutput }])),
    context: options.context ?? {},
    // A busy machine may take longer than requests wait otherwise, and a test checks the stored data, not the lookup time.
    store: { waitSeconds: 60, ...(storePath !== undefined && { path: storePath }) },
    ...options.config,
  });
}

/** A log that can be waited for. */
function makeLog() {
  const lines: LogLine[] = [];
  let onLine = () => {};
  const logged: Rig["logged"] = async (msg, count = 1) => {
    for (;;) {
      const found = lines.filter((line) => line.msg === msg);
      if (found.length >= count) return found;
      await new Promise<void>((resolve) => {
        const before = onLine;
        onLine = () => {
          before();
          resolve();
        };
      });
    }
  };
  const writeLog = (line: string) => {
    lines.push(JSON.parse(line));
    onLine();
  };
  return { lines, logged, writeLog };
}

async function postJson(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
  const own = { "content-type": "application/json", "x-api-key": "client", "anthropic-version": "2023-06-01" };
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(body), headers: { ...own, ...headers } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const MODELS = [MODEL, "claude-opus-4-6", "gpt-4o", "gpt-4o-mini", "gemini-2.5-flash"];

const KINDS = [
  ["anthropic", ""],
  ["openai", "/v1"],
  ["gemini", ""],
] as const;

/** Words in every summary request and in no conversation of the tests. */
export const SUMMARY_SIGN = "data to summarize";

function isAsk({ body }: RecordedRequest): boolean {
  return JSON.stringify(body ?? "").includes(SUMMARY_SIGN);
}

/** A conversation of so many exchanges, each of about this many words. */
export function talk(exchanges: number, words = 100): object[] {
  return Array.from({ length: exchanges }, (_, index) => [
    { role: "user", content: `Question ${index}: ${filler(index, words)}` },
    { role: "assistant", content: `Answer ${index}: ${filler(index + 1_000, words)}` },
  ]).flat();
}

/** The messages of one turn: the given number of exchanges, and a question. */
export function turn(exchanges: number, words = 100): object[] {
  return talk(exchanges + 1, words).slice(0, -1);
}

/** Words that differ from message to message. */
export function filler(seed: number, words: number): string {
  return Array.from(
    { length: words },
    (_, index) => WORDS[(seed * 7 + index * 13 + ((index * seed) % 11)) % WORDS.length],
  ).join(" ");
}

const WORDS =
  "harbour lantern meadow copper thistle engine ribbon window marble canyon orchard velvet compass timber saddle glacier pepper mirror anchor falcon".split(
    " ",
  );

/** Where a store may be while a test runs. */
export function makeStorePath(): string {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-context-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "longhaul.db");
}

import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { openStore } from "@longhaul/store";
import { announcedBy } from "../announced.ts";
import type { Client } from "./client.ts";
import { ERRAND, makeErrand } from "./errand.ts";
import { programsOf } from "./install.ts";
import { LEAVES, linesOf, makeScript, TASK, writeLedger } from "./ledger.ts";
import type { Observation, SeenRequest } from "./observation.ts";

/** Room for the longest system prompt with its tools, and for a few files. */
const WINDOW_TOKENS = 64_000;
const LIMIT_MS = 240_000;

/** Runs a client in an empty folder, through a gateway, to a simulator, and returns the observations. */
export async function observe(client: Client, root: string, task: string): Promise<Observation> {
  const folder = join(root, "project");
  writeLedger(folder);
  const models = Object.fromEntries(modelsOf(client).map((model) => [model, { window: WINDOW_TOKENS }]));
  const script = task === ERRAND ? makeErrand(client, folder) : makeScript(client, folder);
  const simulator = await openSimulator({ models, script, keptBodies: 0 });
  const data = join(root, "data");
  mkdirSync(data);
  const file = join(data, "longhaul.json");
  const database = join(data, "longhaul.db");
  writeFileSync(file, JSON.stringify({ ...configOf(client, simulator), models, store: { path: database } }));
  const gateway = await startGateway(file, data);
  const ended = await runClient(client, { gateway: gateway.url, home: join(root, "home"), folder, task });
  await gateway.stop();
  const seen = await readStore(database);
  await simulator.close();
  return { ...ended, ...seen, stored: quotedIn(database) };
}

function modelsOf({ model, answeredBy = model }: Client): string[] {
  return [model, answeredBy];
}

function configOf({ model, answeredBy }: Client, { url }: Simulator): object {
  const vendors = [
    { match: "claude-*", upstream: "anthropic" },
    { match: "gemini-*", upstream: "gemini" },
    { match: "local-*", upstream: "local" },
    { match: "*", upstream: "openai" },
  ];
  const answering = vendors.find(({ match }) => answeredBy?.startsWith(match.replace("*", "")));
  return {
    upstreams: {
      anthropic: { kind: "anthropic", baseUrl: url, apiKey: "simulated" },
      openai: { kind: "openai", baseUrl: `${url}/v1`, apiKey: "simulated" },
      gemini: { kind: "gemini", baseUrl: url, apiKey: "simulated" },
      local: { kind: "openai-compatible", baseUrl: `${url}/v1`, apiKey: "simulated" },
    },
    routes: [...(answering === undefined ? [] : [{ ...answering, match: model, model: answeredBy }]), ...vendors],
  };
}

/** The folders of a client. */
interface ClientFolders {
  readonly gateway: string;
  /** Empty. */
  readonly home: string;
  readonly folder: string;
  readonly task: string;
}

async function runClient(client: Client, { gateway, home, folder, task }: ClientFolders): Promise<ProgramEnd> {
  const setting = { gateway, task, model: client.model };
  const path = [programsOf(client), dirname(process.execPath), process.env.PATH].join(delimiter);
  const environment = { HOME: home, PATH: path, NO_COLOR: "1", ...client.environment };
  const run = (command: string, args: readonly string[]) =>
    runProgram({ command, args, folder, environment, limitMs: LIMIT_MS });
  const longhaul = (args: readonly string[], then: readonly string[] = []) =>
    run(process.execPath, [LONGHAUL, ...args, "--url", gateway, "--key", "any", "--model", client.model, ...then]);
  mkdirSync(home);
  const { way, program } = client;
  if (way === "run") return await longhaul(["run"], [client.id, ...client.args(setting)]);
  const pointed =
    way === "write"
      ? await longhaul(["connect", client.id, "--write", "--yes"])
      : await run(program, way.ownArgs(setting));
  return pointed.exitCode === 0 ? await run(program, client.args(setting)) : pointed;
}

const MANY = 1_000;

async function readStore(path: string): Promise<Pick<Observation, "requests" | "condensations" | "sessions">> {
  const store = await openStore({ path, nowMs: Date.now });
  const requests = await store.events.requests({ limit: MANY });
  const condensations = await store.events.condensations({ limit: MANY });
  const sessions = await store.events.sessions({ limit: MANY });
  await store.close();
  return {
    requests: requests.map(pick).reverse(),
    condensations: condensations.length,
    sessions: sessions.map(({ session, parent }) => ({ session, parent })),
  };
}

function pick(request: SeenRequest): SeenRequest {
  const { wire, model, status, errorCode, origin, originalTokens, sentTokens, windowTokens } = request;
  return { wire, model, status, errorCode, origin, originalTokens, sentTokens, windowTokens };
}

/** Returns lines of the client's files that are in the database's files. */
function quotedIn(database: string): string[] {
  const folder = dirname(database);
  const files = readdirSync(folder).filter((name) => name.startsWith(basename(database)));
  const bytes = Buffer.concat(files.map((name) => readFileSync(join(folder, name))));
  const lines = [TASK, ...Array.from({ length: LEAVES }, (_, index) => linesOf(index + 1)).flat()];
  return lines.filter((line) => line !== "" && bytes.includes(line));
}

interface ProgramRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limitMs: number;
}

interface ProgramEnd {
  /** Null if it took too long. */
  readonly exitCode: number | null;
  readonly printed: string;
}

/** Runs a program without a terminal and without input. If it takes too long, it is killed with all its processes. */
function runProgram({ command, args, folder, environment, limitMs }: ProgramRun): Promise<ProgramEnd> {
  const child = spawn(command, args, {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  const limit = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, "SIGKILL"), limitMs);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    // Not `close`: processes left behind may keep its output open.
    child.once("exit", (exitCode) => {
      clearTimeout(limit);
      setImmediate(() => resolve({ exitCode, printed: `${Buffer.concat(chunks)}` }));
    });
  });
}

const LONGHAUL = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));

/** A gateway in its own process. */
interface StartedGateway {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts `longhaul start` like a user, with this configuration and home folder. */
async function startGateway(file: string, home: string): Promise<StartedGateway> {
  const environment = { HOME: home, PATH: process.env.PATH };
  const child = spawn(process.execPath, [LONGHAUL, "start", "--config", file, "--port", "0"], { env: environment });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    url: await announcedBy(child),
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

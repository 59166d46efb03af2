import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request as startRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type Gateway, type GatewayOptions, openGateway } from "@longhaul/gateway";
import { sharedPostgres } from "@longhaul/store/testing";
import { onTestFinished } from "vitest";
import { announcedBy } from "../announced.ts";
import { MODEL } from "../context/rig.ts";
import { openUpstream, type Upstream } from "./upstream.ts";

/** The configuration and upstream that several gateways share. */
export interface Shared {
  readonly upstream: Upstream;
  /** The configuration of each. */
  readonly config: object;
}

interface SharedOptions {
  /** Tokens of the model's window. @default 4,000 */
  readonly window?: number;
  readonly context?: object;
  /** @default the test's own PostgreSQL */
  readonly store?: object;
}

/** Makes what gateways share, for the duration of the test. */
export async function makeShared({ window = 4_000, context = {}, store }: SharedOptions = {}): Promise<Shared> {
  const upstream = await openUpstream(window);
  onTestFinished(() => upstream.close());
  const config = {
    server: { port: 0, drainSeconds: 5 },
    upstreams: { anthropic: { kind: "anthropic", baseUrl: upstream.url, apiKey: "k" } },
    routes: [{ match: "*", upstream: "anthropic" }],
    models: { [MODEL]: { window, maxOutput: 1_000 } },
    context,
    // On a busy machine a late read would count as empty.
    store: store ?? { url: await makeDatabase(), waitSeconds: 60 },
  };
  return { upstream, config };
}

async function makeDatabase(): Promise<string> {
  const server = await sharedPostgres();
  const url = await server.createDatabase();
  onTestFinished(() => server.dropDatabase(url));
  return url;
}

/** Makes a folder that is removed after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-replicas-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Opens a gateway in this process. */
export async function openReplica({ config }: Shared, options?: GatewayOptions): Promise<Gateway> {
  const gateway = await openGateway({ file: config }, options);
  onTestFinished(() => gateway.close());
  return gateway;
}

/** A gateway in its own process. */
export interface ReplicaProcess {
  readonly url: string;
  readonly pid: number;
  /** Its configuration. */
  readonly file: string;
  /** The complete lines of its log. */
  log(): readonly Readonly<Record<string, unknown>>[];
  output(): string;
  errors(): string;
  /** Sends it a signal, and resolves with its exit code or signal. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

const program = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));

/** A compile cache that all processes share. */
const cache = mkdtempSync(join(tmpdir(), "longhaul-replicas-"));
process.once("exit", () => rmSync(cache, { recursive: true, force: true }));

/** Starts a gateway in its own process; resolves when it announces its address. */
export async function startReplica({ config }: Shared, args: readonly string[] = []): Promise<ReplicaProcess> {
  const folder = makeFolder();
  const file = join(folder, "longhaul.json");
  writeFileSync(file, JSON.stringify(config));
  const child = spawn(process.execPath, [program, "start", "--config", file, ...args], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH, NODE_COMPILE_CACHE: cache },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit").then(([code, signal]) => signal ?? code);
  const written = { out: "", errors: "" };
  child.stdout.on("data", (chunk) => {
    written.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    written.errors += chunk;
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return await exited;
  };
  onTestFinished(async () => void (await end("SIGKILL")));
  return {
    url: await announcedBy(child),
    pid: child.pid ?? 0,
    file,
    output: () => written.out,
    log: () =>
      written.out
        .split("\n")
        .slice(0, -1)
        .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : [])),
    errors: () => written.errors,
    end,
  };
}

/** A complete response. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends messages to a model, on a separate connection. */
export function send(
  url: string,
  messages: readonly object[],
  { headers = {}, fields = {} }: { readonly headers?: object; readonly fields?: object } = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const own = { "content-type": "application/json", "x-api-key": "client", "anthropic-version": "2023-06-01" };
    const options = { method: "POST", headers: { ...own, ...headers }, agent: false };
    const request = startRequest(`${url}/v1/messages`, options, (answer) => {
      text(answer).then(
        (read) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: read }),
        reject,
      );
    });
    request.on("error", reject);
    request.end(JSON.stringify({ model: MODEL, max_tokens: 200, messages, ...fields }));
  });
}

/** Returns how a request was sent, by its response: raw, newly condensed, or reused. */
export function originOf({ status, headers, text: body }: Answered): string {
  return status === 200 ? String(headers["x-longhaul-context"] ?? "raw") : `${status} ${body}`;
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { anthropicApi } from "./anthropic/api.ts";
import { bedrockApi } from "./bedrock/api.ts";
import { compatibleApi } from "./compatible/api.ts";
import type { Api } from "./core/api.ts";
import { makeWorld, type WorldOptions } from "./core/world.ts";
import { geminiApi } from "./gemini/api.ts";
import { answerRequest, type Controls, type ServerContext } from "./http/answer-request.ts";
import { type FaultRule, openFaultPlan } from "./http/faults.ts";
import { openRecords, type RecordedRequest, type Totals } from "./http/records.ts";
import type { Pace, Wait } from "./http/steps.ts";
import { openaiModelsApi } from "./openai/api.ts";
import { openaiChatApi } from "./openai-chat/api.ts";
import { openaiResponsesApi } from "./openai-responses/api.ts";
import { openrouterApi } from "./openrouter/api.ts";
import { googleTokenApi, vertexClaudeApi } from "./vertex/api.ts";
import { vertexGeminiApi } from "./vertex/gemini-api.ts";

/** Options of the simulator. Everything has a default. */
export interface SimulatorOptions extends WorldOptions {
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** @default any free port */
  readonly port?: number;
  /** How fast responses are sent. @default immediately */
  readonly pace?: Partial<Pace>;
  readonly faults?: readonly FaultRule[];
  /** How many request bodies to keep. @default 100 */
  readonly keptBodies?: number;
  /** How to wait for paces and faults. @default real time */
  readonly wait?: Wait;
}

/** A running simulator. */
export interface Simulator {
  /** Its address, without a trailing slash. */
  readonly url: string;
  /** The requests since the last reset, in order. */
  requests(): readonly RecordedRequest[];
  totals(): Totals;
  /** Makes the next requests fail. */
  inject(rule: FaultRule | string): void;
  /** Deletes requests, faults, caches and stored responses. */
  reset(): void;
  close(): Promise<void>;
}

const APIS: readonly Api[] = [
  anthropicApi,
  openaiChatApi,
  openaiResponsesApi,
  openaiModelsApi,
  bedrockApi,
  geminiApi,
  googleTokenApi,
  vertexClaudeApi,
  vertexGeminiApi,
  openrouterApi,
  compatibleApi,
];

const DEFAULT_KEPT_BODIES = 100;

/** Opens strict imitations of the model vendors' APIs on one port. */
export async function openSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const world = makeWorld(options);
  const records = openRecords(options.keptBodies ?? DEFAULT_KEPT_BODIES);
  const faults = openFaultPlan(options.faults ?? []);
  const pace = { firstByteMs: 0, gapMs: 0, ...options.pace };
  const controls: Controls = {
    requests: () => records.list(),
    totals: () => records.totals(),
    inject: (rule) => faults.add(rule),
    reset() {
      records.clear();
      faults.clear();
      world.cache.clear();
      world.stored.clear();
      world.storedItems.clear();
    },
  };
  const context: ServerContext = { world, apis: APIS, records, faults, pace, wait: options.wait ?? waitFor, controls };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void answerRequest(request, response, context);
  });
  // Codex tries a WebSocket first, and continues without one after this response.
  server.on("upgrade", (_request, socket) =>
    socket.end("HTTP/1.1 426 Upgrade Required\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
  );
  await listen(server, options);
  return {
    url: urlOf(server, options.host ?? LOOPBACK),
    ...controls,
    inject: (rule) => controls.inject(typeof rule === "string" ? { fault: rule } : rule),
    close: () => close(server),
  };
}

const LOOPBACK = "127.0.0.1";

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

function listen(server: Server, { host = LOOPBACK, port = 0 }: SimulatorOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  return `http://${host}:${typeof address === "object" ? (address?.port ?? 0) : 0}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { type Api, type Call, type Dialect, Rejection, type Reply } from "../core/api.ts";
import { isObject, numberIn, parseJson, textIn } from "../core/json.ts";
import { idFrom } from "../core/text.ts";
import type { World } from "../core/world.ts";
import { encodeReply } from "./encode-reply.ts";
import { type Fault, type FaultPlan, type FaultRule, parseFaults } from "./faults.ts";
import type { Progress, RecordedRequest, Records, Totals } from "./records.ts";
import { type Pace, type Step, sendSteps, stepsOf, type Wait } from "./steps.ts";

export interface ServerContext {
  readonly world: World;
  readonly apis: readonly Api[];
  readonly records: Records;
  readonly faults: FaultPlan;
  readonly pace: Pace;
  readonly wait: Wait;
  readonly controls: Controls;
}

export async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  context: ServerContext,
): Promise<void> {
  const call = makeCall(request, await readBody(request));
  if (isControl(call.path)) return sendSteps(response, planControl(call, context), context.wait);
  const progress = context.records.add(call, context.world.now());
  response.once("close", () => {
    progress.isClosedEarly = !response.writableFinished;
  });
  await sendSteps(response, planAnswer(call, progress, context), context.wait);
}

function planControl({ method, path, body }: Call, { controls }: ServerContext): readonly Step[] {
  const plain = (status: number, body: unknown) =>
    stepsOf(encodeReply({ kind: "json", status, headers: {}, body: body }), { firstByteMs: 0, gapMs: 0 });
  try {
    return plain(200, answerControl(method, path, { body, controls }));
  } catch (error) {
    if (error instanceof Rejection) return plain(error.status, { error: error.message });
    throw error;
  }
}

function makeCall(request: IncomingMessage, bytes: Uint8Array): Call {
  const url = new URL(request.url ?? "/", "http://simulator");
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  const text = Buffer.from(bytes).toString();
  const seed = seedOf(url.pathname, text);
  return {
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(headers),
    bytes,
    seed,
    body: parseJson(text),
    params: [],
    requestId: idFrom("req_", seed),
    record: {},
  };
}

const STREAM_FIELDS = /,?\s*"stream(?:_options)?":\s*(?:true|false|\{[^}]*\})/g;
const STREAM_PATHS = /(?:\/invoke(?:-with-response-stream)?|:(?:stream)?(?:generateContent|rawPredict))$/i;

/** The seed is the same for streamed and plain requests, so that both get the same answer. */
function seedOf(path: string, text: string): string {
  const hash = createHash("sha256").update(path.replace(STREAM_PATHS, ""));
  return hash.update(text.replace(STREAM_FIELDS, "")).digest("base64url");
}

function planAnswer(call: Call, progress: Progress, context: ServerContext): readonly Step[] {
  const found = findRoute(call, context.apis);
  const dialect = found?.api.dialect ?? fallbackDialect(context);
  if (found !== undefined) progress.api = found.api.id;
  let faults: readonly Fault[] = [];
  const reply = answerOrReject({ call, progress, dialect }, () => {
    faults = [...parseFaults(call.headers["x-simulate-fault"] ?? ""), ...context.faults.take(call.path)];
    progress.faults = faults.map(({ name, value }) => (value === "" ? name : `${name}=${value}`));
    for (const { kind, value } of faults) if (kind.refuse !== undefined) throw kind.refuse(value);
    if (found === undefined) throw new Rejection(404, `Invalid URL (${call.method} ${call.path})`);
    return found.route.answer({ ...call, params: found.params }, noticed(context.world, call));
  });
  return applyFaults(reply, faults, { dialect, pace: context.pace });
}

function noticed(world: World, { headers }: Call): World {
  const notice = headers["x-simulate-notice"] ?? "";
  return notice === "" ? world : { ...world, settings: { ...world.settings, notice } };
}

function findRoute({ method, path, headers }: Call, apis: readonly Api[]) {
  const decoded = safeDecode(path);
  for (const api of apis) {
    for (const route of api.routes) {
      const match = route.method === method ? route.pattern.exec(decoded) : null;
      const hasHeader = route.header === undefined || headers[route.header] !== undefined;
      if (match !== null && hasHeader) return { api, route, params: match.slice(1) };
    }
  }
  return undefined;
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function fallbackDialect({ apis }: ServerContext): Dialect {
  const [first] = apis;
  if (first === undefined) throw new Error("a simulator needs at least one API");
  return first.dialect;
}

/** Turns a rejection into the API's error. Anything else that is thrown is a bug of the simulator and reported as one. */
function answerOrReject(
  { call, progress, dialect }: { call: Call; progress: Progress; dialect: Dialect },
  answer: () => Reply,
): Reply {
  try {
    return answer();
  } catch (error) {
    const rejection =
      error instanceof Rejection ? error : new Rejection(500, `internal error of the simulator: ${String(error)}`);
    progress.rejection = rejection;
    return dialect.error(explained(rejection, call), call.requestId);
  }
}

/** Adds the notice behind the message, whose beginning clients may match. */
function explained(rejection: Rejection, { headers }: Call): Rejection {
  const notice = headers["x-simulate-notice"] ?? "";
  if (notice === "") return rejection;
  return new Rejection(rejection.status, `${rejection.message} ${notice}`, rejection.details);
}

/** Applies faults to the reply, then to its bytes, then to the connection. */
function applyFaults(
  reply: Reply,
  faults: readonly Fault[],
  { dialect, pace }: { dialect: Dialect; pace: Pace },
): readonly Step[] {
  let body = reply;
  for (const { kind, value } of faults) body = kind.reply?.(body, value, dialect) ?? body;
  let encoded = encodeReply(body);
  for (const { kind, value } of faults) encoded = kind.encoded?.(encoded, value) ?? encoded;
  let steps = stepsOf(encoded, pace);
  for (const { kind, value } of faults) steps = kind.steps?.(steps, value) ?? steps;
  return steps;
}

async function readBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const compressed = Buffer.concat(chunks);
  const decompress = DECOMPRESSORS[request.headers["content-encoding"] ?? "identity"];
  if (decompress === undefined) return compressed;
  try {
    return decompress(compressed);
  } catch {
    return compressed;
  }
}

const DECOMPRESSORS: Readonly<Record<string, (bytes: Buffer) => Uint8Array>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  deflate: inflateSync,
};

/** The simulator's control API for other processes. */
export interface Controls {
  requests(): readonly RecordedRequest[];
  totals(): Totals;
  inject(rule: FaultRule): void;
  reset(): void;
}

const PREFIX = "/_simulator/";

export function isControl(path: string): boolean {
  return path.startsWith(PREFIX);
}

/** Handles `GET requests`, `GET totals`, `POST faults` and `POST reset`. */
function answerControl(
  method: string,
  path: string,
  { body, controls }: { body: unknown; controls: Controls },
): unknown {
  switch (`${method} ${path.slice(PREFIX.length)}`) {
    case "GET requests":
      return controls.requests();
    case "GET totals":
      return controls.totals();
    case "POST faults":
      controls.inject(readRule(body));
      return {};
    case "POST reset":
      controls.reset();
      return {};
    default:
      throw new Rejection(404, `${method} ${path} not found; the simulator has requests, totals, faults and reset`);
  }
}

function readRule(body: unknown): FaultRule {
  if (!isObject(body) || textIn(body.fault) === "")
    throw new Rejection(400, 'the body needs a fault, such as { "fault": "status=429", "times": 2 }');
  const times = numberIn(body.times);
  const path = textIn(body.path);
  return { fault: textIn(body.fault), ...(times !== undefined && { times }), ...(path !== "" && { path }) };
}

import { setTimeout as waitFor } from "node:timers/promises";
import {
  type ErrorCode,
  isJsonObject,
  type JsonObject,
  LonghaulError,
  parseJsonText,
  type Request,
  table,
  textMessage,
} from "@longhaul/conversation/advanced";
import { destinationAt, plainHeaders, spendingOf, wireDestination } from "@longhaul/fit";
import { mergeContext } from "@longhaul/settings";
import { callModel, messageForOperators, readRefusal, readWhole, type UpstreamHandle } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import type { TestedUpstreamAnswer } from "../api/sections.ts";
import type { AdminSnapshot } from "../host/admin-host.ts";
import type { RecordCall } from "../host/own-calls.ts";

/** The result of a test request to an upstream. */
export type TestedUpstream = Omit<TestedUpstreamAnswer, "ms">;

export interface TestContext {
  readonly snapshot: Pick<AdminSnapshot, "config" | "catalog" | "handles" | "redact">;
  readonly signal: AbortSignal;
  /** Called with the request to a model, even if it failed. */
  readonly record: RecordCall;
}

const TIMEOUT_MS = 30_000;
const LATE = `no answer within ${TIMEOUT_MS / 1_000} s`;
/** OpenAI's minimum. */
const REPLY_TOKENS = 16;
const MAX_REPLY_CHARACTERS = 1_000;

/** Requests an upstream's model list, or a few tokens from one of its models. An upstream's failure is part of the result, not thrown. */
export async function testUpstream(
  id: string,
  model: string | undefined,
  context: TestContext,
): Promise<TestedUpstream> {
  const [handle] = context.snapshot.handles.get(id) ?? [];
  if (handle === undefined) throw new LonghaulError("request.not-kept", `upstream "${id}" is not configured`);
  try {
    return model === undefined ? await listAt(handle, context) : await askAt(id, { model, handle }, context);
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    const failure = isLate ? new LonghaulError("upstream.timeout", LATE) : error;
    if (!(failure instanceof LonghaulError)) throw error;
    return failed(failure, { model, handle }, context);
  }
}

interface Asked {
  readonly handle: UpstreamHandle;
  readonly model?: string | undefined;
  /** Replaces the error's message. */
  readonly message?: string;
}

function failed(error: LonghaulError, asked: Asked, { snapshot }: TestContext): TestedUpstream {
  const outcome = outcomeOf(error, asked);
  const hint = outcome === "key-missing" ? " (the gateway has no key for it; clients send their own)" : "";
  return { outcome, models: [], why: `${snapshot.redact(asked.message ?? messageForOperators(error))}${hint}` };
}

function outcomeOf(error: LonghaulError, { handle, model }: Asked): TestedUpstream["outcome"] {
  if (error.code !== "upstream.refused") return OUTCOMES[error.code] ?? "refused";
  if (isAboutKey(error)) return handle.connection.upstream.auth.kind === "client" ? "key-missing" : "key-refused";
  if (error.status !== 404) return "refused";
  return model === undefined ? "unknown-path" : "unknown-model";
}

const OUTCOMES: { readonly [Code in ErrorCode]?: TestedUpstream["outcome"] } = table({
  "upstream.busy": "busy",
  "upstream.timeout": "late",
  "upstream.unreachable": "unreachable",
  "upstream.broken": "broken",
});

/** Gemini rejects a wrong key with 400 and a reason in the details. */
function isAboutKey({ status, cause }: LonghaulError): boolean {
  if (status === 400) return JSON.stringify(cause)?.includes('"reason":"API_KEY_INVALID"') === true;
  return status === 401 || status === 403;
}

async function listAt(handle: UpstreamHandle, context: TestContext): Promise<TestedUpstream> {
  const { connection } = handle;
  const { id, deployment } = connection.upstream;
  const wire = deployment.wires[0] ?? "openai-chat";
  const headers = plainHeaders({}, wire);
  const outgoing = { wire, action: "list-models", method: "GET", model: "", stream: false, headers } as const;
  if (deployment.path(outgoing) === undefined) {
    return { outcome: "unlisted", models: [], why: `upstream "${id}" has no model list; name a model to test` };
  }
  const answer = await connection.send(outgoing, AbortSignal.any([context.signal, AbortSignal.timeout(TIMEOUT_MS)]));
  if (answer.status >= 400) {
    const { error } = await readRefusal(answer, codecOf(wire));
    return failed(error, { handle, message: `status ${answer.status}: ${error.message}` }, context);
  }
  return { outcome: "working", models: namesIn((await readWhole(answer.body)).toString("utf8")) };
}

/** OpenAI and Anthropic return `data` with ids, Gemini `models` with names. */
function namesIn(text: string): string[] {
  const { data, models } = objectIn(text);
  const entries = [data, models].find((list) => Array.isArray(list));
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry) => {
    const { id, name } = isJsonObject(entry) ? entry : {};
    return [id, name].find((each) => typeof each === "string") ?? [];
  });
}

function objectIn(text: string): JsonObject {
  try {
    const value: unknown = parseJsonText(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Reported below.
  }
  throw new LonghaulError("upstream.broken", "the response is not a model list; check the upstream's baseUrl");
}

async function askAt(
  id: string,
  { model, handle }: { model: string; handle: UpstreamHandle },
  context: TestContext,
): Promise<TestedUpstream> {
  const { snapshot, signal } = context;
  const wire = handle.connection.upstream.deployment.wires[0] ?? "openai-chat";
  const options = {
    requested: model,
    wire,
    snapshot,
    isRenamed: false,
    context: mergeContext(snapshot.config.context),
  };
  const destination = destinationAt(id, options);
  const request: Request = {
    model: destination.model,
    conversation: { system: [], tools: [], messages: [textMessage("user", "Say OK.")] },
    stream: false,
    maxOutputTokens: REPLY_TOKENS,
    sampling: {},
  };
  const { body } = codecOf(destination.wire).encodeRequest(request, wireDestination(destination));
  const outgoing = {
    wire: destination.wire,
    action: "generate",
    method: "POST",
    model: destination.model,
    stream: false,
    body: new TextEncoder().encode(JSON.stringify(body)),
    headers: plainHeaders({}, destination.wire),
  } as const;
  const target = destination.handle;
  const call = { handle: target, outgoing, promptTokens: REPLY_TOKENS, maxCharacters: MAX_REPLY_CHARACTERS };
  const wait = (ms: number) => waitFor(ms, undefined, { signal });
  const startedMs = performance.now();
  const called = await callModel(call, { random: Math.random, wait, timeoutMs: TIMEOUT_MS }, signal);
  context.record({
    ...{ action: "test" as const, upstream: id, model: destination.model, ms: performance.now() - startedMs },
    ...spendingOf(called.usages, destination.match.model),
    ...(called.kind === "error" && { errorCode: called.error.code }),
  });
  if (called.kind === "error") return failed(called.error, { model, handle: target }, context);
  const reply = called.reply.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  return { outcome: "working", models: [], reply };
}

import { setTimeout as waitFor } from "node:timers/promises";
import { isJsonObject, type JsonObject, LonghaulError, type Request, textMessage } from "@longhaul/conversation";
import { mergeContext } from "@longhaul/settings";
import { codecOf } from "@longhaul/wire";
import { plainHeaders } from "../headers-for.ts";
import { readRefusal, readWhole } from "../sending/read-answer.ts";
import type { Place, Snapshot } from "../snapshot.ts";
import { callModel } from "../summaries/call-model.ts";
import { targetAt } from "../target-at.ts";
import { wireTarget } from "../wire-target.ts";

/** How an upstream answered. */
export interface Tested {
  readonly isWorking: boolean;
  readonly models: string[];
  readonly reply?: string;
  readonly why?: string;
}

/** What trying takes from outside. */
export interface TestContext {
  readonly snapshot: Snapshot;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 30_000;
/** OpenAI takes no fewer. */
const REPLY_TOKENS = 16;
const MAX_REPLY_CHARACTERS = 1_000;

/** Asks an upstream for its models, or one of them for a few tokens. What fails there is told, not thrown. */
export async function testUpstream(id: string, model: string | undefined, context: TestContext): Promise<Tested> {
  const [place] = context.snapshot.places.get(id) ?? [];
  if (place === undefined) throw new LonghaulError("request.not-kept", `no upstream "${id}" is running here`);
  try {
    return model === undefined ? await listAt(place, context) : await askAt(id, { model, place }, context);
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === "TimeoutError";
    if (isLate) return failed(`it did not answer within ${TIMEOUT_MS / 1_000} s`, place, context);
    if (!(error instanceof LonghaulError)) throw error;
    return failed(error.message, place, context);
  }
}

function failed(why: string, { connection }: Place, { snapshot }: TestContext): Tested {
  const { auth } = connection.upstream;
  const hint = auth.kind === "client" ? " (it has no key of its own here: clients bring theirs)" : "";
  return { isWorking: false, models: [], why: `${snapshot.redact(why)}${hint}` };
}

async function listAt(place: Place, context: TestContext): Promise<Tested> {
  const { connection } = place;
  const { id, deployment } = connection.upstream;
  const wire = deployment.wires[0] ?? "openai-chat";
  const headers = plainHeaders({}, wire);
  const outgoing = { wire, action: "list-models", method: "GET", model: "", stream: false, headers } as const;
  if (deployment.path(outgoing) === undefined) {
    return failed(`upstream "${id}" lists no models; name one to be asked`, place, context);
  }
  const answer = await connection.send(outgoing, AbortSignal.any([context.signal, AbortSignal.timeout(TIMEOUT_MS)]));
  if (answer.status >= 400) {
    const { error } = await readRefusal(answer, codecOf(wire));
    return failed(`it answered with status ${answer.status}: ${error.message}`, place, context);
  }
  return { isWorking: true, models: namesIn((await readWhole(answer.body)).toString("utf8")) };
}

/** OpenAI and Anthropic list `data` with ids, Gemini `models` with names. */
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
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Said below.
  }
  throw new LonghaulError("upstream.broken", "it answered with something else than a list of models");
}

async function askAt(
  id: string,
  { model, place }: { model: string; place: Place },
  context: TestContext,
): Promise<Tested> {
  const { snapshot, signal } = context;
  const wire = place.connection.upstream.deployment.wires[0] ?? "openai-chat";
  const wish = { wished: model, wire, snapshot, isRenamed: false, context: mergeContext(snapshot.config.context) };
  const target = targetAt(id, wish);
  const request: Request = {
    model: target.model,
    conversation: { system: [], tools: [], messages: [textMessage("user", "Say OK.")] },
    stream: false,
    maxOutputTokens: REPLY_TOKENS,
    sampling: {},
  };
  const { body } = codecOf(target.wire).encodeRequest(request, wireTarget(target));
  const outgoing = {
    wire: target.wire,
    action: "generate",
    method: "POST",
    model: target.model,
    stream: false,
    body: new TextEncoder().encode(JSON.stringify(body)),
    headers: plainHeaders({}, target.wire),
  } as const;
  const call = { target, outgoing, promptTokens: REPLY_TOKENS, maxCharacters: MAX_REPLY_CHARACTERS };
  const wait = (ms: number) => waitFor(ms, undefined, { signal });
  const called = await callModel(call, { random: Math.random, wait, timeoutMs: TIMEOUT_MS }, signal);
  if (called.kind === "error") return failed(called.error.message, target.place, context);
  const reply = called.reply.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  return { isWorking: true, models: [], reply };
}

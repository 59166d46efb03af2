import type { Call } from "../core/api.ts";
import { type Piece, totalOf } from "../core/automatic-caching.ts";
import { type Output, writeAnswer } from "../core/compose.ts";
import { isGiven, type JsonObject, numberIn, objectIn, objectsIn, omit, textIn } from "../core/json.ts";
import { recordBill } from "../core/money.ts";
import type { Prompt, PromptTurn } from "../core/prompt.ts";
import { idFrom } from "../core/text.ts";
import type { World } from "../core/world.ts";
import type { OpenaiRequest } from "../openai/api.ts";
import { billedOf, billPrompt, type PromptBill } from "../openai/prompt-bill.ts";
import { piecesOf } from "./caching.ts";
import { ENCRYPTED_PREFIX, openSeal } from "./check-items.ts";
import { mustCall } from "./check-request.ts";
import { type FinishedResponse, itemsOf, usageOf } from "./reply.ts";
import { isCall, isResult, textsIn, toolsOf, typeOf } from "./request.ts";

export interface AnswerContext {
  readonly request: OpenaiRequest;
  readonly call: Call;
  readonly world: World;
  /** The items that the model sees; `pieces` are the same as parts of the prompt. */
  readonly items: readonly JsonObject[];
  readonly pieces: readonly Piece[];
}

export function makeContext(context: Omit<AnswerContext, "pieces">): AnswerContext {
  return { ...context, pieces: piecesOf(context.request.body, context.items, context.world) };
}

export function finish(context: AnswerContext): FinishedResponse {
  const { request, call, items, pieces, world } = context;
  const threshold = compactThreshold(request.body);
  const tokens = totalOf(pieces);
  if (isTriggered(items)) return finishCompaction(context);
  if (threshold !== undefined && tokens >= threshold) return finishCompacted(context);
  const bill = billPrompt(pieces, request, world);
  const output = write(context, promptOf(request, items, world), tokens);
  recordCall(context, [billedOf(bill, output.tokens)], output);
  const made = itemsOf(output, { body: request.body, items, mark: markOf(call), world });
  return { ...baseResponse(context), output: made, status: statusOf(output), usage: usageOf(bill, output) };
}

function finishCompaction(context: AnswerContext): FinishedResponse {
  const { item, bill, tokens } = compact(context);
  recordBill(context.call.record, context.request.model, [billedOf(bill, tokens)]);
  return { ...baseResponse(context), output: [item], status: "completed", usage: usageOf(bill, { tokens }) };
}

/** Compacts first, then answers from the summary. */
function finishCompacted(context: AnswerContext): FinishedResponse {
  const { request, call, items, world } = context;
  const { item, bill, tokens } = compact(context);
  const pieces = piecesOf(request.body, [item], world);
  const second = billPrompt(pieces, request, world);
  const output = write(context, promptOf(request, items, world), totalOf(pieces));
  recordCall(context, [billedOf(bill, tokens), billedOf(second, output.tokens)], output);
  const made = itemsOf(output, { body: request.body, items, mark: markOf(call), world });
  return {
    ...baseResponse(context),
    output: [item, ...made],
    status: statusOf(output),
    usage: usageOf(second, output),
  };
}

export function compact(context: AnswerContext): { item: JsonObject; bill: PromptBill; tokens: number } {
  const { request, call, items, pieces, world } = context;
  call.record.compactions = 1;
  const prompt = promptOf(request, items, world);
  const ask = { role: "user" as const, texts: ["Summarize the conversation."], calls: [], results: [] };
  const output = write(
    context,
    { ...prompt, turns: [...prompt.turns, ask], tools: [], thinks: false },
    totalOf(pieces),
  );
  const item = makeCompaction(`cmp_${markOf(call)}`, output.text, world);
  return { item, bill: billPrompt(pieces, request, world), tokens: output.tokens };
}

export function baseResponse({ request, call, world }: AnswerContext) {
  return {
    id: idFrom("resp_", call.seed),
    created: Math.floor(world.now() / 1_000),
    body: omit(request.body, "input"),
    error: null,
  };
}

/** The part that all ids of a response share. */
export function markOf({ seed }: Call): string {
  return idFrom("", seed);
}

function write({ request, call, world }: AnswerContext, prompt: Prompt, promptTokens: number): Output {
  const maxTokens = numberIn(request.body.max_output_tokens) ?? request.model.maxOutput;
  return writeAnswer(prompt, { seed: call.seed, maxTokens, roomTokens: request.model.window - promptTokens }, world);
}

function statusOf({ stop }: Output): FinishedResponse["status"] {
  return stop === "length" || stop === "window" ? "incomplete" : "completed";
}

function recordCall({ call, request }: AnswerContext, rounds: Parameters<typeof recordBill>[2], output: Output): void {
  recordBill(call.record, request.model, rounds);
  call.record.thinkingTokens = output.thinking?.tokens ?? 0;
}

/** Returns what the model sees: the last compaction item and everything after it. */
export function sinceCompaction(items: readonly JsonObject[]): readonly JsonObject[] {
  const last = items.findLastIndex(({ type }) => type === "compaction");
  return items.slice(Math.max(0, last));
}

/** The input size from which the request wants its items compacted; `undefined` if it does not. */
export function compactThreshold({ context_management }: JsonObject): number | undefined {
  return objectsIn(context_management)
    .filter(({ type }) => type === "compaction")
    .map(({ compact_threshold }) => numberIn(compact_threshold))
    .find((threshold) => threshold !== undefined);
}

/** Whether the request asks only for compaction. */
export function isTriggered(items: readonly JsonObject[]): boolean {
  return items.at(-1)?.type === "compaction_trigger";
}

export function makeCompaction(id: string, summary: string, { seals }: World): JsonObject {
  return { id, type: "compaction", encrypted_content: `${ENCRYPTED_PREFIX}${seals.seal("compaction", { summary })}` };
}

export function promptOf({ body, model }: OpenaiRequest, items: readonly JsonObject[], world: World): Prompt {
  const format = objectIn(objectIn(body.text).format);
  const choice = mustCall(body);
  return {
    api: "openai-responses",
    model: model.id,
    system: textIn(body.instructions),
    turns: items.flatMap((item) => turnOf(item, world)),
    tools: toolsOf(body, items)
      .filter(({ tool }) => isGiven(tool.name))
      .map(({ tool: { name, parameters } }) => ({ name: textIn(name), schema: objectIn(parameters) })),
    ...(choice !== undefined && { mustCall: choice }),
    ...(format.type === "json_schema" && { outputSchema: objectIn(format.schema) }),
    ...(format.type === "json_object" && { outputSchema: {} }),
    thinks: model.reasoning.kind !== "none" && (objectIn(body.reasoning).effort ?? "on") !== "none",
    stopSequences: [],
  };
}

function turnOf(item: JsonObject, world: World): readonly PromptTurn[] {
  const id = textIn(item.call_id);
  const nothing = { texts: [], calls: [], results: [] };
  if (typeOf(item) === "message") return [{ ...nothing, role: roleOf(item), texts: textsIn(item.content) }];
  if (isCall(item))
    return [{ ...nothing, role: "assistant", texts: [textIn(item.arguments ?? item.input)], calls: [id] }];
  if (isResult(item)) return [{ ...nothing, role: "user", texts: textsIn(item.output), results: [id] }];
  if (item.type !== "compaction") return [];
  return [{ ...nothing, role: "assistant", texts: [textIn(openSeal(item, "compaction", world)?.summary)] }];
}

function roleOf({ role }: JsonObject): PromptTurn["role"] {
  if (role === "assistant") return "assistant";
  return role === "system" || role === "developer" ? "system" : "user";
}

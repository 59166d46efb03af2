import type { Call } from "../core/api.ts";
import { type Piece, totalOf } from "../core/automatic-caching.ts";
import { compose } from "../core/compose.ts";
import { idFrom } from "../core/digest.ts";
import { type JsonObject, numberIn, omit } from "../core/json.ts";
import { limitDraft, type Output } from "../core/limit.ts";
import { noteBill } from "../core/money.ts";
import type { Prompt } from "../core/prompt.ts";
import type { World } from "../core/world.ts";
import { billedOf, billPrompt, type PromptBill } from "../openai/prompt-bill.ts";
import { piecesOf } from "./caching.ts";
import { compactThreshold, isTriggered, makeCompaction } from "./compaction.ts";
import { promptOf } from "./prompt.ts";
import { type FinishedResponse, itemsOf, usageOf } from "./reply.ts";
import type { ResponsesRequest } from "./request.ts";

/** What answering one request is about. */
export interface Turn {
  readonly request: ResponsesRequest;
  readonly call: Call;
  readonly world: World;
  /** What the model sees, as items and as stretches of the prompt. */
  readonly items: readonly JsonObject[];
  readonly pieces: readonly Piece[];
}

/** A turn whose model sees the given items. */
export function openTurn(turn: Omit<Turn, "pieces">): Turn {
  return { ...turn, pieces: piecesOf(turn.request.body, turn.items, turn.world) };
}

/** Composes the reply to what the model sees, compacting first where the request asks for it. */
export function finish(turn: Turn): FinishedResponse {
  const { request, call, items, pieces, world } = turn;
  const threshold = compactThreshold(request.body);
  const tokens = totalOf(pieces);
  if (isTriggered(items)) return finishCompaction(turn);
  if (threshold !== undefined && tokens >= threshold) return finishCompacted(turn);
  const bill = billPrompt(pieces, request, world);
  const output = write(turn, promptOf(request, items, world), tokens);
  note(turn, [billedOf(bill, output.tokens)], output);
  const made = itemsOf(output, { body: request.body, items, mark: markOf(call), world });
  return { ...shell(turn), output: made, status: statusOf(output), usage: usageOf(bill, output) };
}

/** Only the compaction that was asked for. */
function finishCompaction(turn: Turn): FinishedResponse {
  const { item, bill, tokens } = compact(turn);
  noteBill(turn.call.notes, turn.request.model, [billedOf(bill, tokens)]);
  return { ...shell(turn), output: [item], status: "completed", usage: usageOf(bill, { tokens }) };
}

/** Compacts first, then answers from the summary. */
function finishCompacted(turn: Turn): FinishedResponse {
  const { request, call, items, world } = turn;
  const { item, bill, tokens } = compact(turn);
  const pieces = piecesOf(request.body, [item], world);
  const second = billPrompt(pieces, request, world);
  const output = write(turn, promptOf(request, items, world), totalOf(pieces));
  note(turn, [billedOf(bill, tokens), billedOf(second, output.tokens)], output);
  const made = itemsOf(output, { body: request.body, items, mark: markOf(call), world });
  return { ...shell(turn), output: [item, ...made], status: statusOf(output), usage: usageOf(second, output) };
}

/** A summary of what the model sees, as an item that only the API can read. */
export function compact(turn: Turn): { item: JsonObject; bill: PromptBill; tokens: number } {
  const { request, call, items, pieces, world } = turn;
  call.notes.compactions = 1;
  const prompt = promptOf(request, items, world);
  const ask = { role: "user" as const, texts: ["Summarize the conversation."], calls: [], results: [] };
  const output = write(turn, { ...prompt, turns: [...prompt.turns, ask], tools: [], thinks: false }, totalOf(pieces));
  const item = makeCompaction(`cmp_${markOf(call)}`, output.text, world);
  return { item, bill: billPrompt(pieces, request, world), tokens: output.tokens };
}

/** What a response says whatever becomes of it. */
export function shell({ request, call, world }: Turn) {
  return {
    id: idFrom("resp_", call.seed),
    created: Math.floor(world.now() / 1_000),
    body: omit(request.body, "input"),
    error: null,
  };
}

/** The part that all ids of an answer share. */
export function markOf({ seed }: Call): string {
  return idFrom("", seed);
}

function write({ request, call, world }: Turn, prompt: Prompt, promptTokens: number): Output {
  const { tokenizer, script, settings } = world;
  const maxTokens = numberIn(request.body.max_output_tokens) ?? request.model.maxOutput;
  const draft = compose(prompt, { tokenizer, script, ...settings, seed: call.seed, maxTokens });
  const limits = { maxTokens, roomTokens: request.model.window - promptTokens, stopSequences: prompt.stopSequences };
  return limitDraft(draft, limits, tokenizer);
}

function statusOf({ stop }: Output): FinishedResponse["status"] {
  return stop === "length" || stop === "window" ? "incomplete" : "completed";
}

function note({ call, request }: Turn, rounds: Parameters<typeof noteBill>[2], output: Output): void {
  noteBill(call.notes, request.model, rounds);
  call.notes.thinkingTokens = output.thinking?.tokens ?? 0;
}

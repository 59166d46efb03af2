import { type Call, jsonReply, type Reply } from "../core/api.ts";
import { type Output, writeAnswer } from "../core/compose.ts";
import { isGiven, type JsonObject, numberIn, objectIn, objectsIn, textIn, textsIn } from "../core/json.ts";
import { type Billed, recordBill } from "../core/money.ts";
import type { Prompt, PromptTurn } from "../core/prompt.ts";
import { idFrom } from "../core/text.ts";
import type { World } from "../core/world.ts";
import { type Binding, checkBinding } from "./binding.ts";
import { billedOf, billPrompt, iterationOf, type PromptBill, usageOf } from "./caching.ts";
import { checkMessages, checkToolLoop } from "./check-messages.ts";
import { checkRequest, type Purpose } from "./check-request.ts";
import { checkCompaction, compactionTrigger, makeCompaction } from "./compaction.ts";
import { contentOf, eventsOf, type FinishedMessage, messageOf, stopReason } from "./reply.ts";
import { blocksIn, editsIn, hasBeta, type Message, type MessagesRequest, thinkingType } from "./request.ts";
import { checkWindow, compactedView, type View, viewOf, windowOf } from "./view.ts";

export function answerMessages(request: MessagesRequest, call: Call, world: World): Reply {
  const { binding, view, window } = readRequest(request, "answer", world);
  const context: AnswerContext = { request, call, world, binding, view, window, bill: bill(request, view, world) };
  const finished = isGiven(request.body.compaction) ? compactOnDemand(context) : reply(context);
  const headers = { "request-id": call.requestId, ...rateLimits(request) };
  if (!request.isStream) return jsonReply(messageOf(finished), headers);
  return { kind: "stream", headers, framing: "sse", events: eventsOf(finished, world.settings.deltaChars) };
}

export function countTokens(request: MessagesRequest, call: Call, world: World): Reply {
  const { view } = readRequest(request, "count", world);
  const isEdited = editsIn(request.body).length > 0;
  const body = {
    input_tokens: view.tokens,
    ...(isEdited && { context_management: { original_input_tokens: view.originalTokens } }),
  };
  return jsonReply(body, { "request-id": call.requestId });
}

function readRequest(request: MessagesRequest, purpose: Purpose, world: World) {
  checkRequest(request, purpose);
  checkCompaction(request, world);
  checkMessages(request);
  checkToolLoop(request);
  const binding = checkBinding(request, world);
  const view = viewOf(request, binding, world);
  const window = windowOf(request, world);
  if (purpose === "answer") checkWindow(request, view.tokens, window);
  return { binding, view, window };
}

interface AnswerContext {
  readonly request: MessagesRequest;
  readonly call: Call;
  readonly world: World;
  readonly binding: Binding;
  readonly view: View;
  readonly window: number;
  readonly bill: PromptBill;
}

function bill({ body, model, credential }: MessagesRequest, { segments }: View, world: World): PromptBill {
  const { cache_control } = body;
  const ttl = objectIn(cache_control).ttl === "1h" ? "1h" : "5m";
  return billPrompt({ segments, model, credential, ...(isGiven(cache_control) && { automatic: ttl }) }, world);
}

function reply(context: AnswerContext): FinishedMessage {
  const trigger = compactionTrigger(context.request.body);
  if (trigger !== undefined && context.view.tokens >= trigger.tokens) return replyCompacted(context, trigger);
  const output = write(context, promptOf(context.request));
  recordCall(context, [billedOf(context.bill, output.tokens)], output);
  return finish(
    context,
    output,
    usageOf(context.bill, { output: output.tokens, thinking: output.thinking?.tokens ?? 0 }),
  );
}

/** Compacts first, then answers from the summary. The two rounds are billed separately; the top-level figures are the second's. */
function replyCompacted(
  context: AnswerContext,
  { pauses, instructions }: { pauses: boolean; instructions: string },
): FinishedMessage {
  const { request, world, bill: first } = context;
  const summary = summarize(context, instructions);
  const block = makeCompaction(world, { summary: summary.text, anchor: context.binding.anchor, isSigned: false });
  const rounds = [iterationOf("compaction", first, summary.tokens)];
  const usageAtStart = usageOf(first, { output: 1, thinking: 0 });
  if (pauses) {
    recordCall(context, [billedOf(first, summary.tokens)], summary);
    const none = { input: 0, read: 0, write5m: 0, write1h: 0 };
    const usage = { ...usageOf(none, { output: 0, thinking: 0 }), iterations: rounds };
    return { ...finish(context, summary, usage), content: [block], stopReason: "compaction", usageAtStart };
  }
  const view = compactedView(context.view, { body: request.body, block }, world);
  const second = bill(request, view, world);
  const output = write({ ...context, view }, promptOf(request));
  recordCall(context, [billedOf(first, summary.tokens), billedOf(second, output.tokens)], output);
  const tokens = { output: output.tokens, thinking: output.thinking?.tokens ?? 0 };
  const usage = { ...usageOf(second, tokens), iterations: [...rounds, iterationOf("message", second, output.tokens)] };
  const finished = finish(context, output, usage);
  return { ...finished, content: [block, ...finished.content], usageAtStart };
}

function compactOnDemand(context: AnswerContext): FinishedMessage {
  const { request, world, binding } = context;
  const summary = summarize(context, textIn(objectIn(request.body.compaction).instructions));
  recordCall(context, [billedOf(context.bill, summary.tokens)], summary);
  const block = makeCompaction(world, { summary: summary.text, anchor: binding.anchor, isSigned: true });
  const usage = usageOf(context.bill, { output: summary.tokens, thinking: 0 });
  return { ...finish(context, summary, usage), content: [block], stopReason: "compaction" };
}

const SUMMARIZE = "Summarize the conversation.";

/** Asks the model for the summary like a user would, so that scripts see it. A refusal or an empty answer counts as a failure. */
function summarize(context: AnswerContext, instructions: string): Output {
  context.call.record.compactions = 1;
  const prompt = promptOf(context.request);
  const ask = { role: "user" as const, texts: [instructions.trim() || SUMMARIZE], calls: [], results: [] };
  const output = write(context, { ...prompt, turns: [...prompt.turns, ask], tools: [], thinks: false });
  return output.stop === "refusal" ? { ...output, text: "" } : output;
}

function write({ request, world, view, window, call }: AnswerContext, prompt: Prompt): Output {
  const maxTokens = numberIn(request.body.max_tokens) ?? 0;
  return writeAnswer(prompt, { seed: call.seed, maxTokens, roomTokens: window - view.tokens }, world);
}

function finish(context: AnswerContext, output: Output, usage: JsonObject): FinishedMessage {
  const { request, binding, world, call, view } = context;
  const isEdited = editsIn(request.body).length > 0;
  return {
    id: idFrom("msg_", call.seed),
    model: textIn(request.body.model) || request.model.id,
    content: contentOf(output, { request, anchor: binding.anchor, world }),
    stopReason: stopReason(output.stop),
    stopSequence: output.stopSequence ?? null,
    usage,
    usageAtStart: usage,
    extra: {
      ...(isEdited && { context_management: { applied_edits: view.applied } }),
      ...(hasBeta(request, "thinking-binding") && { input_transformations: binding.dropped }),
    },
  };
}

function recordCall({ call, request }: AnswerContext, rounds: readonly Billed[], output: Output): void {
  recordBill(call.record, request.model, rounds);
  call.record.thinkingTokens = output.thinking?.tokens ?? 0;
}

function rateLimits({ api }: MessagesRequest): Readonly<Record<string, string>> {
  if (api !== "anthropic") return {};
  return {
    "anthropic-organization-id": "00000000-0000-4000-8000-000000000000",
    "anthropic-ratelimit-requests-limit": "4000",
    "anthropic-ratelimit-requests-remaining": "3999",
    "anthropic-ratelimit-input-tokens-limit": "2000000",
    "anthropic-ratelimit-input-tokens-remaining": "2000000",
  };
}

export function promptOf(request: MessagesRequest): Prompt {
  const { api, body, model, messages } = request;
  const { type, name } = objectIn(body.tool_choice);
  const format = objectIn(objectIn(body.output_config).format);
  return {
    api,
    model: model.id,
    system: blocksIn(body.system)
      .map(({ text }) => textIn(text))
      .join("\n"),
    turns: messages.map(turnOf),
    tools: objectsIn(body.tools).map((tool) => ({ name: textIn(tool.name), schema: objectIn(tool.input_schema) })),
    ...(type === "any" && { mustCall: "any" }),
    ...(type === "tool" && { mustCall: textIn(name) }),
    ...(isGiven(format.schema) && { outputSchema: objectIn(format.schema) }),
    thinks: thinkingType(request) !== "disabled",
    stopSequences: textsIn(body.stop_sequences),
  };
}

function turnOf({ role, blocks }: Message): PromptTurn {
  return {
    role: role === "assistant" || role === "system" ? role : "user",
    texts: blocks.filter(({ type }) => type !== "thinking").flatMap(textsOf),
    calls: blocks.filter(({ type }) => type === "tool_use").map(({ id }) => textIn(id)),
    results: blocks.filter(({ type }) => type === "tool_result").map(({ tool_use_id }) => textIn(tool_use_id)),
  };
}

function textsOf(block: Message["blocks"][number]): readonly string[] {
  switch (block.type) {
    case "text":
      return [textIn(block.text)];
    case "compaction":
      return [textIn(block.content)];
    case "tool_use":
      return [JSON.stringify(block.input)];
    case "tool_result":
      return blocksIn(block.content).map(({ text }) => textIn(text));
    default:
      return [];
  }
}

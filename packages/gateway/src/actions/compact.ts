import { askFor, SUMMARY_PROMPT } from "@longhaul/condense/advanced";
import {
  type Block,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LonghaulError,
  type Message,
  NO_USAGE,
  type Reply,
  type Usage,
} from "@longhaul/conversation/advanced";
import { type Destination, decode, decodePaced, openFitRequest, sealSummary, summaryIn } from "@longhaul/fit";
import { asBuffer } from "@longhaul/upstream";
import type { Codec } from "@longhaul/wire";
import { jsonOutcome, type Outcome } from "../http/outcome.ts";
import type { Call, Received, RequestContext } from "../request/request-context.ts";
import { isKept, recall, remember } from "../stages/recall.ts";
import { resolve, routeQueryOf } from "../stages/resolve.ts";
import { Refusal } from "../stages/send.ts";
import { requestedSummarizer } from "../stages/summarize.ts";
import { replyOutcome } from "../stages/translator.ts";

const MAX_SUMMARY_TOKENS = 4_000;
/** Of a summary, roughly. */
const CHARACTERS_PER_TOKEN = 4;

/** Compacts a conversation for a Responses API client whose upstream cannot: returns the user's messages and one summary of everything. */
export async function compact(received: Received, context: RequestContext): Promise<Outcome> {
  const endpoint = { wire: received.endpoint.wire, action: "generate", method: "POST" } as const;
  const call = recall(await decodePaced({ ...received, endpoint }), context);
  await call.prepare();
  const { text, usage } = await summarize(call, context);
  const { messages } = call.wholeRequest().conversation;
  const id = idOf(call);
  return jsonOutcome({
    id: `resp_${id}`,
    object: "response.compaction",
    created_at: context.nowSeconds(),
    output: [
      ...messages.flatMap(userItem).map((item, index) => ({ id: `msg_${id}_${index}`, ...item })),
      { id: `cmp_${id}`, type: "compaction", encrypted_content: sealSummary(text) },
    ],
    usage: encodeUsage(usage, call.codec),
  });
}

/** The last item of an input that asks for a compaction instead of an answer. Codex sends it. */
const TRIGGER = "compaction_trigger";

interface Resolved {
  readonly received: Received;
  readonly call: Call;
  readonly destinations: readonly Destination[];
}

/** Answers a call. If it asks for a compaction, the gateway makes one if the upstream speaks another format or does not know the trigger. */
export async function answerOrCompact(
  { received, call, destinations }: Resolved,
  context: RequestContext,
  answer: () => Promise<Outcome>,
): Promise<Outcome> {
  if (!asksToCompact(call)) return await answer();
  if (destinations[0]?.wire !== call.codec.id) return await compactOnTrigger(received, context);
  return await answer().catch((error: unknown) => {
    if (error instanceof Refusal && error.error.code === "upstream.refused") return compactOnTrigger(received, context);
    throw error;
  });
}

/** Whether a call asks for a compaction of its input instead of an answer. */
function asksToCompact({ body, codec, endpoint, value }: Call): boolean {
  if (codec.traits.compaction !== "item" || codec.id !== endpoint.wire) return false;
  return asBuffer(body).includes(`"${TRIGGER}"`) && itemsBeforeTrigger(value()) !== undefined;
}

/** Returns the items before the trigger that ends an input; undefined if it ends with something else. */
function itemsBeforeTrigger({ input = null }: JsonObject): readonly JsonValue[] | undefined {
  if (!isJsonArray(input)) return undefined;
  const last = input.at(-1);
  return last !== undefined && isJsonObject(last) && last.type === TRIGGER ? input.slice(0, -1) : undefined;
}

/** Returns one compaction item, which every upstream can read later. */
async function compactOnTrigger(received: Received, context: RequestContext): Promise<Outcome> {
  const value = decode(received).value();
  const input = itemsBeforeTrigger(value) ?? [];
  const call = recall(decode({ ...received, body: Buffer.from(JSON.stringify({ ...value, input })) }), context);
  const { text, usage } = await summarize(call, context);
  const id = idOf(call);
  const encrypted = sealSummary(text);
  const block: Block = { type: "compaction", text: null, encrypted, vendor: "openai" };
  const reply: Reply = { id: `resp_${id}`, model: call.model, blocks: [block], stopReason: "end", usage };
  const writing = { createdSeconds: context.nowSeconds() };
  if (isKept(call, context)) remember(call, call.codec.encodeReply(reply, writing), context);
  return replyOutcome(call, reply, writing);
}

function idOf({ id }: Call): string {
  return id.replace(/^lh_/, "");
}

/** Summarizes the whole conversation; an earlier summary is updated. */
async function summarize(call: Call, context: RequestContext) {
  const [destination] = resolve(routeQueryOf(call), context.snapshot);
  if (destination === undefined)
    throw new LonghaulError(
      "route.unknown",
      `no upstream serves the model "${call.model}"; list the models with GET /v1/models`,
      { param: "model" },
    );
  const { record, memory, snapshot } = context;
  record.model = call.model;
  record.sentTo = { upstream: destination.handle.connection.upstream.id, model: destination.model };
  const ask = await summaryAsk(call, destination, context);
  const fitRequest = await openFitRequest(call, destination, {
    state: memory.fitting,
    compaction: snapshot.config.compaction,
  });
  const summarizer = requestedSummarizer(call, fitRequest, context);
  const answer = await summarizer.answer(ask);
  if (answer.kind !== "text") throw new LonghaulError("internal.bug", "a summary without a model failed");
  const { text, usage = NO_USAGE } = answer;
  summarizer.settle(Math.ceil(text.length / CHARACTERS_PER_TOKEN));
  record.usage = () => usage;
  return { text, usage };
}

async function summaryAsk(call: Call, destination: Destination, { memory }: RequestContext) {
  const { messages: all } = call.wholeRequest().conversation;
  const previous = all.map(summaryIn).findLast((summary) => summary !== undefined);
  const messages = all.filter((message) => summaryIn(message) === undefined);
  if (messages.length === 0) {
    throw new LonghaulError("request.malformed", "input: there are no messages to compact", { param: "input" });
  }
  const ratio = memory.fitting.learned.ratio(destination);
  const counter = await memory.counters.counterFor(destination.match.model.tokenizer, ratio);
  const range = { from: 0, to: messages.length };
  return askFor(
    {
      messages,
      prompt: destination.context.prompt ?? SUMMARY_PROMPT,
      maxTokens: MAX_SUMMARY_TOKENS,
      ...(previous === undefined ? { range } : { previous }),
    },
    counter,
  );
}

/** Returns a user message as the answer lists it; nothing for tool results and earlier summaries. */
function userItem(message: Message): JsonObject[] {
  const value = message.native?.value;
  if (summaryIn(message) !== undefined) return [];
  if (typeof value === "string") return [listed({ role: "user", content: value })];
  return isJsonObject(value) && value.role === "user" ? [listed(value)] : [];
}

function listed({ content, ...item }: JsonObject): JsonObject {
  const parts: JsonValue = typeof content === "string" ? [{ type: "input_text", text: content }] : (content ?? []);
  return { ...item, type: "message", status: "completed", content: parts };
}

function encodeUsage(usage: Usage, codec: Codec): JsonValue {
  const reply = { id: "", model: "", blocks: [], stopReason: "end" as const, usage };
  return codec.encodeReply(reply, {}).usage ?? null;
}

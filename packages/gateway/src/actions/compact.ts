import { askFor, SUMMARY_PROMPT } from "@longhaul/condense";
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
} from "@longhaul/conversation";
import { type Destination, decode, decodePaced, openFitRequest, rawForm, sealSummary, summaryIn } from "@longhaul/fit";
import { asBuffer } from "@longhaul/upstream";
import type { Codec } from "@longhaul/wire";
import type { Call, Received } from "../call.ts";
import type { ServeContext } from "../context.ts";
import { jsonOutcome, type Outcome } from "../http/outcome.ts";
import { isKept, recall, remember } from "../stages/recall.ts";
import { resolve, wishOf } from "../stages/resolve.ts";
import { summarizerFor } from "../stages/summarize.ts";
import { replyOutcome } from "../stages/translator.ts";

const MAX_SUMMARY_TOKENS = 4_000;

/** Compacts a conversation for a client of the Responses API whose model's upstream cannot: the user's messages, and one summary of all. */
export async function compact(received: Received, context: ServeContext): Promise<Outcome> {
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
    usage: spellUsage(usage, call.codec),
  });
}

/** The last item of an input that asks for its compaction instead of an answer. Codex sends it. */
const TRIGGER = "compaction_trigger";

/** Whether a call asks for a compaction of its input instead of an answer. */
export function asksToCompact({ body, codec, endpoint, value }: Call): boolean {
  if (codec.traits.compaction !== "item" || codec.id !== endpoint.wire) return false;
  return asBuffer(body).includes(`"${TRIGGER}"`) && itemsBeforeTrigger(value()) !== undefined;
}

/** Returns the items before the trigger that ends an input; undefined if it ends with something else. */
function itemsBeforeTrigger({ input = null }: JsonObject): readonly JsonValue[] | undefined {
  if (!isJsonArray(input)) return undefined;
  const last = input.at(-1);
  return last !== undefined && isJsonObject(last) && last.type === TRIGGER ? input.slice(0, -1) : undefined;
}

/**
 * Answers a call that ends with a compaction trigger, for an upstream that doesn't know it: one compaction item, which every upstream reads
 * later.
 */
export async function compactOnTrigger(received: Received, context: ServeContext): Promise<Outcome> {
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

/** Has one summary of everything written, with its cost. An earlier one is brought up to date. */
async function summarize(call: Call, context: ServeContext): Promise<{ readonly text: string; readonly usage: Usage }> {
  const [destination] = resolve(wishOf(call), context.snapshot);
  if (destination === undefined)
    throw new LonghaulError("route.unknown", `no upstream serves the model "${call.model}"`);
  context.note({ model: call.model, upstream: destination.handle.connection.upstream.id, sentAs: destination.model });
  const ask = await summaryAsk(call, destination, context);
  const { memory, snapshot } = context;
  const fitRequest = await openFitRequest(call, destination, {
    state: memory.fitting,
    compaction: snapshot.config.compaction,
  });
  const answer = await summarizerFor(fitRequest, rawForm(fitRequest), context)(ask);
  if (answer.kind !== "text") throw new LonghaulError("internal.bug", "a summary without a model failed");
  const { text, usage = NO_USAGE } = answer;
  context.note({ usage: () => usage });
  return { text, usage };
}

async function summaryAsk(call: Call, destination: Destination, { memory }: ServeContext) {
  const { messages: all } = call.wholeRequest().conversation;
  const previous = all.map(summaryIn).findLast((summary) => summary !== undefined);
  const messages = all.filter((message) => summaryIn(message) === undefined);
  if (messages.length === 0) {
    throw new LonghaulError("request.malformed", "input: there is nothing to compact", { param: "input" });
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

/** A message of the user as the answer lists it; nothing for others, for what tools gave back, and for earlier summaries. */
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

function spellUsage(usage: Usage, codec: Codec): JsonValue {
  const reply = { id: "", model: "", blocks: [], stopReason: "end" as const, usage };
  return codec.encodeReply(reply, {}).usage ?? null;
}

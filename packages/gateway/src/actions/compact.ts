import { askFor, SUMMARY_PROMPT } from "@longhaul/condense";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LonghaulError,
  type Message,
  NO_USAGE,
} from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import type { Call, Received } from "../call.ts";
import type { ServeContext } from "../context.ts";
import { openTurn } from "../fit/open-turn.ts";
import { rawForm } from "../fit/turn.ts";
import { jsonOutcome, type Outcome } from "../http/outcome.ts";
import { sealSummary, summaryIn } from "../sealed-summary.ts";
import { decode } from "../stages/decode.ts";
import { recall } from "../stages/recall.ts";
import { resolve, wishOf } from "../stages/resolve.ts";
import { summarizerFor } from "../stages/summarize.ts";
import type { Target } from "../target.ts";

/** The format that has compaction as a path of its own. */
const WIRE = "openai-responses";

const MAX_SUMMARY_TOKENS = 4_000;

/** Compacts a conversation for a client of the Responses API whose model's upstream cannot: the user's messages, and one summary of all. */
export async function compact(received: Received, context: ServeContext): Promise<Outcome> {
  const call = recall(decode({ ...received, endpoint: { wire: WIRE, action: "generate", method: "POST" } }), context);
  const [target] = resolve(wishOf(call), context.snapshot);
  if (target === undefined) throw new LonghaulError("route.unknown", `no upstream serves the model "${call.model}"`);
  context.note({ model: call.model, upstream: target.place.connection.upstream.id, sentAs: target.model });
  const { messages } = call.wholeRequest().conversation;
  const { text, usage = NO_USAGE } = await summarize(call, target, context);
  context.note({ usage: () => usage });
  const id = call.id.replace(/^lh_/, "");
  return jsonOutcome({
    id: `resp_${id}`,
    object: "response.compaction",
    created_at: context.nowSeconds(),
    output: [
      ...messages.flatMap(userItem).map((item, index) => ({ id: `msg_${id}_${index}`, ...item })),
      { id: `cmp_${id}`, type: "compaction", encrypted_content: sealSummary(text) },
    ],
    usage: spellUsage(usage),
  });
}

/** One summary of everything; an earlier one is brought up to date. The last who is asked needs no model. */
async function summarize(call: Call, target: Target, context: ServeContext) {
  const { messages: all } = call.wholeRequest().conversation;
  const previous = all.map(summaryIn).findLast((summary) => summary !== undefined);
  const messages = all.filter((message) => summaryIn(message) === undefined);
  if (messages.length === 0) {
    throw new LonghaulError("request.malformed", "input: there is nothing to compact", { param: "input" });
  }
  const { memory, snapshot } = context;
  const turn = await openTurn(call, target, { state: memory.fitting, compaction: snapshot.config.compaction });
  const counter = await memory.counters.counterFor(turn.prompt.tokenizer, turn.ratio);
  const range = { from: 0, to: messages.length };
  const ask = askFor(
    {
      messages,
      prompt: target.context.prompt ?? SUMMARY_PROMPT,
      maxTokens: MAX_SUMMARY_TOKENS,
      ...(previous === undefined ? { range } : { previous }),
    },
    counter,
  );
  const answer = await summarizerFor(turn, rawForm(turn), context)(ask);
  if (answer.kind === "text") return answer;
  throw new LonghaulError("internal.bug", "a summary without a model failed");
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

function spellUsage(usage: typeof NO_USAGE): JsonValue {
  const reply = { id: "", model: "", blocks: [], stopReason: "end" as const, usage };
  return codecOf(WIRE).encodeReply(reply, {}).usage ?? null;
}

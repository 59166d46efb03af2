import { putBackIn } from "@longhaul/condense";
import type { Conversation } from "@longhaul/conversation";
import type { TokenCounters } from "@longhaul/models";
import { codecOf } from "@longhaul/wire";
import type { Compared, CompareJob, WrittenBody } from "./messages.ts";
import { pairBodies } from "./pair-bodies.ts";
import { rowsOf } from "./rows.ts";

/** Sets a request as it came beside what was sent. */
export async function compareWork(job: CompareJob, counters: TokenCounters): Promise<Compared> {
  const [before, after] = [decode(job.before), decode(job.after)];
  const pairs = pairBodies(before, after);
  return {
    messagesBefore: before.messages.length,
    messagesAfter: after.messages.length,
    putBack: putBackBetween(before, after),
    rowCount: pairs.length,
    rows: rowsOf(pairs, job.page, await counters.counterFor(job.tokenizer)),
  };
}

/** Only in texts that the client did not write. */
function putBackBetween(before: Conversation, after: Conversation): string[] {
  const ofClient = new Set(textsIn(before));
  return textsIn(after).flatMap((text) => (ofClient.has(text) ? [] : putBackIn(text)));
}

function textsIn({ messages }: Conversation): readonly string[] {
  return messages.flatMap(({ blocks }) => blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])));
}

/** Gemini's bodies do not name their model; nothing here depends on it. */
function decode({ text, wire }: WrittenBody): Conversation {
  return codecOf(wire).decodeRequest(JSON.parse(text), { model: "" }).conversation;
}

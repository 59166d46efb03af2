import { type ContextEditsReport, NO_USAGE, type Reply } from "@longhaul/conversation";
import { codecOf, eventsOf } from "@longhaul/wire";
import type { Call } from "../call.ts";
import { jsonOutcome, type Outcome } from "../http/outcome.ts";
import type { TranslateContext } from "./translate.ts";
import { makeWriter } from "./translator.ts";

/** Answers a client that wants to see its summary before anything else is said: with the summary alone. No upstream is asked. */
export function pause(
  call: Call,
  contextEdits: ContextEditsReport,
  { note, nowSeconds }: Pick<TranslateContext, "note" | "nowSeconds">,
): Outcome {
  const { usage = NO_USAGE } = contextEdits.compaction ?? {};
  note({ usage: () => usage });
  const id = call.id.replace(/^lh_/, "msg_");
  const reply: Reply = { id, model: call.model, blocks: [], stopReason: "compaction", usage: NO_USAGE };
  const to = codecOf(call.endpoint.wire);
  const writing = { createdSeconds: nowSeconds(), contextEdits };
  if (!call.wantsStream()) return jsonOutcome(to.encodeReply(reply, writing));
  const writer = makeWriter({ to, writing, change: (event) => [event], onWritten: () => {} });
  const headers = { "content-type": "text/event-stream", "cache-control": "no-cache" };
  return { status: 200, headers, body: writer.end(eventsOf(reply)), isStream: true };
}

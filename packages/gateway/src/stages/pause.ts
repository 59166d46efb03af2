import { type ContextEditsReport, NO_USAGE, type Reply } from "@longhaul/conversation";
import type { Call } from "../call.ts";
import type { Outcome } from "../http/outcome.ts";
import type { TranslateContext } from "./translate.ts";
import { replyOutcome } from "./translator.ts";

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
  return replyOutcome(call, reply, { createdSeconds: nowSeconds(), contextEdits });
}

import { type EditedContext, editContext } from "@longhaul/condense";
import type { ContextEditsReport } from "@longhaul/conversation";
import { codecOf, decodeContextEdits, withoutContextEdits } from "@longhaul/wire";
import { asBuffer } from "../as-buffer.ts";
import type { Call } from "../call.ts";
import { openTurn } from "../fit/open-turn.ts";
import { rawForm } from "../fit/turn.ts";
import { sha256 } from "../known-messages.ts";
import type { Target } from "../target.ts";
import { decode } from "./decode.ts";
import type { FitStageContext } from "./fit.ts";
import { summarizerFor } from "./summarize.ts";

/** A call whose context edits were carried out. */
export interface EditedCall {
  readonly call: Call;
  /** What the client is told of them; absent where it asked for none, or where the upstream sees to them. */
  readonly report?: ContextEditsReport;
}

const WIRE = "anthropic-messages";

/** Carries out the context edits that a client asks for, where the target has none. Bad ones throw `request.malformed`. */
export async function carryOutEdits(call: Call, target: Target, context: FitStageContext): Promise<EditedCall> {
  if (call.codec.id !== WIRE || call.endpoint.action !== "generate" || target.context.mode === "off") return { call };
  if (isNative(target) || !mentionsEdits(call)) return { call };
  const request = call.request();
  const edits = decodeContextEdits(request);
  if (edits === undefined) return { call };
  const { conversation, report } = await edit(call, target, context);
  if (conversation === request.conversation) return { call, report };
  const { body } = codecOf(WIRE).encodeRequest(withoutContextEdits({ ...request, conversation }), {
    model: call.model,
    vendor: "anthropic",
  });
  return { call: decode({ ...call, body: new TextEncoder().encode(JSON.stringify(body)) }), report };
}

/** Whether the upstream carries such edits out itself. */
function isNative({ wire, match }: Target): boolean {
  return wire === WIRE && match.model.betas["context-editing"] !== undefined;
}

/** Looked for in the bytes: nearly every other request asks for nothing. */
function mentionsEdits({ body }: Call): boolean {
  return asBuffer(body).includes('"context_management"');
}

async function edit(call: Call, target: Target, context: FitStageContext): Promise<EditedContext> {
  const { memory, snapshot } = context;
  const turn = await openTurn(call, target, { state: memory.fitting, compaction: snapshot.config.compaction });
  const counter = await memory.counters.counterFor(turn.prompt.tokenizer, turn.ratio);
  const request = call.request();
  return await editContext(request.conversation, decodeContextEdits(request) ?? [], {
    counter,
    hash: sha256,
    summarize: summarizerFor(turn, rawForm(turn), context),
  });
}

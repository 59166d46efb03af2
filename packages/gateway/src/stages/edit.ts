import { type EditedContext, editContext } from "@longhaul/condense";
import type { ContextEdits, ContextEditsReport } from "@longhaul/conversation";
import { type Destination, decode, openFitRequest, rawForm, sha256 } from "@longhaul/fit";
import { asBuffer } from "@longhaul/upstream";
import { type ContextEditCodec, codecOf } from "@longhaul/wire";
import type { Call } from "../call.ts";
import type { FitStageContext } from "./fit.ts";
import { summarizerFor } from "./summarize.ts";

/** A call whose context edits were carried out. */
export interface EditedCall {
  readonly call: Call;
  /** What the client is told of them; absent where it asked for none, or where the upstream sees to them. */
  readonly report?: ContextEditsReport;
}

/** Carries out the context edits that a client asks for, where the destination has none. Bad ones throw `request.malformed`. */
export async function carryOutEdits(
  call: Call,
  destination: Destination,
  context: FitStageContext,
): Promise<EditedCall> {
  const words = call.codec.contextEdits;
  if (words === undefined || call.endpoint.action !== "generate" || destination.context.mode === "off") return { call };
  if (isNative(destination) || !mentions(call, words)) return { call };
  const request = call.request();
  const edits = words.decode(request);
  if (edits === undefined) return { call };
  const { conversation, report } = await edit({ call, destination, edits }, context);
  if (conversation === request.conversation) return { call, report };
  const { body } = call.codec.encodeRequest(words.remove({ ...request, conversation }), { model: call.model });
  return { call: decode({ ...call, body: new TextEncoder().encode(JSON.stringify(body)) }), report };
}

/** Whether the upstream carries such edits out itself. */
function isNative({ wire, match }: Destination): boolean {
  return codecOf(wire).contextEdits !== undefined && match.model.betas["context-editing"] !== undefined;
}

/** Looked for in the bytes: nearly every other request asks for nothing. */
function mentions({ body }: Call, { field }: ContextEditCodec): boolean {
  return asBuffer(body).includes(`"${field}"`);
}

interface Editing {
  readonly call: Call;
  readonly destination: Destination;
  readonly edits: ContextEdits;
}

async function edit({ call, destination, edits }: Editing, context: FitStageContext): Promise<EditedContext> {
  const { memory, snapshot } = context;
  const fitRequest = await openFitRequest(call, destination, {
    state: memory.fitting,
    compaction: snapshot.config.compaction,
  });
  const counter = await memory.counters.counterFor(fitRequest.prompt.tokenizer, fitRequest.ratio);
  return await editContext(call.request().conversation, edits, {
    counter,
    hash: sha256,
    summarize: summarizerFor(fitRequest, rawForm(fitRequest), context),
  });
}

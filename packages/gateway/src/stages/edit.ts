import { type EditedContext, editContext } from "@longhaul/condense/advanced";
import { type ContextEdits, type ContextEditsReport, NO_USAGE, type Reply } from "@longhaul/conversation/advanced";
import { type Destination, decode, openFitRequest, sha256 } from "@longhaul/fit";
import { asBuffer } from "@longhaul/upstream";
import { type ContextEditCodec, codecOf } from "@longhaul/wire";
import type { Outcome } from "../http/outcome.ts";
import type { Call, RequestContext } from "../request/request-context.ts";
import { requestedSummarizer } from "./summarize.ts";
import { replyOutcome } from "./translator.ts";

export interface EditedCall {
  readonly call: Call;
  /** Reported to the client; absent if it asked for no edits, or if the upstream applies them. */
  readonly report?: ContextEditsReport;
}

/** Applies the context edits that a client asks for, unless the destination does it. Throws `request.malformed` for invalid ones. */
export async function edit(
  call: Call,
  destination: Destination | undefined,
  context: RequestContext,
): Promise<EditedCall> {
  const words = call.codec.contextEdits;
  if (destination === undefined || destination.context.mode === "off") return { call };
  if (words === undefined || call.endpoint.action !== "generate") return { call };
  if (isNative(destination) || !mentions(call, words)) return { call };
  const request = call.request();
  const edits = words.decode(request);
  if (edits === undefined) return { call };
  const { conversation, report } = await applyEdits({ call, destination, edits }, context);
  if (conversation === request.conversation) return { call, report };
  const { body } = call.codec.encodeRequest(words.remove({ ...request, conversation }), { model: call.model });
  return { call: decode({ ...call, body: new TextEncoder().encode(JSON.stringify(body)) }), report };
}

/** Whether the upstream applies such edits itself. */
function isNative({ wire, match }: Destination): boolean {
  return codecOf(wire).contextEdits !== undefined && match.model.betas["context-editing"] !== undefined;
}

/** Searches the bytes, because nearly no request has edits. */
function mentions({ body }: Call, { field }: ContextEditCodec): boolean {
  return asBuffer(body).includes(`"${field}"`);
}

interface Editing {
  readonly call: Call;
  readonly destination: Destination;
  readonly edits: ContextEdits;
}

async function applyEdits({ call, destination, edits }: Editing, context: RequestContext): Promise<EditedContext> {
  const { memory, snapshot } = context;
  const { compaction } = snapshot.config;
  const fitRequest = await openFitRequest(call, destination, { state: memory.fitting, compaction });
  const counter = await memory.counters.counterFor(fitRequest.prompt.tokenizer, fitRequest.ratio);
  const { answer, settle } = requestedSummarizer(call, fitRequest, context);
  const edited = await editContext(call.request().conversation, edits, { counter, hash: sha256, summarize: answer });
  settle(edited.report.compaction && counter.countConversation(edited.conversation));
  return edited;
}

/** Returns the summary alone if the client wants to see it before the model answers; undefined if the request goes on. */
export function pausedReply(
  { call, report }: EditedCall,
  { record, nowSeconds }: Pick<RequestContext, "record" | "nowSeconds">,
): Outcome | undefined {
  if (report?.compaction?.pausesAfter !== true) return undefined;
  const { usage = NO_USAGE } = report.compaction;
  record.usage = () => usage;
  const id = call.id.replace(/^lh_/, "msg_");
  const reply: Reply = { id, model: call.model, blocks: [], stopReason: "compaction", usage: NO_USAGE };
  return replyOutcome(call, reply, { createdSeconds: nowSeconds(), contextEdits: report });
}

import type { PlanOptions } from "@longhaul/condense";
import { LonghaulError } from "@longhaul/conversation";
import type { Epoch } from "@longhaul/store";
import { holdsBlock } from "../compaction/blocks.ts";
import type { RequestCompaction } from "../compaction/request-compaction.ts";
import type { Destination } from "../destinations/destination.ts";
import { type Making, proofOf } from "../history/evidence.ts";
import type { History } from "../history/history.ts";
import { type Rendering, renderedTokens } from "../history/parts.ts";
import type { Prompt } from "../history/write-slots.ts";
import { epochName, formName } from "../memory/epochs.ts";
import type { FitState } from "../memory/state.ts";
import type { Call } from "../request/call.ts";
import type { RequestLimits } from "./limits.ts";

/** One request on its way to one target, and all that fitting it goes by. */
export interface FitRequest {
  readonly call: Call;
  readonly destination: Destination;
  readonly history: History;
  /** How the conversation is condensed, if it has to be. */
  readonly plan: PlanOptions;
  readonly limits: RequestLimits;
  /** What the vendor's own compaction has to do with it. */
  readonly compaction: RequestCompaction;
  readonly scope: string;
  /** Whose conversation it is. */
  readonly tenant: string;
  readonly session: string;
  /** The session that started this one, if it is a sub-agent's. */
  readonly parent: string;
  /** Binds the requests of one conversation, by the client's own name for it; absent if it names none. */
  readonly conversation: string | undefined;
  readonly ratio: number;
  readonly prompt: Prompt;
  /** Whether repeats give way to references before the conversation has to be condensed. */
  readonly refersEarly: boolean;
  readonly state: FitState;
}

/** A way to send a conversation: as it came, or with its beginning made smaller. */
export interface Form {
  /** Absent for a conversation as it came. */
  readonly epoch?: Epoch;
  readonly rendering?: Rendering;
  /** The whole request, in tokens, by our own count. */
  readonly estimated: number;
  /** The same, set right by what the upstream reported earlier. */
  readonly tokens: number;
}

/** The conversation as it came. */
export function rawForm(fitRequest: FitRequest): Form {
  return withTokens(fitRequest, { estimated: fitRequest.history.tokens });
}

/** The conversation with its beginning as an epoch has it; nothing where the epoch cannot be replayed on it. */
export async function epochForm(fitRequest: FitRequest, epoch: Epoch): Promise<Form | undefined> {
  const { state, history, prompt } = fitRequest;
  const { projection } = epoch;
  try {
    const rendering = await state.renderings.find({ key: epochName(epoch), projection, history, prompt });
    return renderedForm(fitRequest, epoch, rendering);
  } catch (error) {
    if (!(error instanceof LonghaulError) || error.code !== "condense.failed") throw error;
    await state.shelf.remove(epoch);
    return undefined;
  }
}

/** The conversation with its beginning rendered like this. */
export function renderedForm(fitRequest: FitRequest, epoch: Epoch, rendering: Rendering): Form {
  return withTokens(fitRequest, {
    epoch,
    rendering,
    estimated: renderedTokens(rendering, fitRequest.history, fitRequest.ratio),
  });
}

function withTokens({ state, history, scope, ratio }: FitRequest, form: Omit<Form, "tokens">): Form {
  const correction = state.anchors.correction(formName(scope, form.epoch), history.prefixes(), ratio);
  return { ...form, tokens: Math.max(1, form.estimated + correction) };
}

/**
 * How the conversation is sent while nothing is done about it: as it came where that is small enough, else as the longest epoch has it.
 * The store is asked only where what is known here does not do, or another gateway may have gone on with the conversation.
 */
export async function currentForm(fitRequest: FitRequest): Promise<Form> {
  const { state, limits } = fitRequest;
  const raw = rawForm(fitRequest);
  if (raw.tokens <= limits.rawTokens) return (await earlierForm(fitRequest, raw)) ?? raw;
  const known = await bestForm(fitRequest, state.shelf.known(fitRequest));
  if (known !== undefined && known.tokens <= limits.rawTokens && wentOnHere(fitRequest, known.epoch)) return known;
  return (await bestForm(fitRequest, await state.shelf.find(fitRequest))) ?? raw;
}

/** Whether the turn before this one was sent from here, in this form: then nobody else knows more. */
function wentOnHere({ state, scope, history }: FitRequest, epoch: Epoch | undefined): boolean {
  const sent = state.anchors.sentMessages(formName(scope, epoch), history.prefixes());
  const added = history.messages.slice(sent);
  const afterReply = added.findIndex(({ role }) => role !== "assistant");
  return sent > 0 && (afterReply < 0 || added.slice(afterReply).every(({ role }) => role !== "assistant"));
}

/** From this share of its threshold on, a vendor's count may be over it where ours is not. */
const NEAR_THRESHOLD = 0.6;

/**
 * How a conversation goes on that would be small enough as it came: with the references that it was sent with, or with what its vendor has
 * compacted, because that would compact it again whatever our own count says.
 */
async function earlierForm(fitRequest: FitRequest, raw: Form): Promise<Form | undefined> {
  const { state, limits, compaction, refersEarly } = fitRequest;
  const isNear = compaction.plan.kind === "edit" && raw.tokens >= limits.rawTokens * NEAR_THRESHOLD;
  if (!isNear && !refersEarly) return undefined;
  const pick = (epochs: readonly Epoch[]) =>
    epochs.find(({ projection, from }) => (isNear && holdsBlock(projection)) || (refersEarly && from > 0));
  const known = pick(state.shelf.known(fitRequest));
  const epoch = wentOnHere(fitRequest, known) ? known : pick(await state.shelf.find(fitRequest));
  return epoch && (await epochForm(fitRequest, epoch));
}

/**
 * The form that was made last, while it fits: any other one would break the cache. Else the first that is small enough, else the smallest.
 * A stand-in only where nothing else does.
 */
async function bestForm(fitRequest: FitRequest, epochs: readonly Epoch[]): Promise<Form | undefined> {
  const { rawTokens, budgetTokens } = fitRequest.limits;
  const forms: Form[] = [];
  for (const epoch of epochs.toSorted(latestFirst)) {
    const form = await epochForm(fitRequest, epoch);
    // Reports of different ages do not compare; what is larger by our own count is larger.
    const [latest] = forms;
    if (form === undefined || (latest !== undefined && form.estimated >= latest.estimated)) continue;
    if (form.tokens <= rawTokens || (latest === undefined && form.tokens <= budgetTokens)) return form;
    forms.push(form);
  }
  return forms.toSorted((a, b) => a.estimated - b.estimated)[0];
}

function latestFirst(a: Epoch, b: Epoch): number {
  return Number(a.isStandIn) - Number(b.isStandIn) || b.madeAtMs - a.madeAtMs;
}

/** What of an epoch does not follow from the turn that it is made on. */
type Made = Pick<
  Epoch,
  "strategy" | "from" | "projection" | "isStandIn" | "tokensBefore" | "tokensAfter" | "targetTokens" | "costUsd"
>;

/** An epoch of a turn's conversation, made now. */
export function epochOf(fitRequest: FitRequest, made: Made, making: Omit<Making, "messages">): Epoch {
  const { state, scope, tenant, session, destination } = fitRequest;
  return {
    ...made,
    ...proofOf(fitRequest, { ...making, messages: made.projection.messages }),
    scope,
    tenant,
    session,
    upstream: destination.handle.connection.upstream.id,
    model: destination.model,
    madeAtMs: state.nowMs(),
  };
}

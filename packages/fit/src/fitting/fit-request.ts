import type { PlanOptions } from "@longhaul/condense/advanced";
import { LonghaulError } from "@longhaul/conversation";
import type { Epoch } from "@longhaul/store";
import { holdsBlock } from "../compaction/blocks.ts";
import type { RequestCompaction } from "../compaction/request-compaction.ts";
import type { Destination } from "../destinations/destination.ts";
import { type Making, proofOf } from "../history/evidence.ts";
import type { History } from "../history/history.ts";
import { type Rendering, renderedTokens } from "../history/parts.ts";
import type { Prompt } from "../history/write-slots.ts";
import { epochName, formName, originalName } from "../memory/epochs.ts";
import type { FitState } from "../memory/state.ts";
import type { Call } from "../request/call.ts";
import type { RequestLimits } from "./limits.ts";

/** One request to one destination, with everything that fitting depends on. */
export interface FitRequest {
  readonly call: Call;
  readonly destination: Destination;
  readonly history: History;
  readonly plan: PlanOptions;
  readonly limits: RequestLimits;
  readonly compaction: RequestCompaction;
  readonly scope: string;
  readonly tenant: string;
  readonly session: string;
  /** The session that started this one, if it is a sub-agent's. */
  readonly parent: string;
  /** Identifies the requests of one conversation by the client's own name for it; absent if it has none. */
  readonly conversation: string | undefined;
  readonly ratio: number;
  readonly prompt: Prompt;
  /** Whether repeats become references before the conversation has to be condensed. */
  readonly refersEarly: boolean;
  readonly state: FitState;
}

/** A way to send a conversation: raw, or with a condensed prefix. */
export interface Form {
  /** Absent for a raw conversation. */
  readonly epoch?: Epoch;
  readonly rendering?: Rendering;
  /** Tokens of the whole request, by our own count. */
  readonly estimated: number;
  /** The same, corrected by the usage that the upstream reported earlier. */
  readonly tokens: number;
}

/** Returns the form of the unchanged conversation. */
export function rawForm(fitRequest: FitRequest): Form {
  return withTokens(fitRequest, { estimated: fitRequest.history.tokens });
}

/** Returns the conversation with an epoch's prefix, or undefined if the epoch cannot be replayed on it. */
export async function epochForm(fitRequest: FitRequest, epoch: Epoch): Promise<Form | undefined> {
  const { state, history, prompt } = fitRequest;
  const { projection } = epoch;
  try {
    const rendering = await state.renderings.find({ key: epochName(epoch), projection, history, prompt });
    return renderedForm(fitRequest, epoch, rendering);
  } catch (error) {
    if (!(error instanceof LonghaulError) || error.code !== "condense.failed") throw error;
    await state.epochs.remove(epoch);
    return undefined;
  }
}

export function renderedForm(fitRequest: FitRequest, epoch: Epoch, rendering: Rendering): Form {
  return withTokens(fitRequest, {
    epoch,
    rendering,
    estimated: renderedTokens(rendering, fitRequest.history, fitRequest.ratio),
  });
}

/** Returns the size of the conversation as the client sent it, corrected by the upstream's counts of every part that it has received. */
export function originalSize({ state, history, scope, ratio }: FitRequest): number {
  return Math.max(1, history.tokens + state.anchors.correction(originalName(scope), history.prefixes(), ratio));
}

function withTokens({ state, history, scope, ratio }: FitRequest, form: Omit<Form, "tokens">): Form {
  const correction = state.anchors.correction(formName(scope, form.epoch), history.prefixes(), ratio);
  return { ...form, tokens: Math.max(1, form.estimated + correction) };
}

/**
 * Returns the form in which the conversation is sent without further condensing: raw if that is small enough, else with the longest epoch.
 * The store is queried only if the epochs known here are not enough, or another gateway may have continued the conversation.
 */
export async function currentForm(fitRequest: FitRequest): Promise<Form> {
  const { state, limits } = fitRequest;
  const raw = rawForm(fitRequest);
  if (raw.tokens <= limits.rawTokens) return (await earlierForm(fitRequest, raw)) ?? raw;
  const known = await bestForm(fitRequest, state.epochs.known(fitRequest));
  if (known !== undefined && known.tokens <= limits.rawTokens && wentOnHere(fitRequest, known.epoch)) return known;
  return (await bestForm(fitRequest, await state.epochs.find(fitRequest))) ?? raw;
}

/** Returns whether the previous turn was sent from here in this form, so that no other gateway knows more. */
function wentOnHere({ state, scope, history }: FitRequest, epoch: Epoch | undefined): boolean {
  const sent = state.anchors.sentMessages(formName(scope, epoch), history.prefixes());
  const added = history.messages.slice(sent);
  const afterReply = added.findIndex(({ role }) => role !== "assistant");
  return sent > 0 && (afterReply < 0 || added.slice(afterReply).every(({ role }) => role !== "assistant"));
}

/** From this share of its threshold on, a vendor's count may exceed it even if ours does not. */
const NEAR_THRESHOLD = 0.6;

/**
 * Returns the form of a conversation that would be small enough raw: with the references that it was sent with, or with the vendor's
 * compaction, because the vendor would compact again whatever our own count is.
 */
async function earlierForm(fitRequest: FitRequest, raw: Form): Promise<Form | undefined> {
  const { state, limits, compaction, history } = fitRequest;
  const isNear = compaction.plan.kind === "edit" && raw.tokens >= limits.rawTokens * NEAR_THRESHOLD;
  // A first turn gets the same references again if it is repeated.
  const hasReferences = fitRequest.refersEarly && history.messages.some(({ role }) => role === "assistant");
  if (!isNear && !hasReferences) return undefined;
  const pick = (epochs: readonly Epoch[]) =>
    epochs.find(({ projection, from }) => (isNear && holdsBlock(projection)) || (hasReferences && from > 0));
  const known = pick(state.epochs.known(fitRequest));
  const epoch = wentOnHere(fitRequest, known) ? known : pick(await state.epochs.find(fitRequest));
  return epoch && (await epochForm(fitRequest, epoch));
}

/**
 * Returns the latest form while it fits, because any other would break the cache; else the first that is small enough, else the smallest.
 * Placeholders come last.
 */
async function bestForm(fitRequest: FitRequest, epochs: readonly Epoch[]): Promise<Form | undefined> {
  const { rawTokens, budgetTokens } = fitRequest.limits;
  const forms: Form[] = [];
  for (const epoch of epochs.toSorted(latestFirst)) {
    const form = await epochForm(fitRequest, epoch);
    // Corrections of different ages are not comparable, so sizes are compared by our own count.
    const [latest] = forms;
    if (form === undefined || (latest !== undefined && form.estimated >= latest.estimated)) continue;
    if (form.tokens <= rawTokens || (latest === undefined && form.tokens <= budgetTokens)) return form;
    forms.push(form);
  }
  return forms.toSorted((a, b) => a.estimated - b.estimated)[0];
}

function latestFirst(a: Epoch, b: Epoch): number {
  return Number(a.isPlaceholder) - Number(b.isPlaceholder) || b.madeAtMs - a.madeAtMs;
}

/** The fields of an epoch that do not follow from its request. */
type Made = Pick<
  Epoch,
  "strategy" | "from" | "projection" | "isPlaceholder" | "tokensBefore" | "tokensAfter" | "targetTokens" | "costUsd"
>;

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

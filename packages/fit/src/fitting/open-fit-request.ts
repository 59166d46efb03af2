import { PIN_MARKER, planCondensation } from "@longhaul/condense/advanced";
import type { Config } from "@longhaul/settings";
import { asBuffer } from "@longhaul/upstream";
import { type RequestCompaction, requestCompaction } from "../compaction/request-compaction.ts";
import type { Destination } from "../destinations/destination.ts";
import type { History } from "../history/history.ts";
import type { FitState } from "../memory/state.ts";
import type { Call } from "../request/call.ts";
import type { FitRequest } from "./fit-request.ts";
import { limitsOf, type RequestLimits, requestOptions, windowOf, within } from "./limits.ts";
import { namingOf, scopeOf, sessionOf } from "./scope.ts";

export interface FitRequestContext {
  readonly state: FitState;
  readonly compaction: Config["compaction"];
  /** Set if the request was refused before. */
  readonly pressure?: Pressure | undefined;
}

/** The size limit that follows from an upstream's refusal. */
export interface Pressure {
  readonly maxTokens: number;
}

/** Reads a request's history and works out its limits at a destination. */
export async function openFitRequest(
  call: Call,
  destination: Destination,
  context: FitRequestContext,
): Promise<FitRequest> {
  const { state, pressure } = context;
  const { model } = destination.match;
  const ratio = state.learned.ratio(destination);
  const history = await state.histories.read(call, await state.counter(model.tokenizer, ratio));
  const windowTokens = windowOf(destination, state.learned.window(call, destination));
  const options = requestOptions(destination, call.change?.parameters(history.head) ?? history.head, windowTokens);
  const pins = pinsIn(destination, history);
  const compaction = compactionOf({ call, destination, history, windowTokens, pins }, context);
  const maxTokens = pressure?.maxTokens ?? Number.POSITIVE_INFINITY;
  const limits = within(withCompaction(limitsOf(options), compaction), maxTokens);
  const plan = { ...options, pins, budget: limits };
  if (history.tokens > limits.triggerTokens / 2) state.workers.prepare(call.body.length);
  const { tenant } = call.caller;
  const naming = namingOf(call, history.head);
  const scope = scopeOf(destination, call.caller.ownerOf(naming), pins);
  const prompt = promptOf(call, destination, ratio);
  const named = sessionOf(call, naming, () => state.sessions.nameOf(call, history));
  const { refersEarly } = planCondensation(plan);
  const whose = { scope, tenant, ...named, conversation: call.caller.bindingOf(naming) };
  return { call, destination, history, plan, limits, compaction, ...whose, ratio, prompt, refersEarly, state };
}

/** Returns the pins of messages in this conversation, each once. */
function pinsIn({ context }: Destination, { messages }: History): string[] {
  const pins = new Set(context.pins);
  if (pins.size === 0) return [];
  return [...new Set(messages.map(({ fingerprint }) => fingerprint).filter((print) => pins.has(print)))];
}

function promptOf(call: Call, destination: Destination, ratio: number): FitRequest["prompt"] {
  const { tokenizer, rejects } = destination.match.model;
  const { model, stream } = call.endpoint;
  return {
    body: call.body,
    wire: call.codec.id,
    line: { ...(model === undefined ? {} : { model }), ...(stream === undefined ? {} : { stream }) },
    vendor: destination.handle.connection.upstream.deployment.vendor,
    tokenizer,
    ratio,
    takesSystemMessages: !rejects.includes("system-message"),
  };
}

interface Seen {
  readonly call: Call;
  readonly destination: Destination;
  readonly history: History;
  readonly windowTokens: number;
  readonly pins: readonly string[];
}

function compactionOf(
  { call, destination, history, windowTokens, pins }: Seen,
  { state, compaction }: FitRequestContext,
): RequestCompaction {
  // A vendor's summary replaces all messages, so a conversation with pinned ones is condensed here.
  const isPinned = compaction.enabled && (pins.length > 0 || asBuffer(call.body).includes(PIN_MARKER));
  const isRefused = state.learned.isOnDemandRefused(call, destination);
  const request = {
    call,
    destination,
    settings: { ...compaction, ...(isRefused && { onDemand: false }), ...(isPinned && { enabled: false }) },
    windowTokens,
    ...(history.layout === undefined ? {} : { fields: history.layout.fields }),
    isLongContextRefused: state.learned.isLongContextRefused(call, destination),
  };
  const found = requestCompaction(request);
  const isFar = found.plan.kind === "edit" && history.tokens < found.plan.triggerTokens * FAR_SHARE;
  return isFar ? requestCompaction({ ...request, settings: { ...request.settings, enabled: false } }) : found;
}

/** Below this share of the threshold no counting error can put a request over it, and its bytes need no change. */
const FAR_SHARE = 0.5;

/** A conversation that was compacted on demand must stay well below the size at which it is compacted again. */
const TARGET_OF_ASK = 0.7;

/**
 * If the vendor compacts, our own strategies handle only prompts that exceed the window, and the vendor's compaction is used from the size
 * at which the vendor would compact again. If it is asked to, the compaction is used from the size at which it is asked.
 */
function withCompaction(limits: RequestLimits, { plan, askTokens }: RequestCompaction): RequestLimits {
  if (askTokens !== undefined) {
    const targetTokens = Math.min(limits.targetTokens, Math.floor(askTokens * TARGET_OF_ASK));
    return { ...limits, targetTokens, rawTokens: Math.min(limits.rawTokens, askTokens) };
  }
  if (plan.kind === "none") return limits;
  const { windowTokens } = limits;
  const rawTokens = plan.kind === "edit" ? plan.triggerTokens : windowTokens;
  return { ...limits, budgetTokens: windowTokens, triggerTokens: windowTokens, thresholdPercent: 100, rawTokens };
}

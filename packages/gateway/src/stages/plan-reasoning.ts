import {
  isJsonObject,
  type JsonValue,
  LonghaulError,
  type Reasoning,
  type Request,
} from "@longhaul/conversation/advanced";
import { type Destination, makePauses, mentionsReasoning, once, type Pauses } from "@longhaul/fit";
import { describeReasoning, type Model } from "@longhaul/models/advanced";
import { codecOf, findCodec, type Warning } from "@longhaul/wire";
import {
  type ChosenReasoning,
  chooseReasoning,
  isHiddenHere,
  mentionsExclusion,
} from "../reasoning/choose-reasoning.ts";
import type { Call, RequestContext } from "../request/request-context.ts";
import { reasoningScope } from "./recall.ts";

/** A call for one destination, with its reasoning parameters settled. */
export interface PlannedCall {
  readonly call: Call;
  /** May speak another format of the same vendor than the destination that was asked for. */
  readonly destination: Destination;
  readonly warnings: readonly Warning[];
  /** Whether the gateway removes the reasoning from the answer. */
  readonly isExcluded: boolean;
  /** The reasoning that the request is sent with; absent if the gateway did not have to read it, or there is none. */
  readonly reasoning?: Reasoning | undefined;
  /** Yields the thread to other requests while a large body is processed. */
  readonly pauses: Pauses;
}

/**
 * Settles how hard the model thinks and puts back the reasoning that the client could not hold. Logs each parameter that was adjusted. Throws
 * `request.malformed` if a suffix or parameter is not understood.
 */
export async function planReasoning(
  asked: Call,
  { destination, context }: { readonly destination: Destination; readonly context: RequestContext },
): Promise<PlannedCall> {
  const pauses = makePauses();
  const { thoughts } = context.memory;
  const plan: ReasoningPlan = planCall(asked, destination, (request) =>
    thoughts.putBack(reasoningScope(asked, plan.destination), request),
  );
  const { id: upstream } = destination.handle.connection.upstream;
  for (const { feature, message } of plan.warnings) {
    context.snapshot.log.adjusted({ id: asked.id, model: plan.destination.model, upstream, feature, what: message });
  }
  await pauses.take();
  return { ...plan, pauses };
}

type ReasoningPlan = Omit<PlannedCall, "pauses">;

/**
 * Applies the first of: the model's suffix, the request's own parameters, the settings of route, profile and gateway. Returns the identical
 * call if the request already says the same. `putBack` is used if the client cannot hold the reasoning or must not see it.
 */
export function planCall(call: Call, destination: Destination, putBack?: Call["putBack"]): ReasoningPlan {
  const unchanged = { call, destination, warnings: [], isExcluded: false };
  if (call.endpoint.action !== "generate") return unchanged;
  rejectUnknownSuffix(call, destination);
  if (!needsPlan(call, destination)) return unchanged;
  const asked = destination.wire === call.codec.id ? call.request() : (call.outline()?.request ?? call.wholeRequest());
  checkOwnReasoning(asked, destination.match.model);
  const chosen = chooseReasoning(asked, destination);
  const spoken = inSibling(call, destination, chosen.reasoning);
  const betas = chosen.isOurs ? neededBetas(asked, chosen.reasoning, destination) : [];
  const changed = chosen.isChanged ? withParameters(call, chosen, betas) : call;
  const isExcluded = chosen.isExcluded && (chosen.isHeldBack || isHiddenHere(call, spoken));
  const mayCallTools = asked.conversation.tools.length > 0;
  const isPutBack = putBack !== undefined && (spoken.wire !== call.codec.id || (isExcluded && mayCallTools));
  return {
    call: isPutBack ? { ...changed, putBack } : changed,
    destination: spoken,
    warnings: chosen.warnings,
    isExcluded,
    reasoning: chosen.reasoning,
  };
}

function rejectUnknownSuffix({ model }: Call, { handle, reasoning }: Destination): void {
  const { unread } = reasoning ?? {};
  if (unread === undefined) return;
  const { text, base, takes } = unread;
  const { hasPlainModelNames, hasTaggedModelNames } = handle.connection.upstream.deployment.quirks;
  // For other upstreams, text that looks like a suffix may be part of a name.
  if (!hasPlainModelNames && !(hasTaggedModelNames && !isTag(model, text))) return;
  throw new LonghaulError(
    "request.malformed",
    `model "${model}": "${text}" is not a reasoning suffix that ${base} supports; ${takes}`,
    { param: "model" },
  );
}

/** Tags of models that servers such as Ollama have in their names. */
const TAGS = /\d|^(?:latest|cloud|free|instruct|chat|base|code|text|vision|mini|small|medium|large|preview|beta)$/i;

/** Whether the end of a model's name may be a tag of the server: it is not after a colon or in parentheses, has a digit, or is a usual tag. */
function isTag(model: string, text: string): boolean {
  return TAGS.test(text) || !(model.endsWith(`:${text}`) || model.endsWith(`(${text})`));
}

/** Whether a suffix or setting applies, or the destination may not understand the client's own parameters. */
function needsPlan(call: Call, destination: Destination): boolean {
  const { suffix, pinned, settings = {} } = destination.reasoning ?? {};
  const { effort, maxTokens, exclude } = settings;
  if ([suffix, pinned, effort, maxTokens, exclude].some((chosen) => chosen !== undefined)) return true;
  if (destination.wire !== call.codec.id) return true;
  const { quirks } = destination.handle.connection.upstream.deployment;
  if (quirks.showsReasoning === "unless-excluded" && mentionsExclusion(call.body, call.codec.messagesField))
    return true;
  const isOdd = destination.match.model.reasoning.kind === "none" || speaksSibling(destination);
  return isOdd && mentionsReasoning(call.body, call.codec);
}

function withParameters(call: Call, { reasoning, maxOutputTokens }: ChosenReasoning, betas: readonly string[]): Call {
  const parameters = ({ reasoning: _, ...request }: Request): Request => ({
    ...request,
    ...(reasoning !== undefined && { reasoning }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  });
  return {
    ...call,
    change: { parameters, betas },
    request: once(() => parameters(call.request())),
    wholeRequest: once(() => parameters(call.wholeRequest())),
    outline: once(() => {
      const outline = call.outline();
      return outline && { ...outline, request: parameters(outline.request) };
    }),
  };
}

/**
 * Returns the betas that reasoning needs if the gateway wrote the parameters: with a budget, Claude 4 thinks between tool calls only with
 * this beta. Claude 3.7 never does, and models with adaptive thinking need no beta.
 */
export function neededBetas(
  { conversation }: Request,
  reasoning: Reasoning | undefined,
  { wire, match }: Destination,
): readonly string[] {
  const { betas, name } = match.model;
  const beta = betas["interleaved-thinking"];
  const isNeeded = codecOf(wire).traits.hasBetas && reasoning?.mode === "budget" && conversation.tools.length > 0;
  return isNeeded && beta !== undefined && !name.startsWith("claude-3") ? [beta] : [];
}

/** Throws `request.malformed` for a reasoning parameter that no format knows; the message lists what the model supports. */
export function checkOwnReasoning({ native, extra, model: name }: Request, model: Model): void {
  // `extra` has only the fields that could not be read.
  const odd = findCodec(native?.wire)?.reasoning.known.find(([path, isKnown]) => {
    const value = valueAt(extra, path) ?? undefined;
    return value !== undefined && !isKnown(value);
  });
  if (odd === undefined) return;
  const [field] = odd;
  const value = (JSON.stringify(valueAt(extra, field)) ?? "").slice(0, MAX_SHOWN_CHARS);
  throw new LonghaulError(
    "request.malformed",
    `${field}: ${value} is not a reasoning parameter that the model "${name}" supports; ${describeReasoning(model)}`,
    { param: field },
  );
}

const MAX_SHOWN_CHARS = 100;

function valueAt(extra: JsonValue | undefined, path: string): JsonValue | undefined {
  return path.split(".").reduce((value, name) => (isJsonObject(value) ? value[name] : undefined), extra);
}

/** Whether a destination also speaks the format of its vendor that carries reasoning. */
function speaksSibling({ wire, handle }: Destination): boolean {
  const { sibling } = codecOf(wire).traits;
  return sibling !== undefined && handle.connection.upstream.deployment.wires.includes(sibling.wire);
}

/** Switches a request that wants reasoning to the sibling format: OpenAI returns and accepts reasoning only in the Responses API. */
export function inSibling(call: Call, destination: Destination, reasoning: Reasoning | undefined): Destination {
  const { sibling } = codecOf(destination.wire).traits;
  if (sibling === undefined || !speaksSibling(destination)) return destination;
  if (reasoning === undefined || reasoning.mode === "off") return destination;
  const body = call.outlineValue();
  const isLacked = call.codec.id === destination.wire && sibling.lacks.some((field) => !isDefault(body[field]));
  return isLacked ? destination : { ...destination, wire: sibling.wire };
}

/** Some clients send default values explicitly. */
function isDefault(value: unknown): boolean {
  return value === undefined || value === null || value === 1 || value === false;
}

import { isJsonObject, type Reasoning, type Request } from "@longhaul/conversation/advanced";
import { type Destination, splitScanned } from "@longhaul/fit";
import {
  type ModelMatch,
  matchesPattern,
  planReasoning,
  REASONING_ADVICE,
  type ReasoningAdjustment,
  type ReasoningPlan,
  type RequestedReasoning,
  reasoningFromRequest,
  reasoningFromSettings,
} from "@longhaul/models/advanced";
import type { ReasoningConfig } from "@longhaul/settings";
import { asBuffer } from "@longhaul/upstream";
import { findCodec, type Warning } from "@longhaul/wire";
import type { Call } from "../request/request-context.ts";

export interface ChosenReasoning {
  readonly reasoning: Reasoning | undefined;
  /** Raised if the client's own limit leaves no room for the reply after the reasoning budget. */
  readonly maxOutputTokens?: number;
  readonly warnings: readonly Warning[];
  /** Whether the parameters differ from the request's. */
  readonly isChanged: boolean;
  /** Whether the gateway wrote the parameters, not the client. */
  readonly isOurs: boolean;
  /** Whether the client gets no reasoning, even if the upstream is not asked to leave it out. */
  readonly isExcluded: boolean;
  /** Whether the upstream is not asked to leave the reasoning out, because it must be sent back later. */
  readonly isHeldBack: boolean;
}

/** Applies the first of suffix, request, route, profile and global settings; otherwise the vendor's default stays. */
export function chooseReasoning(request: Request, destination: Destination): ChosenReasoning {
  const own = ownAmount(request, destination);
  const requested = requestedFor(own, destination);
  const exclude = request.reasoning?.exclude ?? destination.reasoning?.settings.exclude;
  if (destination.match.model.reasoning.kind === "none") {
    return { ...withoutReasoning(own, requested, destination), isExcluded: exclude === true };
  }
  const plan = planFor(request, { requested, own }, destination);
  const isHeldBack = exclude === true && isNeededHere(request, destination);
  const sentExclude = isHeldBack ? undefined : exclude;
  const amount = plan === undefined ? amountSent(request, sentExclude, destination) : plan.reasoning;
  const reasoning = amount && withExclude(amount, sentExclude);
  const { maxOutputTokens, adjustments = [] } = plan ?? {};
  return {
    reasoning,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    warnings: adjustments.map((adjustment) => warningOf(adjustment, destination.model)),
    isChanged: maxOutputTokens !== undefined || !isSame(request.reasoning, reasoning),
    isOurs: plan !== undefined,
    isExcluded: exclude === true,
    isHeldBack,
  };
}

/** Returns the request's own parameters. In another format, a request that only excludes the reasoning has none. */
function ownAmount(request: Request, destination: Destination): Reasoning | undefined {
  return isForeign(request, destination) && isBareExclusion(request) ? undefined : request.reasoning;
}

function isForeign({ native }: Request, { wire }: Destination): boolean {
  return native?.wire !== wire;
}

/** Plans the parameters; undefined if the upstream can judge the client's own, because the format is the same. */
function planFor(
  request: Request,
  { requested, own }: { readonly requested: RequestedReasoning | undefined; readonly own: Reasoning | undefined },
  destination: Destination,
): ReasoningPlan | undefined {
  const { maxOutputTokens } = request;
  const { model } = destination.match;
  const { ceilingTokens } = destination.reasoning?.settings ?? {};
  if (requested !== undefined) return planReasoning({ model, requested, maxOutputTokens, ceilingTokens });
  if (own === undefined || !isForeign(request, destination)) return undefined;
  return planReasoning({ model, requested: reasoningFromRequest(own), maxOutputTokens, isOwn: true });
}

/** Returns the client's own parameters, unless an exclusion that is not sent is all they say. */
function amountSent(request: Request, exclude: boolean | undefined, destination: Destination): Reasoning | undefined {
  const own = ownAmount(request, destination);
  const isMoot = own?.exclude !== exclude && isBareExclusion(request);
  return own === undefined || isMoot ? openReasoning(exclude, destination) : own;
}

function withExclude(amount: Reasoning, exclude: boolean | undefined): Reasoning {
  if (amount.mode === "off") return amount;
  const { exclude: _, ...rest } = amount;
  return exclude === undefined ? rest : { ...rest, exclude };
}

/** Returns what suffix or settings request, unless the client's own parameters override it. */
function requestedFor(own: Reasoning | undefined, { reasoning, match }: Destination): RequestedReasoning | undefined {
  if (reasoning === undefined) return undefined;
  const { suffix, pinned, settings } = reasoning;
  if (suffix !== undefined) return suffix;
  if (own !== undefined && (own.mode !== "adaptive" || own.effort !== undefined)) return undefined;
  const requested = pinned ?? (isUnknown(match, settings) ? undefined : reasoningFromSettings(settings, match.model));
  // A client that asks for reasoning without an amount gets some.
  return own !== undefined && requested?.kind === "off" ? undefined : requested;
}

/** Settings apply only to models that are known to reason. */
function isUnknown({ matchedBy, model }: ModelMatch, { patterns = {} }: ReasoningConfig): boolean {
  return matchedBy === "default" && !matchesPattern(model.id, patterns);
}

/** OpenRouter shows reasoning by default, so excluding it needs a parameter; at other upstreams that parameter would turn reasoning on. */
function openReasoning(exclude: boolean | undefined, { handle, match }: Destination): Reasoning | undefined {
  const { quirks } = handle.connection.upstream.deployment;
  const isNeeded = exclude === true && quirks.showsReasoning === "unless-excluded" && match.model.reasoning.onByDefault;
  return isNeeded ? { mode: "adaptive" } : undefined;
}

/** Removes the parameters for a model that cannot reason, with a warning if reasoning was requested. */
function withoutReasoning(
  own: Reasoning | undefined,
  requested: RequestedReasoning | undefined,
  { model, reasoning }: Destination,
): Omit<ChosenReasoning, "isExcluded"> {
  const isRequested =
    (requested !== undefined && requested.kind !== "off" && isExplicit(reasoning)) || (own && own.mode !== "off");
  const message = `the model "${model}" cannot reason, so the parameters were removed; ${REASONING_ADVICE}`;
  const warning: Warning = { feature: "reasoning", action: "dropped", message, count: 1 };
  return {
    reasoning: undefined,
    warnings: isRequested ? [warning] : [],
    isChanged: own !== undefined,
    isOurs: false,
    isHeldBack: false,
  };
}

/** Settings apply to all models, so a model that cannot reason needs no warning for them. */
function isExplicit(reasoning: Destination["reasoning"]): boolean {
  return reasoning?.suffix !== undefined || reasoning?.pinned !== undefined;
}

function warningOf({ what, from, to, why }: ReasoningAdjustment, model: string): Warning {
  const feature = what === "reasoning" ? what : `reasoning.${what}`;
  const message = `the model "${model}" gets ${to} instead of ${from}: ${why}`;
  return { feature, action: "changed", message, count: 1 };
}

function isSame(left: Reasoning | undefined, right: Reasoning | undefined): boolean {
  return (["mode", "effort", "budgetTokens", "exclude"] as const).every((name) => left?.[name] === right?.[name]);
}

/**
 * Whether the gateway must remove reasoning that is excluded: the settings exclude it, whatever the upstream sends; or the request does, and
 * the formats differ or the upstream always shows it.
 */
export function isHiddenHere(call: Call, { wire, handle, reasoning }: Destination): boolean {
  const { codec, endpoint } = call;
  if (reasoning?.settings.exclude === true) return true;
  const isSameFormat = codec.id === wire && endpoint.wire === wire;
  return !isSameFormat || handle.connection.upstream.deployment.quirks.showsReasoning === "always";
}

/**
 * Whether the gateway needs the reasoning although the client excludes it: some models refuse tool calls that come back without it, and
 * OpenRouter returns nothing to send back if it is asked to exclude it. Not needed if the client only excludes and asks for none.
 */
export function isNeededHere(request: Request, { handle, match }: Destination): boolean {
  if (handle.connection.upstream.deployment.quirks.showsReasoning !== "unless-excluded") return false;
  if (request.conversation.tools.length === 0) return false;
  return match.model.reasoning.onByDefault || !isBareExclusion(request);
}

/** Whether excluding it is all that a request says about reasoning. */
export function isBareExclusion({ native, reasoning: read }: Request): boolean {
  if (read?.effort !== undefined || !isJsonObject(native?.value)) return false;
  return findCodec(native.wire)?.reasoning.excludesOnly(native.value) ?? false;
}

const EXCLUDE_FIELD = '"exclude"';

/** Whether a body may ask OpenRouter to exclude the reasoning. Most bodies lack the word, so their fields are not searched. */
export function mentionsExclusion(body: Uint8Array, messagesField: string): boolean {
  const bytes = asBuffer(body);
  if (!bytes.includes(EXCLUDE_FIELD)) return false;
  const span = splitScanned(body, messagesField)?.fields.get("reasoning");
  return span !== undefined && bytes.subarray(span.from, span.to).includes(EXCLUDE_FIELD);
}

import type { Reasoning, Request } from "@longhaul/conversation";
import type { Destination } from "@longhaul/fit";
import {
  fitsPattern,
  type ModelMatch,
  planReasoning,
  REASONING_NEEDS,
  type ReasoningAdjustment,
  type ReasoningPlan,
  type ReasoningWish,
  wishOfReasoning,
  wishOfSettings,
} from "@longhaul/models";
import type { ReasoningConfig } from "@longhaul/settings";
import type { Warning } from "@longhaul/wire";
import { isBareExclusion, isNeededHere } from "./exclusion.ts";

/** What a destination is told about thinking. */
export interface SaidReasoning {
  readonly reasoning: Reasoning | undefined;
  /** The most tokens for the reply, where those that the client allows leave no room behind the budget. */
  readonly maxOutputTokens?: number;
  readonly warnings: readonly Warning[];
  /** Whether it differs from what the request says. */
  readonly isChanged: boolean;
  /** Whether the words are the gateway's and not the client's. */
  readonly isOurs: boolean;
  /** Whether answers are to go without the reasoning, although nobody tells the upstream. */
  readonly isExcluded: boolean;
  /** Whether the upstream is not told so, because the reasoning has to be sent back. */
  readonly isHeldBack: boolean;
}

/** Settles what a destination is told: suffix, request, route, profile, global settings, in this order; else the vendor's own default. */
export function sayReasoning(request: Request, destination: Destination): SaidReasoning {
  const own = ownAmount(request, destination);
  const wish = wishFor(own, destination);
  if (destination.match.model.reasoning.kind === "none") return withoutReasoning(own, wish, destination);
  const plan = planFor(request, { wish, own }, destination);
  const exclude = request.reasoning?.exclude ?? destination.reasoning?.settings.exclude;
  const isHeldBack = exclude === true && isNeededHere(request, destination);
  const told = isHeldBack ? undefined : exclude;
  const amount = plan === undefined ? amountSaid(request, told, destination) : plan.reasoning;
  const reasoning = amount && withExclude(amount, told);
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

/** What a request says of the amount; in another format, one that only asks not to see it says nothing. */
function ownAmount(request: Request, destination: Destination): Reasoning | undefined {
  return isForeign(request, destination) && isBareExclusion(request) ? undefined : request.reasoning;
}

function isForeign({ native }: Request, { wire }: Destination): boolean {
  return native?.wire !== wire;
}

/** How the destination is told. Who speaks its format has said it in words that it can judge itself. */
function planFor(
  request: Request,
  { wish, own }: { readonly wish: ReasoningWish | undefined; readonly own: Reasoning | undefined },
  destination: Destination,
): ReasoningPlan | undefined {
  const { maxOutputTokens } = request;
  const { model } = destination.match;
  if (wish !== undefined) return planReasoning({ model, wish, maxOutputTokens });
  if (own === undefined || !isForeign(request, destination)) return undefined;
  return planReasoning({ model, wish: wishOfReasoning(own), maxOutputTokens, isOwn: true });
}

/** What the client says, where it says more than what is not told anyway; else what may have to be said in its place. */
function amountSaid(request: Request, told: boolean | undefined, destination: Destination): Reasoning | undefined {
  const own = ownAmount(request, destination);
  const isMoot = own?.exclude !== told && isBareExclusion(request);
  return own === undefined || isMoot ? openReasoning(told, destination) : own;
}

function withExclude(amount: Reasoning, exclude: boolean | undefined): Reasoning {
  if (amount.mode === "off") return amount;
  const { exclude: _, ...rest } = amount;
  return exclude === undefined ? rest : { ...rest, exclude };
}

/** What somebody else than the client has to say about the amount, where the client's own word does not go before it. */
function wishFor(own: Reasoning | undefined, { reasoning, match }: Destination): ReasoningWish | undefined {
  if (reasoning === undefined) return undefined;
  const { suffix, pinned, settings } = reasoning;
  if (suffix !== undefined) return suffix;
  if (own !== undefined && (own.mode !== "adaptive" || own.effort !== undefined)) return undefined;
  const wish = pinned ?? (isUnheardOf(match, settings) ? undefined : wishOfSettings(settings, match.model));
  // Who asks for thinking and leaves open how much does not get none.
  return own !== undefined && wish?.kind === "off" ? undefined : wish;
}

/** Settings hold for models that reason: nothing is said to one of which nobody knows whether it does. */
function isUnheardOf({ matchedBy, model }: ModelMatch, { patterns = {} }: ReasoningConfig): boolean {
  return matchedBy === "default" && !fitsPattern(model.id, patterns);
}

/** OpenRouter shows reasoning unless told otherwise; elsewhere a model is not told to think only to be told not to show it. */
function openReasoning(exclude: boolean | undefined, { handle, match }: Destination): Reasoning | undefined {
  const { quirks } = handle.connection.upstream.deployment;
  const isTold = exclude === true && quirks.showsReasoning === "unless-excluded" && match.model.reasoning.onByDefault;
  return isTold ? { mode: "adaptive" } : undefined;
}

/** A model that cannot reason is told nothing about it; who asked for it is told so. */
function withoutReasoning(
  own: Reasoning | undefined,
  wish: ReasoningWish | undefined,
  { model, reasoning }: Destination,
): SaidReasoning {
  const isWanted = (wish !== undefined && wish.kind !== "off" && isTyped(reasoning)) || (own && own.mode !== "off");
  const message = `the model "${model}" cannot reason and is not told to; ${REASONING_NEEDS}`;
  const warning: Warning = { feature: "reasoning", action: "dropped", message, count: 1 };
  return {
    reasoning: undefined,
    warnings: isWanted ? [warning] : [],
    isChanged: own !== undefined,
    isOurs: false,
    isExcluded: false,
    isHeldBack: false,
  };
}

/** Settings hold for models of every kind: that one of them cannot reason is no news. */
function isTyped(reasoning: Destination["reasoning"]): boolean {
  return reasoning?.suffix !== undefined || reasoning?.pinned !== undefined;
}

function warningOf({ what, from, to, why }: ReasoningAdjustment, model: string): Warning {
  const feature = what === "reasoning" ? what : `reasoning.${what}`;
  const message = `the model "${model}" is told ${to} instead of ${from}: ${why}`;
  return { feature, action: "changed", message, count: 1 };
}

function isSame(left: Reasoning | undefined, right: Reasoning | undefined): boolean {
  return (["mode", "effort", "budgetTokens", "exclude"] as const).every((name) => left?.[name] === right?.[name]);
}

import type { View } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import type { Edit } from "../edits/edit.ts";
import { sum } from "../edits/lists.ts";
import { apply } from "../rewrite/apply.ts";
import { chooseLines } from "./choose.ts";
import { gatherLines, keptTokens } from "./gather.ts";
import { leaveOut } from "./left-out.ts";
import { type ScopeShares, scopeOf } from "./scope.ts";

/** How much stays as it is where nobody says otherwise. */
const DEFAULT_SHARES: ScopeShares = { tail: 0.3, newest: 0.4, user: 0.25 };

/**
 * Keeps the latest messages as they are, and of the older ones the lines that together say the most of what will likely be needed again,
 * as many as the target has room for. What the user said comes first; tool pairs stay whole or go whole.
 */
export function planCover(view: View, shares: ScopeShares = DEFAULT_SHARES): Edit[] {
  if (view.tokens <= view.limits.targetTokens) return [];
  const fixedTokens = view.tokens - sum(view.messageTokens);
  const messageBudget = Math.max(0, view.limits.targetTokens - fixedTokens);
  const scope = scopeOf(view, shares, messageBudget);
  const market = gatherLines(view, scope);
  const tailTokens = sum(view.messageTokens.slice(scope.tailFrom));
  const plan = (budgetTokens: number) => leaveOut(view, { scope, market, choice: chooseLines(market, budgetTokens) });
  return fitTarget(view, plan, messageBudget - tailTokens - keptTokens(market.groups));
}

/** Estimates per line don't add up exactly, so the budget is corrected by what the plan really comes to. */
const CORRECTIONS = 4;
/** A plan that uses this share of the target is good enough. */
const GOOD_USE = 0.97;
/** What the first plan aims at, so that it seldom overshoots. */
const FIRST_AIM = 0.985;
/** Going the whole way would overshoot as often as not. */
const CORRECTION = { up: 0.9, down: 1.1 } as const;

function fitTarget(view: View, plan: (budgetTokens: number) => Edit[], startTokens: number): Edit[] {
  const { targetTokens } = view.limits;
  let budget = startTokens - (1 - FIRST_AIM) * targetTokens;
  let best: Edit[] | undefined;
  let edits: Edit[] = [];
  for (let attempt = 0; attempt < CORRECTIONS; attempt++) {
    edits = plan(budget);
    const tokens = tokensAfter(view, edits);
    if (tokens > targetTokens && best !== undefined) break;
    if (tokens <= targetTokens) best = edits;
    if (tokens <= targetTokens && tokens >= GOOD_USE * targetTokens) break;
    const off = targetTokens - tokens;
    budget += off * (off > 0 ? CORRECTION.up : CORRECTION.down);
  }
  return best ?? edits;
}

function tokensAfter(view: View, edits: readonly Edit[]): number {
  const draft = apply(openDraft(view.conversation), edits, { answers: [], hash: view.hash });
  return view.counter.countConversation(draft.conversation);
}

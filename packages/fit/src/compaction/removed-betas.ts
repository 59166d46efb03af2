import type { LonghaulError } from "@longhaul/conversation";
import type { Upstream } from "@longhaul/upstream";

const LONG_CONTEXT = "context-1m-2025-08-07";

/** The window that models have without the beta. */
const SHORT_WINDOW_TOKENS = 200_000;

/**
 * The betas that a request to an upstream must not ask for: those that its credential cannot use, and the million-token window where the
 * window is set to the short one or was refused before.
 */
export function removedBetas(
  { blockedBetas = [], windowTokens }: Pick<Upstream, "blockedBetas" | "windowTokens">,
  isLongContextRefused = false,
): readonly string[] {
  const isShort = windowTokens !== undefined && windowTokens <= SHORT_WINDOW_TOKENS;
  return isShort || isLongContextRefused ? [...new Set([...blockedBetas, LONG_CONTEXT])] : blockedBetas;
}

/**
 * Refusals of the million-token beta itself, whatever the size of the prompt: the one is a 400 for credentials without it, the other a 429
 * for plans that would have to pay for it (anthropics/claude-code#27944 and #42616).
 */
const REFUSALS: readonly { readonly status: number; readonly words: RegExp }[] = [
  { status: 400, words: /\blong context beta is not (?:yet )?available\b/i },
  { status: 429, words: /\bextra usage is required for long context requests\b/i },
];

/** Whether an upstream refused the million-token beta: the same request without it may succeed. */
export function isLongContextRefusal({ status, message }: LonghaulError): boolean {
  return REFUSALS.some((refusal) => refusal.status === status && refusal.words.test(message));
}

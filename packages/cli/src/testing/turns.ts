import type { Turn } from "../play/ask-turn.ts";

/** A turn that was sent as it came, but for what is said otherwise. */
export function makeTurn(turn: Partial<Turn>): Turn {
  return { cameTokens: 0, sentTokens: 0, cachedTokens: 0, origin: "", strategy: "", content: [], ...turn };
}

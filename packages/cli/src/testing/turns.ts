import type { Turn } from "../play/ask-turn.ts";

/** Makes a turn that was sent unchanged, with overrides. */
export function makeTurn(turn: Partial<Turn>): Turn {
  return { cameTokens: 0, sentTokens: 0, cachedTokens: 0, origin: "", strategy: "", content: [], ...turn };
}

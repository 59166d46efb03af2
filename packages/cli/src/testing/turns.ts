import type { PlayedTurn } from "../play/ask-turn.ts";

/** Makes a turn that was sent unchanged, with overrides. */
export function makeTurn(turn: Partial<PlayedTurn>): PlayedTurn {
  return { originalTokens: 0, sentTokens: 0, cachedTokens: 0, origin: "", strategy: "", content: [], ...turn };
}

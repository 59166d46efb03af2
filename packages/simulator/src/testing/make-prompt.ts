import type { Prompt, PromptTurn } from "../core/prompt.ts";

/** A prompt of one user turn that says hello. */
export function makePrompt(parts: Partial<Prompt> = {}): Prompt {
  return {
    api: "anthropic",
    model: "claude-opus-4-6",
    system: "",
    turns: [makeTurn("user", { texts: ["hello"] })],
    tools: [],
    thinks: false,
    stopSequences: [],
    ...parts,
  };
}

/** One turn, empty but for what is given. */
export function makeTurn(role: PromptTurn["role"], parts: Partial<PromptTurn> = {}): PromptTurn {
  return { role, texts: [], calls: [], results: [], ...parts };
}

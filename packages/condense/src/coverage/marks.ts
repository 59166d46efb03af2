import type { Content } from "../content/content.ts";

/** Stands for lines left out between others. */
export const LEFT_OUT = "…";

/** The same in what the assistant wrote: a model may copy its own past words, and dots in a file could not be told from some it meant. */
export const LEFT_OUT_BY_US = "⟨…⟩";

/** What stands for lines left out of a content. */
export function markIn({ role }: Content): string {
  return role === "assistant" ? LEFT_OUT_BY_US : LEFT_OUT;
}

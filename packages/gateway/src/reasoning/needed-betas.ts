import type { Reasoning, Request } from "@longhaul/conversation";
import type { Destination } from "@longhaul/fit";
import { codecOf } from "@longhaul/wire";

/**
 * The betas that thinking needs where the words are the gateway's and not the client's: with a budget, Claude 4 thinks between tool calls
 * only then. Claude 3.7 never does, and models that think adaptively do so by themselves.
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

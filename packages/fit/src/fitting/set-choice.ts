import { findStrategy } from "@longhaul/condense";
import { checkValue, ownValue } from "@longhaul/conversation";
import type { ContextConfig } from "@longhaul/settings";
import type { WorkChoice } from "../work/work.ts";

/** A strategy with what is set for it. Only strategies that summarise take a prompt. */
export function setChoice(
  id: string,
  { strategies, prompt }: Pick<ContextConfig, "strategies" | "prompt">,
): WorkChoice {
  const config = ownValue(strategies, id) ?? {};
  const takesPrompt = prompt !== undefined && checkValue(findStrategy(id).schema, { prompt }).success;
  return { strategy: id, config: takesPrompt ? { ...config, prompt } : config };
}

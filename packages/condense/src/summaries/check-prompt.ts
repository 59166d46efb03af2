import { LonghaulError } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { z } from "zod";

/** What a prompt may leave open; everything else in braces is a mistake. */
export const PROMPT_PLACEHOLDERS = ["formatted_messages", "words"] as const;

/** Largest share of the summariser's window that a prompt may take. */
const MAX_SHARE = 0.25;

/** What is wrong with a prompt that somebody wrote, each fault as a sentence; an empty list means that it can be used. */
export function promptFaults(
  prompt: string,
  { counter, windowTokens }: { readonly counter: TokenCounter; readonly windowTokens: number },
): string[] {
  if (prompt.trim() === "") return ["the prompt is blank; leave it out to use the default"];
  const tokens = counter.countText(prompt);
  const limit = Math.floor(windowTokens * MAX_SHARE);
  return [
    ...(tokens > limit ? [`the prompt has ${tokens} tokens; the summariser's window allows ${limit}`] : []),
    ...placeholderFaults(prompt),
  ];
}

/** A prompt that somebody wrote, as a setting: whoever writes the summary decides later whether it is too long. */
export const promptSchema = z.string().check(({ value, issues }) => {
  for (const message of placeholderFaults(value)) issues.push({ code: "custom", message, input: value });
});

function placeholderFaults(prompt: string): string[] {
  const unknown = placeholdersIn(prompt).filter((name) => !PROMPT_PLACEHOLDERS.some((known) => known === name));
  const known = PROMPT_PLACEHOLDERS.map((name) => `{${name}}`).join(", ");
  return unknown.map((name) => `the prompt has an unknown placeholder {${name}}; known are ${known}`);
}

/** Refuses a prompt that cannot be used, with `settings.invalid`. */
export function requirePrompt(prompt: string, limits: Parameters<typeof promptFaults>[1]): void {
  const faults = promptFaults(prompt, limits);
  if (faults.length > 0) throw new LonghaulError("settings.invalid", faults.join("; "));
}

function placeholdersIn(prompt: string): string[] {
  return [...prompt.matchAll(/\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].flatMap((found) => found[1] ?? []);
}

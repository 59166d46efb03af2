import type { PromptsAnswer, SettingsAnswer } from "@longhaul/settings";
import { configIn, contextPath, EVERYWHERE, type Held, promptIn, type Scope } from "./scope.ts";

/** Where a prompt is set: in a scope, for one strategy, or for every one that summarises. */
export interface PromptPlace {
  readonly scope: Scope;
  /** Empty for every strategy. */
  readonly strategy: string;
}

type Settings = Pick<SettingsAnswer, "settings">;

/** What somebody wrote at a place; blank where nobody did. */
export function promptAt(settings: Settings, { scope, strategy }: PromptPlace): Held<string> {
  if (strategy === "") return promptIn(settings, scope);
  const { value, isOwn } = configIn(settings, scope, strategy);
  const prompt = typeof value.prompt === "string" ? value.prompt : "";
  return { value: prompt, isOwn: isOwn && prompt !== "" };
}

/** The prompt that is used where nobody wrote another. */
export function defaultPrompt({ prompts }: PromptsAnswer, strategy: string): string {
  const own = prompts.find(({ id }) => id === strategy) ?? prompts.find(({ id }) => id === "summary");
  return own?.text ?? "";
}

/** The change of settings that puts a prompt at a place, or takes away what is there. */
export function promptEntry(
  settings: Settings,
  { scope, strategy }: PromptPlace,
  prompt: string | undefined,
): { readonly path: string; readonly value?: unknown } {
  const section = contextPath(scope);
  if (strategy === "") return { path: `${section}.prompt`, ...(prompt === undefined ? {} : { value: prompt }) };
  const path = `${section}.strategies.${strategy}`;
  const { prompt: _, ...others } = configIn(settings, scope, strategy).value;
  if (prompt !== undefined) return { path, value: { ...others, prompt } };
  const isEmpty = scope === EVERYWHERE && Object.keys(others).length === 0;
  return isEmpty ? { path } : { path, value: others };
}

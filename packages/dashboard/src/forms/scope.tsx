import type { ProfilesAnswer, PromptsAnswer, SettingsAnswer } from "@longhaul/admin/api";
import { Choice } from "../components/controls.tsx";
import { hrefTo } from "../components/router.ts";
import { useQuery } from "../gateway/gateway.tsx";
import { strings } from "../strings/strategies.ts";
import { isJson, isRecord, type JsonRecord } from "./schema.ts";

const { scope: texts } = strings;

/** Where settings apply: to one profile, by its name, or to all of them. */
export type Scope = string;

/** The scope of settings that apply to every profile that does not override them. */
export const GLOBAL: Scope = "";

interface ScopeChoiceProps {
  readonly value: Scope;
  /** The page and item to show in the chosen scope. */
  readonly page: string;
  readonly id?: string;
}

/** Chooses the scope. It is part of the address. */
export function ScopeChoice({ value, page, id = "" }: ScopeChoiceProps) {
  const profiles = useQuery<ProfilesAnswer>("/profiles", ["settings"]);
  const names = profiles.value?.profiles.map(({ name }) => name) ?? [];
  const known = value === GLOBAL || names.includes(value) ? names : [value, ...names];
  const options = [[GLOBAL, texts.global] as const, ...known.map((name) => [name, texts.profile(name)] as const)];
  const choose = (scope: Scope) => {
    location.hash = hrefTo(page, id, scopeQuery(scope));
  };
  return <Choice label={texts.label} options={options} value={value} onChoose={choose} />;
}

/** Returns the path of a scope's context settings. A profile's name is quoted if it contains dots, quotes or spaces. */
export function contextPath(scope: Scope): string {
  if (scope === GLOBAL) return "context";
  return `profiles.${/^[^."\s]+$/.test(scope) ? scope : JSON.stringify(scope)}.context`;
}

export function scopeQuery(scope: Scope): { readonly profile?: string } {
  return scope === GLOBAL ? {} : { profile: scope };
}

export function scopeSuffix(scope: Scope): string {
  return scope === GLOBAL ? "" : texts.suffix(scope);
}

/** The effective value in a scope, and whether the scope sets it itself. */
interface Effective<T> {
  readonly value: T;
  readonly isSetHere: boolean;
}

type Settings = Pick<SettingsAnswer, "settings">;

export function strategyIn(settings: Settings, scope: Scope): Effective<string> {
  return textIn(settings, scope, "strategy");
}

/** Returns a strategy's settings in a scope. A narrower scope overrides all of them together. */
export function configIn(settings: Settings, scope: Scope, strategy: string): Effective<JsonRecord> {
  const { value, isSetHere } = effectiveIn(settings, scope, `strategies.${strategy}`);
  return { value: recordOf(value), isSetHere };
}

/** Returns the prompt for all summarizing strategies. It overrides the strategies' own prompts. */
export function promptIn(settings: Settings, scope: Scope): Effective<string> {
  return textIn(settings, scope, "prompt");
}

export function recordOf(value: unknown): JsonRecord {
  return isJson(value) && isRecord(value) ? value : {};
}

function textIn(settings: Settings, scope: Scope, name: string): Effective<string> {
  const { value, isSetHere } = effectiveIn(settings, scope, name);
  return { value: typeof value === "string" ? value : "", isSetHere };
}

function effectiveIn(settings: Settings, scope: Scope, name: string): Effective<unknown> {
  const own = settingValue(settings, `${contextPath(scope)}.${name}`);
  if (own !== undefined || scope === GLOBAL) return { value: own, isSetHere: own !== undefined };
  return { value: settingValue(settings, `${contextPath(GLOBAL)}.${name}`), isSetHere: false };
}

export function settingValue({ settings }: Settings, path: string): unknown {
  return settings.find((setting) => setting.path === path)?.value;
}

/** Returns the path to store a setting under: that of the object or list that is stored as a whole. */
export function storedPath({ path, storedAs }: Pick<SettingsAnswer["settings"][number], "path" | "storedAs">): string {
  if (storedAs === undefined) return path;
  return partsOf(path).slice(0, partsOf(storedAs).length).join(".");
}

/** Splits a path at dots outside of quotes. */
function partsOf(path: string): readonly string[] {
  return path.match(/"(?:[^"\\]|\\.)*"|[^.]+/g) ?? [];
}

/** Where a prompt is set. */
export interface PromptLocation {
  readonly scope: Scope;
  /** Empty for all summarizing strategies. */
  readonly strategy: string;
}

export function promptAt(settings: Settings, { scope, strategy }: PromptLocation): Effective<string> {
  if (strategy === "") return promptIn(settings, scope);
  const { value, isSetHere } = configIn(settings, scope, strategy);
  const prompt = typeof value.prompt === "string" ? value.prompt : "";
  return { value: prompt, isSetHere: isSetHere && prompt !== "" };
}

export function defaultPrompt({ prompts }: PromptsAnswer, strategy: string): string {
  const own = prompts.find(({ strategies }) => strategies.includes(strategy)) ?? prompts[0];
  return own?.text ?? "";
}

export function promptEntry(
  settings: Settings,
  { scope, strategy }: PromptLocation,
  prompt: string | undefined,
): { readonly path: string; readonly value?: unknown } {
  const section = contextPath(scope);
  if (strategy === "") return { path: `${section}.prompt`, ...(prompt === undefined ? {} : { value: prompt }) };
  const path = `${section}.strategies.${strategy}`;
  const { prompt: _, ...others } = configIn(settings, scope, strategy).value;
  if (prompt !== undefined) return { path, value: { ...others, prompt } };
  const isEmpty = scope === GLOBAL && Object.keys(others).length === 0;
  return isEmpty ? { path } : { path, value: others };
}

import type { ProfilesAnswer, PromptsAnswer, SettingsAnswer } from "@longhaul/admin/api";
import { Choice } from "../components/controls.tsx";
import { useQuery } from "../gateway/gateway.tsx";
import { isJson, isRecord, type JsonRecord } from "./schema.ts";

interface ScopeChoiceProps {
  readonly value: Scope;
  readonly onChoose: (scope: Scope) => void;
}

const NEWS = ["settings"];

/** Chooses whether settings hold everywhere or in one profile. */
export function ScopeChoice({ value, onChoose }: ScopeChoiceProps) {
  const profiles = useQuery<ProfilesAnswer>("/profiles", NEWS);
  const names = profiles.value?.profiles.map(({ name }) => name) ?? [];
  const known = value === GLOBAL || names.includes(value) ? names : [value, ...names];
  const options = [[GLOBAL, "Everything"] as const, ...known.map((name) => [name, `Profile ${name}`] as const)];
  return <Choice label="Holds for" options={options} value={value} onChoose={onChoose} />;
}

/** What is chosen here holds everywhere, or in one profile. */
export type Scope = string;

/** The scope that holds where no narrower one says otherwise. */
export const GLOBAL: Scope = "";

/** Where a scope's context settings stand; a profile's name is quoted where it holds dots, quotes or spaces. */
export function contextPath(scope: Scope): string {
  if (scope === GLOBAL) return "context";
  return `profiles.${/^[^."\s]+$/.test(scope) ? scope : JSON.stringify(scope)}.context`;
}

/** What the API and an address are told of a scope. */
export function scopeQuery(scope: Scope): { readonly profile?: string } {
  return scope === GLOBAL ? {} : { profile: scope };
}

/** A scope at the end of a sentence. */
export function spellScope(scope: Scope): string {
  return scope === GLOBAL ? "" : ` in the profile ${scope}`;
}

/** What holds in a scope, and whether the scope says so itself. */
interface Effective<T> {
  readonly value: T;
  readonly isSetHere: boolean;
}

type Settings = Pick<SettingsAnswer, "settings">;

/** The strategy that is in force in a scope. */
export function strategyIn(settings: Settings, scope: Scope): Effective<string> {
  const { value, isSetHere: isOwn } = heldAt(settings, scope, "strategy");
  return { value: typeof value === "string" ? value : "", isSetHere: isOwn };
}

/** A strategy's settings in a scope. They give way to narrower ones as a whole. */
export function configIn(settings: Settings, scope: Scope, strategy: string): Effective<JsonRecord> {
  const { value, isSetHere: isOwn } = heldAt(settings, scope, `strategies.${strategy}`);
  return { value: recordOf(value), isSetHere: isOwn };
}

/** The instructions for every strategy that summarises; they go before the strategies' own. */
export function promptIn(settings: Settings, scope: Scope): Effective<string> {
  const { value, isSetHere: isOwn } = heldAt(settings, scope, "prompt");
  return { value: typeof value === "string" ? value : "", isSetHere: isOwn };
}

/** A value where it is an object; else an empty one. */
export function recordOf(value: unknown): JsonRecord {
  return isJson(value) && isRecord(value) ? value : {};
}

function heldAt(settings: Settings, scope: Scope, name: string): Effective<unknown> {
  const own = settingValue(settings, `${contextPath(scope)}.${name}`);
  if (own !== undefined || scope === GLOBAL) return { value: own, isSetHere: own !== undefined };
  return { value: settingValue(settings, `${contextPath(GLOBAL)}.${name}`), isSetHere: false };
}

/** What holds for a setting; nothing where none is set. */
export function settingValue({ settings }: Pick<SettingsAnswer, "settings">, path: string): unknown {
  return settings.find((setting) => setting.path === path)?.value;
}

/** The path by which a setting is changed: that of the whole it is stored with, with the names that the user gave. */
export function storedPath({ path, storedAs }: Pick<SettingsAnswer["settings"][number], "path" | "storedAs">): string {
  if (storedAs === undefined) return path;
  return partsOf(path).slice(0, partsOf(storedAs).length).join(".");
}

/** Names that hold dots stand in quotes. */
function partsOf(path: string): readonly string[] {
  return path.match(/"(?:[^"\\]|\\.)*"|[^.]+/g) ?? [];
}

/** Where a prompt is set: in a scope, for one strategy, or for every one that summarises. */
export interface PromptLocation {
  readonly scope: Scope;
  /** Empty for every strategy. */
  readonly strategy: string;
}

/** What somebody wrote at a place; blank where nobody did. */
export function promptAt(settings: Settings, { scope, strategy }: PromptLocation): Effective<string> {
  if (strategy === "") return promptIn(settings, scope);
  const { value, isSetHere: isOwn } = configIn(settings, scope, strategy);
  const prompt = typeof value.prompt === "string" ? value.prompt : "";
  return { value: prompt, isSetHere: isOwn && prompt !== "" };
}

/** The prompt that is used where nobody wrote another. */
export function defaultPrompt({ prompts }: PromptsAnswer, strategy: string): string {
  const own = prompts.find(({ strategies }) => strategies.includes(strategy)) ?? prompts[0];
  return own?.text ?? "";
}

/** The change of settings that puts a prompt at a place, or takes away what is there. */
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

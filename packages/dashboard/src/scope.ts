import type { SettingsAnswer } from "@longhaul/settings";
import { isJson, isRecord, type JsonRecord } from "./forms/schema.ts";
import { settingValue } from "./setting-value.ts";

/** What is chosen here holds everywhere, or in one profile. */
export type Scope = string;

/** The scope that holds where no narrower one says otherwise. */
export const EVERYWHERE: Scope = "";

/** Where a scope's context settings stand; a profile's name is quoted where it holds dots, quotes or spaces. */
export function contextPath(scope: Scope): string {
  if (scope === EVERYWHERE) return "context";
  return `profiles.${/^[^."\s]+$/.test(scope) ? scope : JSON.stringify(scope)}.context`;
}

/** What the API and an address are told of a scope. */
export function inScope(scope: Scope): { readonly profile?: string } {
  return scope === EVERYWHERE ? {} : { profile: scope };
}

/** A scope at the end of a sentence. */
export function spellScope(scope: Scope): string {
  return scope === EVERYWHERE ? "" : ` in the profile ${scope}`;
}

/** What holds in a scope, and whether the scope says so itself. */
export interface Held<T> {
  readonly value: T;
  readonly isOwn: boolean;
}

type Settings = Pick<SettingsAnswer, "settings">;

/** The strategy that is in force in a scope. */
export function strategyIn(settings: Settings, scope: Scope): Held<string> {
  const { value, isOwn } = heldAt(settings, scope, "strategy");
  return { value: typeof value === "string" ? value : "", isOwn };
}

/** A strategy's settings in a scope. They give way to narrower ones as a whole. */
export function configIn(settings: Settings, scope: Scope, strategy: string): Held<JsonRecord> {
  const { value, isOwn } = heldAt(settings, scope, `strategies.${strategy}`);
  return { value: recordOf(value), isOwn };
}

/** The instructions for every strategy that summarises; they go before the strategies' own. */
export function promptIn(settings: Settings, scope: Scope): Held<string> {
  const { value, isOwn } = heldAt(settings, scope, "prompt");
  return { value: typeof value === "string" ? value : "", isOwn };
}

/** A value where it is an object; else an empty one. */
export function recordOf(value: unknown): JsonRecord {
  return isJson(value) && isRecord(value) ? value : {};
}

function heldAt(settings: Settings, scope: Scope, name: string): Held<unknown> {
  const own = settingValue(settings, `${contextPath(scope)}.${name}`);
  if (own !== undefined || scope === EVERYWHERE) return { value: own, isOwn: own !== undefined };
  return { value: settingValue(settings, `${contextPath(EVERYWHERE)}.${name}`), isOwn: false };
}

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, table } from "@longhaul/conversation/advanced";
import { UPSTREAM_KINDS } from "@longhaul/models/kinds";
import {
  addRouteTo,
  type Destination,
  type Draft,
  type Imported,
  IN_ORDER,
  NO_ANSWER_CACHE,
  NO_EQUIVALENT,
  objectOf,
  openDraft,
  textOf,
} from "./draft.ts";
import { upstreamOf } from "./upstreams.ts";

/** Converts a config of the Portkey gateway: targets that are tried one after another. */
export function importPortkey(given: JsonObject): Imported {
  const config = inSnakeCase(given);
  const draft = openDraft(config);
  const targets = targetsIn(config, draft);
  const found = targets.flatMap((target, index) => addTarget({ ...inherited(config), ...target }, index, draft) ?? []);
  if (found.length === 0) draft.note("no target could be converted: add upstreams and routes");
  addRouteTo("*", found, { draft, path: "targets" });
  for (const name of Object.keys(config)) noteField(name, draft);
  return draft.finish();
}

export function isPortkey(given: JsonObject): boolean {
  const value = inSnakeCase(given);
  const hasTargets = "targets" in value && "strategy" in value;
  return (
    hasTargets ||
    ("provider" in value && ["api_key", "virtual_key", "override_params", "retry"].some((name) => name in value))
  );
}

/** Portkey accepts `apiKey` for `api_key`, at every level. */
function inSnakeCase(config: JsonObject): JsonObject {
  const renamed = Object.entries(config).map(([name, value]) => [
    name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    renamedIn(value ?? null),
  ]);
  return Object.fromEntries(renamed);
}

function renamedIn(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(renamedIn);
  return isJsonObject(value) ? inSnakeCase(value) : value;
}

function targetsIn({ targets, strategy, ...own }: JsonObject, draft: Draft): JsonObject[] {
  if (targets === undefined || !isJsonArray(targets)) return [own];
  const mode = textOf(objectOf(strategy).mode);
  const reason = MODES[mode];
  if (reason !== undefined) draft.note(`strategy.mode ${mode}: ${reason}`);
  return targets.flatMap((target) => (isJsonObject(target) ? targetsIn(target, draft) : []));
}

const MODES: Readonly<Record<string, string>> = table({
  loadbalance: "targets are tried in order instead, without weights",
  conditional: "targets are tried in order instead; add routes by model name",
});

/** Returns the settings that a target inherits from the config around it. */
function inherited({ retry, request_timeout }: JsonObject): JsonObject {
  return { ...(retry !== undefined && { retry }), ...(request_timeout !== undefined && { request_timeout }) };
}

function addTarget(target: JsonObject, index: number, draft: Draft): Destination | undefined {
  const provider = textOf(target.provider).replace(/^@/, "");
  const address = textOf(target.custom_host);
  const found = upstreamOf(provider, address);
  if (found === undefined || UPSTREAM_KINDS[found.kind].auth !== "key") {
    draft.note(`targets[${index}]: add an upstream for the provider "${provider}" yourself (docs/configuration.md)`);
    return undefined;
  }
  if (target.virtual_key !== undefined)
    draft.note(`targets[${index}].virtual_key: only Portkey accepts it; set the vendor's API key`);
  const apiKey = draft.secret(target.api_key ?? target.virtual_key, provider);
  const { attempts } = objectOf(target.retry);
  const seconds = Number(target.request_timeout) / 1_000;
  const upstream = draft.addUpstream(provider, {
    ...found,
    ...(apiKey !== undefined && { apiKey }),
    ...(typeof attempts === "number" && { maxRetries: attempts }),
    ...(seconds > 0 && { timeouts: { firstByteSeconds: seconds } }),
  });
  const { model, ...others } = objectOf(target.override_params);
  for (const name of Object.keys(others))
    draft.note(`targets[${index}].override_params.${name}: only the model can be overridden`);
  if (target.weight !== undefined) draft.note(`targets[${index}].weight: ${IN_ORDER}`);
  return { upstream, ...(typeof model === "string" && { model }) };
}

const KNOWN = new Set([
  "strategy",
  "targets",
  "provider",
  "api_key",
  "virtual_key",
  "custom_host",
  "override_params",
  "retry",
  "request_timeout",
  "weight",
]);

function noteField(name: string, draft: Draft): void {
  if (name === "cache") draft.note(`cache: ${NO_ANSWER_CACHE}`);
  else if (!KNOWN.has(name)) draft.note(`${name}: ${NO_EQUIVALENT}`);
}

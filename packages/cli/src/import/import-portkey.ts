import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, table } from "@longhaul/conversation";
import { UPSTREAM_KINDS } from "@longhaul/models/kinds";
import { addRouteTo, type Destination, type Draft, type Imported, objectOf, openDraft, textOf } from "./draft.ts";
import { upstreamOf } from "./upstreams.ts";

/** Reads a config of the Portkey gateway: targets that are tried one after the other. */
export function importPortkey(given: JsonObject): Imported {
  const config = inSnakeCase(given);
  const draft = openDraft(config);
  const targets = targetsIn(config, draft);
  const found = targets.flatMap((target, index) => addTarget({ ...inherited(config), ...target }, index, draft) ?? []);
  if (found.length === 0) draft.note("no target could be taken over: write upstreams and routes");
  addRouteTo("*", found, { draft, path: "targets" });
  for (const name of Object.keys(config)) noteField(name, draft);
  return draft.finish();
}

/** Whether a value is such a config. */
export function isPortkey(given: JsonObject): boolean {
  const value = inSnakeCase(given);
  const hasTargets = "targets" in value && "strategy" in value;
  return (
    hasTargets ||
    ("provider" in value && ["api_key", "virtual_key", "override_params", "retry"].some((name) => name in value))
  );
}

/** Portkey reads `apiKey` as it reads `api_key`, at every level. */
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

/** Nested targets are put one after the other. */
function targetsIn({ targets, strategy, ...own }: JsonObject, draft: Draft): JsonObject[] {
  if (targets === undefined || !isJsonArray(targets)) return [own];
  const mode = textOf(objectOf(strategy).mode);
  const reason = MODES[mode];
  if (reason !== undefined) draft.note(`strategy.mode ${mode}: ${reason}`);
  return targets.flatMap((target) => (isJsonObject(target) ? targetsIn(target, draft) : []));
}

const MODES: Readonly<Record<string, string>> = table({
  loadbalance: "its targets are tried in order instead, without weights",
  conditional: "its targets are tried in order instead; write routes by the model's name",
});

/** What a target has from the config around it. */
function inherited({ retry, request_timeout }: JsonObject): JsonObject {
  return { ...(retry !== undefined && { retry }), ...(request_timeout !== undefined && { request_timeout }) };
}

function addTarget(target: JsonObject, index: number, draft: Draft): Destination | undefined {
  const provider = textOf(target.provider).replace(/^@/, "");
  const address = textOf(target.custom_host);
  const place = upstreamOf(provider, address);
  if (place === undefined || UPSTREAM_KINDS[place.kind].auth !== "key") {
    draft.note(
      `targets[${index}]: provider "${provider}" needs an upstream that you write yourself (docs/configuration.md)`,
    );
    return undefined;
  }
  if (target.virtual_key !== undefined)
    draft.note(`targets[${index}].virtual_key: it is Portkey's; set the vendor's own key`);
  const apiKey = draft.secret(target.api_key ?? target.virtual_key, provider);
  const { attempts } = objectOf(target.retry);
  const seconds = Number(target.request_timeout) / 1_000;
  const upstream = draft.addUpstream(provider, {
    ...place,
    ...(apiKey !== undefined && { apiKey }),
    ...(typeof attempts === "number" && { maxRetries: attempts }),
    ...(seconds > 0 && { timeouts: { firstByteSeconds: seconds } }),
  });
  const { model, ...others } = objectOf(target.override_params);
  for (const name of Object.keys(others))
    draft.note(`targets[${index}].override_params.${name}: only the model is overridden here`);
  if (target.weight !== undefined) draft.note(`targets[${index}].weight: upstreams of a route are tried in order`);
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
  if (name === "cache") draft.note("cache: answers are not cached; the vendors' prompt caches are kept warm");
  else if (!KNOWN.has(name)) draft.note(`${name}: there is no such setting here`);
}

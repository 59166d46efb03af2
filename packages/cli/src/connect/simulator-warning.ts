import { credentialKind, RECOGNIZED_VENDORS, UPSTREAM_KINDS } from "@longhaul/models/kinds";
import { type Config, isUnconfigured, matchesModel, servesCredential } from "@longhaul/settings";
import { layeredSettings } from "../config/config-source.ts";
import { CONFIGURE } from "../config/unconfigured.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Client } from "./clients.ts";
import type { ClientFlags } from "./fill.ts";

/**
 * Returns a warning if the simulator will answer a client's requests, as far as the configuration that `start` uses and the stored settings
 * say; otherwise an empty text. The configuration of a gateway at `--url` is unknown.
 */
export async function simulatorWarning(
  client: Client,
  { url, model, key }: ClientFlags,
  terminal: Terminal,
): Promise<string> {
  if (url !== undefined) return "";
  const { config } = await layeredSettings({}, terminal);
  const sent = key ?? (terminal.environment.LONGHAUL_KEY || undefined);
  const credential = sent === undefined ? undefined : kindOfKey(sent);
  if (!isSimulated(config, model, credential)) return "";
  const { name } = client;
  const sendsLogin = sent === undefined && !sendsGatewayKey(client);
  if (sendsLogin && isUnconfigured(config))
    return `Note: no upstream is configured. ${name}'s own ${RECOGNIZED_VENDORS} key or login goes to that vendor; without one, the built-in simulator answers.\n`;
  // A client that needs a key of the gateway cannot send a vendor's.
  const ownKey = needsGatewayKey(client) ? "" : `use --key with your own ${RECOGNIZED_VENDORS} key, or `;
  const remedy = isUnconfigured(config) ? ` For real answers, ${ownKey}${CONFIGURE}.` : "";
  return `Warning: the built-in simulator, not a model, will answer ${name}'s requests for ${model}.${remedy}\n`;
}

function needsGatewayKey({ steps = [] }: Client): boolean {
  return steps.some((step) => step.includes("{ownKey}"));
}

/** Returns whether the settings that `connect` shows contain a key of the gateway or a placeholder, and not the client's own login. */
export function sendsGatewayKey({ files, environment, steps, runEnvironment }: Client): boolean {
  const shown = { files, environment, steps };
  const hasShown = Object.values(shown).some((each) => each !== undefined);
  return /\{(?:anyKey|ownKey)\}/.test(JSON.stringify(hasShown ? shown : runEnvironment));
}

/** Returns whether the simulator serves a model for requests with this kind's credential. */
function isSimulated(config: Config, model: string, credential: string | undefined): boolean {
  const route = config.routes.find((each) => matchesModel(each.match, model) && servesCredential(each, credential));
  const ids = [route?.upstream ?? []].flat();
  return ids.length > 0 && ids.every((id) => isSimulator(config, id));
}

/** Returns whether an upstream is the built-in simulator. */
export function isSimulator({ upstreams }: Pick<Config, "upstreams">, id: string): boolean {
  const kind = upstreams[id]?.kind;
  return kind !== undefined && UPSTREAM_KINDS[kind].builtIn !== undefined;
}

/** Returns the kind of upstream that a key belongs to, if its form shows it. */
export function kindOfKey(key: string): string | undefined {
  return credentialKind({ authorization: `Bearer ${key}` }) ?? credentialKind({ "x-goog-api-key": key });
}

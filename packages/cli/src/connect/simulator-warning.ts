import { loadConfig } from "@longhaul/gateway";
import { credentialKind, RECOGNIZED_VENDORS, UPSTREAM_KINDS } from "@longhaul/models/kinds";
import { isUnconfigured, matchesModel, servesCredential } from "@longhaul/settings";
import { configSource } from "../config/config-source.ts";
import { CONFIGURE } from "../config/unconfigured.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Client } from "./clients.ts";
import type { ClientFlags } from "./fill.ts";

/**
 * Returns a warning if the simulator will answer a client's requests, as far as the configuration that `start` uses says; otherwise an empty
 * text. The configuration of a gateway at `--url` is unknown.
 */
export function simulatorWarning(client: Client, { url, model, key }: ClientFlags, terminal: Terminal): string {
  if (url !== undefined) return "";
  const { config } = loadConfig(configSource({}, terminal));
  const sent = key ?? (terminal.environment.LONGHAUL_KEY || undefined);
  const credential = sent === undefined ? undefined : kindOf(sent);
  const route = config.routes.find((each) => matchesModel(each.match, model) && servesCredential(each, credential));
  const kinds = [route?.upstream ?? []].flat().map((id) => config.upstreams[id]?.kind);
  const isSimulated = kinds.length > 0 && kinds.every((kind) => kind && UPSTREAM_KINDS[kind].builtIn !== undefined);
  if (!isSimulated) return "";
  const { name } = client;
  const sendsLogin = sent === undefined && !JSON.stringify(client).includes("{anyKey}");
  if (sendsLogin && isUnconfigured(config))
    return `Note: no upstream is configured. ${name}'s own ${RECOGNIZED_VENDORS} key or login goes to that vendor; without one, the built-in simulator answers.\n`;
  const remedy = isUnconfigured(config) ? ` Use --key with your own ${RECOGNIZED_VENDORS} key, or ${CONFIGURE}.` : "";
  return `Warning: the built-in simulator, not a model, will answer ${name}'s requests for ${model}.${remedy}\n`;
}

function kindOf(key: string) {
  return credentialKind({ authorization: `Bearer ${key}` }) ?? credentialKind({ "x-goog-api-key": key });
}

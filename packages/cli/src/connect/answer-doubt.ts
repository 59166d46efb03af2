import { credentialKind, RECOGNIZED_VENDORS, type UpstreamKindName } from "@longhaul/models/kinds";
import { type Config, isUnconfigured } from "@longhaul/settings";
import { CONFIGURE } from "../config/unconfigured.ts";
import { gatewayConfig } from "../gateway/gateway-config.ts";
import type { Terminal } from "../terminal/terminal.ts";
import {
  hasModelSetting,
  isSimulator,
  requestOf,
  type SentRequest,
  servesRequest,
  upstreamsFor,
} from "./client-route.ts";
import type { Client } from "./clients.ts";
import type { ClientFlags } from "./fill.ts";

/**
 * Returns why no model may answer a client's requests, as far as the running gateway says, or else the configuration that `start` uses and
 * the stored settings. The configuration of a gateway at `--url` is unknown.
 */
export async function answerDoubt(
  client: Client,
  { url, model, key }: ClientFlags,
  terminal: Terminal,
): Promise<Doubt | undefined> {
  if (url !== undefined) return undefined;
  const config = await gatewayConfig(terminal);
  const sent = key ?? (terminal.environment.LONGHAUL_KEY || undefined);
  const request = { ...sentRequest(client, model), credential: sent === undefined ? undefined : kindOfKey(sent) };
  const { ids } = upstreamsFor(config, request);
  const isSimulated = ids.length > 0 && ids.every((id) => isSimulator(config, id));
  if (!isSimulated) return wrongVendorWarning(client, request, config);
  const { name } = client;
  const sendsLogin = sent === undefined && !sendsGatewayKey(client);
  if (sendsLogin && isUnconfigured(config))
    return note(
      `no upstream is configured. ${name}'s own ${RECOGNIZED_VENDORS} key or login goes to that vendor; without one, the built-in simulator answers`,
    );
  // A client that needs a key of the gateway cannot send a vendor's.
  const ownKey = needsGatewayKey(client) ? "" : `use --key with your own ${RECOGNIZED_VENDORS} key, or `;
  const remedy = isUnconfigured(config) ? `. For real answers, ${ownKey}${CONFIGURE}` : "";
  const models = hasModelSetting(client) ? ` for ${model}` : "";
  return warning(`the built-in simulator, not a model, will answer ${name}'s requests${models}${remedy}`);
}

/** Why a client may get no answers of a model. */
export interface Doubt {
  readonly kind: "Note" | "Warning";
  readonly text: string;
}

const note = (text: string): Doubt => ({ kind: "Note", text });
const warning = (text: string): Doubt => ({ kind: "Warning", text });

export function describeDoubt(doubt: Doubt | undefined): string {
  return doubt === undefined ? "" : `${doubt.kind}: ${doubt.text}.\n`;
}

function sentRequest(client: Client, model: string): SentRequest {
  const [variable = ""] = client.traces?.variables ?? [];
  return requestOf(client, variable, model);
}

/** A client of another vendor gets only errors. Its own login or key may still lead to its vendor. */
function wrongVendorWarning(client: Client, { model, credential }: SentRequest, config: Config): Doubt | undefined {
  const [variable = ""] = client.traces?.variables ?? [];
  const own = credential ?? (sendsGatewayKey(client) ? undefined : requestOf(client, variable, model).credential);
  if (client.traces === undefined || servesRequest(config, { model, credential: own })) return undefined;
  return warning(
    `no upstream serves ${client.name}'s requests, for example for ${model}. Set ${client.traces.variables.join(" or ")} where the gateway runs, or add a route for them`,
  );
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

/** Returns the kind of upstream that a key belongs to, if its form shows it. */
export function kindOfKey(key: string): UpstreamKindName | undefined {
  return credentialKind({ authorization: `Bearer ${key}` }) ?? credentialKind({ "x-goog-api-key": key });
}

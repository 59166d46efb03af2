import { readFileSync } from "node:fs";
import { isJsonObject, LonghaulError, parseJsonText } from "@longhaul/conversation/advanced";
import { RECOGNIZED_VENDORS, UPSTREAM_KINDS } from "@longhaul/models/kinds";
import type { Config, UpstreamConfig } from "@longhaul/settings";
import {
  type Auth,
  type Deployment,
  deploymentsOf,
  type HandleContext,
  openHandle,
  type ServiceAccount,
  type Upstream,
  type UpstreamHandle,
} from "@longhaul/upstream";

/** The context for opening upstreams. */
export interface HandlesContext extends HandleContext {
  /** The URL of the built-in simulator, if it runs. */
  readonly simulatorUrl?: string;
}

/** Opens all upstreams of a configuration, by name. Invalid settings throw `settings.invalid` before anything is opened. */
export function openHandles(
  { upstreams }: Pick<Config, "upstreams">,
  context: HandlesContext,
): ReadonlyMap<string, readonly UpstreamHandle[]> {
  const { simulatorUrl } = context;
  const found = Object.entries(upstreams).map(([id, upstream]) => {
    return [id, upstreamsOf(upstream, { id, ...(simulatorUrl !== undefined && { simulatorUrl }) })] as const;
  });
  return new Map(found.map(([id, values]) => [id, values.map((upstream) => openHandle(upstream, context))]));
}

export interface UpstreamContext {
  readonly id: string;
  readonly simulatorUrl?: string;
}

/**
 * Returns the upstreams that one entry of the configuration describes: one for each deployment, none for the simulator if it does not run.
 * Missing settings throw `settings.invalid` with their names.
 */
export function upstreamsOf(config: UpstreamConfig, context: UpstreamContext): Upstream[] {
  const { builtIn } = UPSTREAM_KINDS[config.kind];
  if (builtIn !== undefined && (config.baseUrl ?? context.simulatorUrl) === undefined) return [];
  return deploymentsOf(config.kind).map((usual) => {
    const deployment = speaking(usual, config, context.id);
    const { connectSeconds, firstByteSeconds, idleSeconds } = config.timeouts;
    const { baseUrl, basic } = withoutUser(baseUrlOf(config, deployment, context));
    const auth = authOf(config, deployment, context.id);
    return {
      id: context.id,
      deployment,
      baseUrl,
      auth: auth.kind === "client" ? (basic ?? auth) : auth,
      headers: {
        ...(config.saysSimulated === true && { "x-simulate-notice": SIMULATED }),
        ...Object.fromEntries(Object.entries(config.headers).map(([name, value]) => [name.toLowerCase(), value])),
      },
      timeouts: {
        connectMs: connectSeconds * 1_000,
        firstByteMs: firstByteSeconds * 1_000,
        idleMs: idleSeconds * 1_000,
      },
      maxRetries: config.maxRetries,
      maxEventBytes: config.eventLimitMiB * 1024 * 1024,
      ...(config.window === undefined ? {} : { windowTokens: config.window }),
      ...(config.saysSimulated === true && { isFree: true as const }),
      ...(config.blockedBetas === undefined ? {} : { blockedBetas: config.blockedBetas }),
    };
  });
}

/** Begins the simulator's answers if nothing is configured. */
const SIMULATED =
  "[Simulated answer: no model is configured. " +
  `Send your own ${RECOGNIZED_VENDORS} key or login, or set an API key where Longhaul runs.]`;

/** A deployment with several formats can be limited to one of them. */
function speaking(deployment: Deployment, { wire }: UpstreamConfig, id: string): Deployment {
  if (wire === undefined) return deployment;
  const spoken = deployment.wires.find((id) => id === wire);
  if (spoken !== undefined) return { ...deployment, wires: [spoken] };
  throw new LonghaulError(
    "settings.invalid",
    `upstreams.${id}.wire: "${wire}" is not supported; choose one of ${deployment.wires.join(", ")}`,
  );
}

function baseUrlOf(config: UpstreamConfig, deployment: Deployment, { id, simulatorUrl }: UpstreamContext): string {
  const { builtIn, needs } = UPSTREAM_KINDS[config.kind];
  // The simulated vendors share a host: each has the path of the vendor that it simulates.
  if (builtIn !== undefined) return `${config.baseUrl ?? simulatorUrl}${pathIn(deployment.baseUrl)}`;
  if (needs.includes("baseUrl") && config.baseUrl === undefined) missing(id, "baseUrl");
  const filled = (config.baseUrl ?? deployment.baseUrl).replace(
    /\{(region|project)\}/g,
    (_, name: "region" | "project") => config[name] ?? missing(id, name),
  );
  return vertexHost(filled).replace(/\/+$/, "");
}

function pathIn(address: string): string {
  return new URL(address).pathname.replace(/\/$/, "");
}

/** Moves user name and password out of a URL, so that they appear in no message. They are used if there is no key. */
function withoutUser(address: string): { baseUrl: string; basic?: Auth } {
  const url = new URL(address);
  if (url.username === "" && url.password === "") return { baseUrl: address };
  const user = `${plain(url.username)}:${plain(url.password)}`;
  url.username = "";
  url.password = "";
  return {
    baseUrl: url.href.replace(/\/+$/, ""),
    basic: { kind: "basic", token: Buffer.from(user).toString("base64") },
  };
}

function plain(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Vertex has a host for each region; `global`, `us` and `eu` have other patterns. */
function vertexHost(url: string): string {
  return url
    .replace("//global-aiplatform.", "//aiplatform.")
    .replace(/\/\/(us|eu)-aiplatform\./, "//aiplatform.$1.rep.");
}

function authOf(config: UpstreamConfig, { keyHeader }: Deployment, id: string): Auth {
  const { auth, builtIn } = UPSTREAM_KINDS[config.kind];
  switch (auth) {
    case "aws":
      return awsAuth(config, id);
    case "google":
      return { kind: "google", account: readAccount(config.credentialsFile ?? missing(id, "credentialsFile")) };
    case "key":
      if (config.apiKey !== undefined) return { kind: "key", header: keyHeader, key: config.apiKey };
      return { kind: "client", header: keyHeader, ...(builtIn && { otherwise: builtIn.anyKey }) };
    default:
      return auth satisfies never;
  }
}

function awsAuth({ accessKeyId, secretAccessKey, sessionToken, region }: UpstreamConfig, id: string): Auth {
  const credentials = {
    accessKeyId: accessKeyId ?? missing(id, "accessKeyId"),
    secretAccessKey: secretAccessKey ?? missing(id, "secretAccessKey"),
    ...(sessionToken === undefined ? {} : { sessionToken }),
  };
  return { kind: "aws", credentials, region: region ?? missing(id, "region") };
}

function missing(id: string, setting: string): never {
  throw new LonghaulError(
    "settings.invalid",
    `upstreams.${id}.${setting} is missing; an upstream of this kind needs it`,
  );
}

function readAccount(file: string): ServiceAccount {
  try {
    const value: unknown = parseJsonText(readFileSync(file, "utf8"));
    if (isJsonObject(value) && typeof value.client_email === "string" && typeof value.private_key === "string") {
      const tokenUrl = typeof value.token_uri === "string" ? value.token_uri : "https://oauth2.googleapis.com/token";
      return { clientEmail: value.client_email, privateKey: value.private_key, tokenUrl };
    }
  } catch (cause) {
    throw new LonghaulError(
      "settings.invalid",
      `the service-account file ${file} cannot be read; check its path, its permissions and that it is JSON`,
      { cause },
    );
  }
  throw new LonghaulError(
    "settings.invalid",
    `${file} is not a service-account file: client_email or private_key is missing`,
  );
}

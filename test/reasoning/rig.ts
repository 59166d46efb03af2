import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Gateway, openGateway } from "@longhaul/gateway";
import { parseConfig } from "@longhaul/settings";
import { openSimulator, type Simulator } from "@longhaul/simulator";

/** A simulator of every vendor, and gateways in front of it that differ in their settings. */
export interface Rig {
  readonly simulator: Simulator;
  /** The gateway with these settings, opened once. */
  gateway(settings?: GatewaySettings): Promise<Gateway>;
  /** The log lines of its gateways. */
  log(): readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

/** How a gateway differs from one with no settings. */
export interface GatewaySettings {
  readonly environment?: Readonly<Record<string, string>>;
  /** The upstream that everything goes to, or several to be tried in order. @default "anthropic" */
  readonly upstream?: string | readonly string[];
  readonly profile?: object;
  readonly route?: object;
  /** Routes before the one for everything. */
  readonly routes?: readonly object[];
}

const AWS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret", sessionToken: "session" };
const CLIENT_EMAIL = "tests@example.iam.gserviceaccount.com";

/** Opens a rig. */
export async function openRig(): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-reasoning-"));
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const simulator = await openSimulator({ aws: AWS, google: { clientEmail: CLIENT_EMAIL, publicKey } });
  const credentialsFile = join(folder, "account.json");
  const account = { client_email: CLIENT_EMAIL, private_key: privateKey, token_uri: `${simulator.url}/token` };
  writeFileSync(credentialsFile, JSON.stringify(account));
  const upstreams = upstreamsAt(simulator.url, credentialsFile);
  const gateways = new Map<string, Promise<Gateway>>();
  const lines: string[] = [];
  return {
    simulator,
    gateway: (settings = {}) => {
      const key = JSON.stringify(settings);
      const open =
        gateways.get(key) ??
        openGateway({ file: configOf(settings, upstreams) }, { writeLog: (line) => void lines.push(line) });
      gateways.set(key, open);
      return open;
    },
    log: () => lines.map((line) => JSON.parse(line)),
    close: async () => {
      await Promise.all([...gateways.values()].map(async (gateway) => (await gateway).close()));
      await simulator.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function upstreamsAt(url: string, credentialsFile: string): Readonly<Record<string, object>> {
  const shared = { apiKey: "key", maxRetries: 0 };
  return {
    anthropic: { kind: "anthropic", baseUrl: url, ...shared },
    windowed: { kind: "anthropic", baseUrl: url, window: 40_000, ...shared },
    openai: { kind: "openai", baseUrl: `${url}/v1`, ...shared },
    "openai-compatible": { kind: "openai-compatible", baseUrl: `${url}/v1`, ...shared },
    "thinking-chat": { kind: "openai-compatible", baseUrl: `${url}/compatible/v1`, ...shared },
    gemini: { kind: "gemini", baseUrl: url, ...shared },
    openrouter: { kind: "openrouter", baseUrl: `${url}/api/v1`, ...shared },
    bedrock: { kind: "bedrock", baseUrl: url, region: "us-east-1", maxRetries: 0, ...AWS },
    vertex: {
      kind: "vertex",
      baseUrl: `${url}/v1/projects/{project}/locations/{region}`,
      region: "us-east5",
      project: "p",
      credentialsFile,
      maxRetries: 0,
    },
  };
}

function configOf(settings: GatewaySettings, upstreams: Readonly<Record<string, object>>) {
  const { environment = {}, upstream = "anthropic", profile = {}, route = {}, routes = [] } = settings;
  const file = {
    server: { port: 0 },
    upstreams,
    profiles: { "the-profile": { reasoning: profile } },
    routes: [...routes, { match: "*", upstream, profile: "the-profile", reasoning: route }],
  };
  return parseConfig(file, environment);
}

import { createHmac, timingSafeEqual } from "node:crypto";
import { type Catalog, findModel, loadCatalog, type Model, parseOverrides } from "@longhaul/models/catalog";
import { type Behavior, parseBehavior } from "./behavior.ts";
import { isObject, type JsonObject, parseJson } from "./json.ts";
import type { Prompt } from "./prompt.ts";
import { DEFAULT_SKEW, makeTokenizer, type Tokenizer } from "./tokens.ts";

export interface World {
  readonly catalog: Catalog;
  readonly tokenizer: Tokenizer;
  readonly seals: Seals;
  readonly cache: PromptCache;
  readonly stored: Map<string, StoredResponse>;
  /** Each with the reasoning item that must be sent back with it. */
  readonly storedItems: Map<string, { readonly item: JsonObject; readonly requires?: string }>;
  readonly now: () => number;
  readonly script: (prompt: Prompt) => Behavior | undefined;
  readonly settings: Settings;
}

/** Options with their defaults. No keys means every non-empty key. */
type Settings = Required<Omit<WorldOptions, "models" | "skew" | "script" | "secret" | "now" | "google">> &
  Pick<WorldOptions, "google">;

/** AWS credentials. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Required if given. */
  readonly sessionToken?: string;
}

/** A Google service account. */
export interface GoogleAccount {
  readonly clientEmail: string;
  /** PEM of the key that verifies its tokens. */
  readonly publicKey: string;
}

export interface StoredResponse {
  readonly response: JsonObject;
  /** Input and output, from which a later request continues. */
  readonly items: readonly JsonObject[];
}

/** Options for the simulated models and vendors. Everything has a default. */
export interface WorldOptions {
  /** Overrides of the model catalog, such as other windows or more models. */
  readonly models?: unknown;
  /** Approximate ratio of token counts to the o200k encoding's. @default 1.18 */
  readonly skew?: number;
  /** Chooses a behavior or directives for a prompt. Otherwise directives in the prompt and the prompt itself decide. */
  readonly script?: (prompt: Prompt) => Behavior | string | undefined;
  /** Accepted keys. @default every non-empty key */
  readonly keys?: readonly string[];
  /** Default length of a summary. @default 300 */
  readonly summaryTokens?: number;
  /** Default length of thinking. @default 24 */
  readonly thinkTokens?: number;
  /** Text before every answer that is not JSON. The request header `x-simulate-notice` overrides it. @default none */
  readonly notice?: string;
  /** Characters per delta of a stream. @default 24 */
  readonly deltaChars?: number;
  /** Whether thinking is checked against the preceding conversation, on models that bind it. @default true */
  readonly enforcesBinding?: boolean;
  /** Whether keys may use the beta for a million tokens. @default true */
  readonly hasLongContext?: boolean;
  /** Values of `anthropic-beta` that are rejected. @default none */
  readonly refusedBetas?: readonly string[];
  /** Who may sign requests to Bedrock. @default AKIASIMULATOR with the secret `simulator` */
  readonly aws?: AwsCredentials;
  /** Who may get tokens for Vertex. @default every non-empty token is accepted */
  readonly google?: GoogleAccount;
  /** Secret for signatures: simulators with the same one accept each other's. */
  readonly secret?: string;
  /** The clock in milliseconds, which expires caches. @default the system's */
  readonly now?: () => number;
}

export function makeWorld(options: WorldOptions): World {
  const { script = () => undefined } = options;
  return {
    catalog: loadCatalog(parseOverrides(options.models ?? {})),
    tokenizer: makeTokenizer(options.skew ?? DEFAULT_SKEW),
    seals: makeSeals(options.secret ?? "simulator"),
    cache: openPromptCache(),
    stored: new Map(),
    storedItems: new Map(),
    now: options.now ?? Date.now,
    script: (prompt) => {
      const chosen = script(prompt);
      return typeof chosen === "string" ? parseBehavior(chosen) : chosen;
    },
    settings: {
      keys: options.keys ?? [],
      summaryTokens: options.summaryTokens ?? 300,
      thinkTokens: options.thinkTokens ?? 24,
      notice: options.notice ?? "",
      deltaChars: options.deltaChars ?? 24,
      enforcesBinding: options.enforcesBinding ?? true,
      hasLongContext: options.hasLongContext ?? true,
      refusedBetas: options.refusedBetas ?? [],
      aws: options.aws ?? { accessKeyId: "AKIASIMULATOR", secretAccessKey: "simulator" },
      ...(options.google !== undefined && { google: options.google }),
    },
  };
}

/** Keys of cached prefixes, each until it expires. */
interface PromptCache {
  /** Whether a prefix is cached; using it extends its lifetime, as at the vendors. */
  use(key: string, nowMs: number): boolean;
  keep(key: string, ttlMs: number, nowMs: number): void;
  clear(): void;
}

export function openPromptCache(): PromptCache {
  const entries = new Map<string, { readonly ttlMs: number; readonly untilMs: number }>();
  return {
    use(key, nowMs) {
      const entry = entries.get(key);
      if (entry === undefined || entry.untilMs <= nowMs) return false;
      entries.set(key, { ...entry, untilMs: nowMs + entry.ttlMs });
      return true;
    },
    keep(key, ttlMs, nowMs) {
      const live = entries.get(key);
      const longest = live !== undefined && live.untilMs > nowMs ? Math.max(live.ttlMs, ttlMs) : ttlMs;
      entries.set(key, { ttlMs: longest, untilMs: nowMs + longest });
    },
    clear: () => entries.clear(),
  };
}

/** Signs data that a client must send back unchanged: thinking, compaction blocks, encrypted reasoning. */
interface Seals {
  /** Returns an opaque text that only this simulator can make and read. */
  seal(kind: string, payload: JsonObject): string;
  /** Returns the sealed data; `undefined` if the text was not made here, was changed, or has another kind. */
  open(kind: string, sealed: string): JsonObject | undefined;
}

export function makeSeals(secret: string): Seals {
  const sign = (kind: string, text: string) => createHmac("sha256", secret).update(`${kind}\n${text}`).digest();
  return {
    seal(kind, payload) {
      const text = JSON.stringify(payload);
      return Buffer.concat([sign(kind, text), Buffer.from(text)]).toString("base64");
    },
    open(kind, sealed) {
      const bytes = Buffer.from(sealed, "base64");
      if (bytes.length <= SIGNATURE_BYTES || bytes.toString("base64") !== sealed) return undefined;
      const text = bytes.subarray(SIGNATURE_BYTES).toString();
      if (!timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), sign(kind, text))) return undefined;
      const payload = parseJson(text);
      return isObject(payload) ? payload : undefined;
    },
  };
}

const SIGNATURE_BYTES = 32;

interface ModelSource {
  readonly platform: string;
  readonly vendors: readonly string[];
}

/** Returns the model with exactly this id on the platform; `undefined` if there is none. Models from overrides are served everywhere. */
export function knownModel(catalog: Catalog, id: string, { platform, vendors }: ModelSource): Model | undefined {
  const { model, matchedBy, upstreamId } = findModel(catalog, id, platform);
  if (matchedBy === "override") return model;
  const isListed = matchedBy !== "family" && matchedBy !== "default";
  return isListed && upstreamId === id && (vendors.includes(model.vendor) || model.vendor === "unknown")
    ? model
    : undefined;
}

export function modelsFrom({ models }: Catalog, { platform, vendors }: ModelSource): readonly Model[] {
  return models.filter((model) => model.platform === platform && vendors.includes(model.vendor));
}

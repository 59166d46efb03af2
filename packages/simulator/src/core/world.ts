import { createHmac, timingSafeEqual } from "node:crypto";
import { type Catalog, findModel, loadCatalog, type Model } from "@longhaul/models/catalog";
import { type Behavior, parseBehavior } from "./behavior.ts";
import { isObject, type JsonObject, parseJson } from "./json.ts";
import type { Prompt } from "./prompt.ts";
import { DEFAULT_SKEW, makeTokenizer, type Tokenizer } from "./tokens.ts";

/** What all simulated APIs share: knowledge, state, and how they were told to behave. */
export interface World {
  readonly catalog: Catalog;
  readonly tokenizer: Tokenizer;
  readonly seals: Seals;
  readonly cache: PromptCache;
  /** Answers that can be referred to later, by their ids. */
  readonly stored: Map<string, StoredResponse>;
  /** Parts of stored answers, by their ids. */
  readonly storedItems: Map<string, StoredItem>;
  readonly now: () => number;
  readonly script: (prompt: Prompt) => Behavior | undefined;
  readonly settings: Settings;
}

/** The choices of whoever opened the simulator. */
interface Settings {
  /** Keys that are accepted; without any, every key that is not empty. */
  readonly keys: readonly string[];
  /** Length of a summary that nobody gave a length for. */
  readonly summaryTokens: number;
  /** Length of thinking that nobody gave a length for. */
  readonly thinkTokens: number;
  /** Characters in one piece of a stream. */
  readonly deltaChars: number;
  /** Whether thinking blocks are checked against the conversation before them, on models that bind them. */
  readonly enforcesBinding: boolean;
  /** Whether the credential may use a million tokens on models that have 200,000 without the beta. */
  readonly hasLongContext: boolean;
  /** Who may sign requests to Bedrock. */
  readonly aws: AwsCredentials;
  /** Who may get tokens for Vertex; without it, every token that is not empty is taken. */
  readonly google?: GoogleAccount;
}

/** An account at AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Demanded where it is given. */
  readonly sessionToken?: string;
}

/** A service account at Google. */
export interface GoogleAccount {
  readonly clientEmail: string;
  /** PEM of the key that its tokens are verified with. */
  readonly publicKey: string;
}

/** A stored answer of the Responses API. */
export interface StoredResponse {
  readonly response: JsonObject;
  /** Everything that a later request continues from: the input and the output. */
  readonly items: readonly JsonObject[];
}

/** A part of a stored answer. */
interface StoredItem {
  readonly item: JsonObject;
  /** The reasoning that led to it and has to come back with it. */
  readonly requires?: string;
}

/** How the simulated models and their vendors are to be. Everything has a default. */
export interface WorldOptions {
  /** Overrides of the model catalog: other windows, other models. */
  readonly models?: unknown;
  /** How many times the o200k encoding's count the token count is, roughly. @default 1.18 */
  readonly skew?: number;
  /** Chooses behaviours: for every prompt, directives or nothing. Without it, directives in the prompt and the prompt itself decide. */
  readonly script?: (prompt: Prompt) => Behavior | string | undefined;
  /** Keys that are accepted. @default every key that is not empty */
  readonly keys?: readonly string[];
  /** Tokens of a summary that nobody gave a length for. @default 300 */
  readonly summaryTokens?: number;
  /** Tokens of thinking that nobody gave a length for. @default 24 */
  readonly thinkTokens?: number;
  /** Characters in one piece of a stream. @default 24 */
  readonly deltaChars?: number;
  /** Whether thinking is checked against the conversation before it, on models that bind it. @default true */
  readonly enforcesBinding?: boolean;
  /** Whether keys may use the beta for a million tokens. @default true */
  readonly hasLongContext?: boolean;
  /** Who may sign requests to Bedrock. @default AKIASIMULATOR with the secret `simulator` */
  readonly aws?: AwsCredentials;
  /** Who may get tokens for Vertex. @default every token that is not empty is taken */
  readonly google?: GoogleAccount;
  /** What seals are made with: simulators with the same one read each other's signatures. */
  readonly secret?: string;
  /** The clock, in milliseconds: caches end by it. @default the system's */
  readonly now?: () => number;
}

/** What all simulated APIs share, fresh. */
export function makeWorld(options: WorldOptions): World {
  const { script = () => undefined } = options;
  return {
    catalog: loadCatalog(options.models),
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
      deltaChars: options.deltaChars ?? 24,
      enforcesBinding: options.enforcesBinding ?? true,
      hasLongContext: options.hasLongContext ?? true,
      aws: options.aws ?? { accessKeyId: "AKIASIMULATOR", secretAccessKey: "simulator" },
      ...(options.google !== undefined && { google: options.google }),
    },
  };
}

/** What a vendor keeps of earlier prompts: keys of prefixes, each until its time is over. */
interface PromptCache {
  /** Whether a prefix is there; one that is there lives on from now, as it does at the vendors for free. */
  use(key: string, nowMs: number): boolean;
  keep(key: string, ttlMs: number, nowMs: number): void;
  clear(): void;
}

interface Entry {
  readonly ttlMs: number;
  readonly untilMs: number;
}

/** An empty cache. */
export function openPromptCache(): PromptCache {
  const entries = new Map<string, Entry>();
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

/** Signs what a client has to send back unchanged: thinking, compaction blocks, encrypted reasoning. */
interface Seals {
  /** An opaque text that only this simulator can make and read. */
  seal(kind: string, payload: JsonObject): string;
  /** What was sealed; nothing where the text was not made here, was changed, or is of another kind. */
  open(kind: string, sealed: string): JsonObject | undefined;
}

/** Seals with a secret: two simulators with the same one read each other's. */
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

/** Where to look a model up, and whose models are served there. */
interface ModelSource {
  readonly platform: string;
  readonly vendors: readonly string[];
}

/**
 * The model with exactly this id, as the place itself spells it; nothing where it has none. A name that somebody told the catalog of is
 * served everywhere.
 */
export function knownModel(catalog: Catalog, id: string, { platform, vendors }: ModelSource): Model | undefined {
  const { model, matchedBy, upstreamId } = findModel(catalog, id, platform);
  if (matchedBy === "override") return model;
  const isListed = matchedBy !== "family" && matchedBy !== "default";
  return isListed && upstreamId === id && (vendors.includes(model.vendor) || model.vendor === "unknown")
    ? model
    : undefined;
}

/** The models of a shelf, for lists. */
export function modelsFrom({ models }: Catalog, { platform, vendors }: ModelSource): readonly Model[] {
  return models.filter((model) => model.platform === platform && vendors.includes(model.vendor));
}

import { loadCatalog } from "@longhaul/models/catalog";
import { type Behavior, parseBehavior } from "./behavior.ts";
import type { Prompt } from "./prompt.ts";
import { openPromptCache } from "./prompt-cache.ts";
import { makeSeals } from "./seals.ts";
import { DEFAULT_SKEW, makeTokenizer } from "./tokens.ts";
import type { AwsCredentials, GoogleAccount, World } from "./world.ts";

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

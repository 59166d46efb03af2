import type { Catalog } from "@longhaul/models/catalog";
import type { Behavior } from "./behavior.ts";
import type { JsonObject } from "./json.ts";
import type { Prompt } from "./prompt.ts";
import type { PromptCache } from "./prompt-cache.ts";
import type { Seals } from "./seals.ts";
import type { Tokenizer } from "./tokens.ts";

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

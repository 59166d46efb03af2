import type { WireId } from "@longhaul/conversation";

/** Everything that is particular to one kind of upstream. Adding a kind is one descriptor and its line in `kinds/index.ts`. */
export interface UpstreamKind {
  /** The places that it stands for; where there are several, the model decides. */
  readonly deployments: readonly [DeploymentFacts, ...DeploymentFacts[]];
  /** How it knows who pays: a key of the vendor, requests signed for AWS, or a token of a Google service account. */
  readonly auth: "key" | "aws" | "google";
  /** The settings without which it cannot work, apart from those that its address names. */
  readonly needs: readonly UpstreamSetting[];
  /** How the environment alone sets it up; absent where it cannot. */
  readonly environment?: KindEnvironment;
  /** What the configurations of other tools call it. */
  readonly importedNames: readonly string[];
  /** Whether an imported upstream of its own address is of the kind `openai-compatible`: servers of many makers speak as it does. */
  readonly hasCompatibleServers?: true;
  /** Set for the gateway's own look-alike vendors, which start with it and take any key, but want one. */
  readonly builtIn?: { readonly anyKey: string };
}

/** The settings of an upstream that tell where it is and who pays. */
export type UpstreamSetting =
  | "apiKey"
  | "baseUrl"
  | "region"
  | "project"
  | "credentialsFile"
  | "accessKeyId"
  | "secretAccessKey"
  | "sessionToken";

/** The variables that set up an upstream without a configuration file. */
export interface KindEnvironment {
  /** The variable of each setting. */
  readonly variables: Readonly<Partial<Record<UpstreamSetting, string>>>;
  /** The settings whose variables must all be set. */
  readonly needs: readonly UpstreamSetting[];
  /** Patterns of the models that it serves then. */
  readonly models: readonly string[];
}

/** A place where models run, as data. */
export interface DeploymentFacts {
  /** Whose paths and bodies it takes. */
  readonly api: "anthropic" | "openai" | "gemini" | "bedrock" | "vertex-claude" | "vertex-gemini";
  /** Whose signatures and encrypted reasoning it reads. */
  readonly vendor: string;
  /** Its name as a platform in the model catalog. */
  readonly platform: string;
  /** OpenTelemetry's name for it. */
  readonly telemetryName: string;
  /** The formats that it speaks, preferred first. */
  readonly wires: readonly WireId[];
  /** Where it is when the configuration does not say; `{region}` and `{project}` are filled in. */
  readonly baseUrl: string;
  readonly keyHeader: KeyHeader;
  /** How a streamed answer is framed. @default server-sent events */
  readonly frames?: "aws-event-stream";
  readonly quirks: DeploymentQuirks;
}

/** The header in which a vendor takes a key; `authorization` takes it as a bearer token. */
export type KeyHeader = "x-api-key" | "authorization" | "x-goog-api-key";

/** How a place differs from others that speak its formats. */
export interface DeploymentQuirks {
  /** Whether it shows the reasoning to clients that do not want to see it: always, or unless the request excludes it. */
  readonly showsReasoning?: "always" | "unless-excluded";
  /** Whether all its models are told how hard to think by levels. */
  readonly thinksInLevels?: true;
  /** Whether no model's name there ends in something that looks like a reasoning suffix. */
  readonly hasPlainModelNames?: true;
  /** Whether it serves Claude without Anthropic's message threads. */
  readonly lacksThreads?: true;
  /** How it is asked to cache the prompt of a client whose format cannot say so: by its format's marks, or by a key for the session. */
  readonly caching?: "marks" | "session-key";
  /** Whether the path says if the answer is streamed. */
  readonly hasStreamInPath?: true;
  /** Where its chat completions differ from OpenAI's. */
  readonly chat?: ChatQuirks;
}

/** How a server of chat completions differs from OpenAI's own. */
export interface ChatQuirks {
  /** The field of the output limit; `by-model` is `max_completion_tokens` for models that reject `max_tokens`. */
  readonly maxTokensField: "max_tokens" | "by-model";
  readonly reasoningField?: "reasoning";
  readonly thinkingField: "reasoning_content" | "reasoning_details";
  /** Which models take cache marks, in `cache_control`. */
  readonly cacheMarks?: "claude";
  readonly topK?: true;
}

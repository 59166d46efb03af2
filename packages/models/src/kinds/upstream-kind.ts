import type { WireId } from "@longhaul/conversation";

/** Everything specific to one kind of upstream. To add a kind, write its descriptor and list it in `kinds/index.ts`. */
export interface UpstreamKind {
  /** Its deployments; if there are several, the model decides. */
  readonly deployments: readonly [DeploymentFacts, ...DeploymentFacts[]];
  /** Authentication: the vendor's API key, AWS request signing, or a Google service account token. */
  readonly auth: "key" | "aws" | "google";
  /** Required settings, apart from the placeholders in its URL. */
  readonly needs: readonly UpstreamSetting[];
  /** How the environment alone configures it; absent if it cannot. */
  readonly environment?: KindEnvironment;
  /** The vendor's own credentials; absent if their form is not unique to the vendor. */
  readonly credential?: CredentialForm;
  /** Its names in other tools' configurations. */
  readonly importedNames: readonly string[];
  /** Whether an imported upstream with its own URL has the kind `openai-compatible`, because many servers imitate this API. */
  readonly hasCompatibleServers?: true;
  /** Set for the gateway's built-in imitations, which start with it and accept any key, but require one. */
  readonly builtIn?: { readonly anyKey: string };
}

/** Settings of an upstream for its location and authentication. */
export type UpstreamSetting =
  | "apiKey"
  | "baseUrl"
  | "region"
  | "project"
  | "credentialsFile"
  | "accessKeyId"
  | "secretAccessKey"
  | "sessionToken";

/** How to recognize a vendor's own credentials. No other vendor's may match. */
export interface CredentialForm {
  /** The vendor's name in texts. */
  readonly vendor: string;
  /** The headers that the vendor's clients send it in; `authorization` as a bearer token. */
  readonly headers: readonly KeyHeader[];
  /** Matches the whole credential. */
  readonly form: RegExp;
}

/** Environment variables that configure an upstream without a configuration file. */
export interface KindEnvironment {
  /** The variable of each setting. */
  readonly variables: Readonly<Partial<Record<UpstreamSetting, string>>>;
  /** The settings whose variables must all be set. */
  readonly needs: readonly UpstreamSetting[];
  /** Patterns of the models that it then serves. */
  readonly models: readonly string[];
}

/** Facts about a deployment, a place where models run. */
export interface DeploymentFacts {
  /** The API that defines its paths and bodies. */
  readonly api: "anthropic" | "openai" | "gemini" | "bedrock" | "vertex-claude" | "vertex-gemini";
  /** The vendor whose signatures and encrypted reasoning it can read. */
  readonly vendor: string;
  /** Its platform name in the model catalog. */
  readonly platform: string;
  /** OpenTelemetry's name for it. */
  readonly telemetryName: string;
  /** The wire formats that it supports, preferred first. */
  readonly wires: readonly WireId[];
  /** Default URL; `{region}` and `{project}` are placeholders. */
  readonly baseUrl: string;
  readonly keyHeader: KeyHeader;
  /** Framing of streamed replies. @default server-sent events */
  readonly frames?: "aws-event-stream";
  readonly quirks: DeploymentQuirks;
}

/** The header for the API key; `authorization` takes it as a bearer token. */
export type KeyHeader = "x-api-key" | "authorization" | "x-goog-api-key";

/** Differences from other deployments with the same wire formats. */
export interface DeploymentQuirks {
  /** Whether it sends reasoning to clients that did not ask for it: always, or unless the request excludes it. */
  readonly showsReasoning?: "always" | "unless-excluded";
  /** Whether all its models take reasoning effort as levels. */
  readonly thinksInLevels?: true;
  /** Whether no model name there ends in something that looks like a reasoning suffix. */
  readonly hasPlainModelNames?: true;
  /** Whether its model names may have tags after a colon, such as `:20b` or `:latest`. */
  readonly hasTaggedModelNames?: true;
  /** Whether it serves Claude without Anthropic's message threads. */
  readonly lacksThreads?: true;
  /** How prompt caching is requested for a client whose format cannot: with the format's cache marks, or with a session key. */
  readonly caching?: "marks" | "session-key";
  /** Whether the path determines if the reply is streamed. */
  readonly hasStreamInPath?: true;
  /** Differences of its chat completions from OpenAI's. */
  readonly chat?: ChatQuirks;
}

/** Differences of a chat completions server from OpenAI's. */
export interface ChatQuirks {
  /** The field of the output limit; `by-model` is `max_completion_tokens` for models that reject `max_tokens`. */
  readonly maxTokensField: "max_tokens" | "by-model";
  readonly reasoningField?: "reasoning";
  readonly thinkingField: "reasoning_content" | "reasoning_details";
  /** Which models accept cache marks in `cache_control`. */
  readonly cacheMarks?: "claude";
  readonly topK?: true;
}

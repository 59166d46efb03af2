import type { WireId } from "@longhaul/conversation";
import type { DeploymentFacts, KeyHeader } from "@longhaul/models/kinds";

/** A place where models run: a value, made once from the configuration. */
export interface Upstream {
  readonly id: string;
  readonly deployment: Deployment;
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly auth: Auth;
  /** Further headers for every request, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
  readonly maxRetries: number;
  /** Context window of its models where the configuration says so. */
  readonly windowTokens?: number;
  /** How large one event of a streamed answer may be. @default 32 MiB */
  readonly maxEventBytes?: number;
  /** Values of `anthropic-beta` that its credential cannot use. */
  readonly blockedBetas?: readonly string[];
}

/** How long to wait for what. There is no limit on the whole length of an answer. */
export interface Timeouts {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
}

/** How an upstream knows who pays. */
export type Auth =
  /** A key of ours, in the header that the vendor wants. */
  | { readonly kind: "key"; readonly header: KeyHeader; readonly key: string }
  /** The client's own credential travels on; where it has none, what stands for it, if anything does. */
  | { readonly kind: "client"; readonly header: KeyHeader; readonly otherwise?: string }
  /** A user name and password, as `user:password` in base64. */
  | { readonly kind: "basic"; readonly token: string }
  | { readonly kind: "aws"; readonly credentials: AwsCredentials; readonly region: string }
  | { readonly kind: "google"; readonly account: ServiceAccount };

/** Who signs requests to AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The parts of a Google service-account file that matter. */
export interface ServiceAccount {
  readonly clientEmail: string;
  readonly privateKey: string;
  readonly tokenUrl: string;
}

/** What is wanted: an answer, a count of tokens, the list of models, or a path that is passed on as it is. */
export type Action = "generate" | "count-tokens" | "list-models" | "pass";

/** What is to be sent, before the rules of the place are applied. */
export interface Outgoing {
  readonly wire: WireId;
  readonly action: Action;
  readonly method: "GET" | "POST" | "DELETE";
  /** The model's name at the upstream. */
  readonly model: string;
  readonly stream: boolean;
  readonly body?: Uint8Array;
  /** Headers of the client, in lower case; only those that may travel are sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** What follows the version in the client's path, with its query, for what is passed on: `/embeddings`. */
  readonly path?: string;
}

/** A request ready for the network. */
export interface Prepared {
  readonly url: string;
  readonly method: Outgoing["method"];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** A place where models run: what its kind's descriptor says of it, and how its API is addressed. */
export interface Deployment extends DeploymentFacts {
  /** Where an action goes, relative to the base address; nothing where the place does not have it. */
  path(outgoing: Outgoing): string | undefined;
  /** What the place wants changed in a body of its format. */
  shapeBody?(body: Uint8Array, outgoing: Outgoing): Uint8Array;
}

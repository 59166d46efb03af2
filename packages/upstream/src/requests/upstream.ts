import type { WireId } from "@longhaul/conversation";
import type { DeploymentFacts, KeyHeader } from "@longhaul/models/kinds";

/** An endpoint that serves models, created once from the configuration. */
export interface Upstream {
  readonly id: string;
  readonly deployment: Deployment;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly auth: Auth;
  /** Additional headers for every request, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
  readonly maxRetries: number;
  /** Context window of its models, if configured. */
  readonly windowTokens?: number;
  /** Size limit of one event in a streamed answer. @default 32 MiB */
  readonly maxEventBytes?: number;
  /** Values of `anthropic-beta` that its credential cannot use. */
  readonly blockedBetas?: readonly string[];
  /** Whether its answers cost nothing, whatever model they are from. */
  readonly isFree?: true;
}

/** There is no limit on the total duration of an answer. */
export interface Timeouts {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
}

/** How an upstream authenticates requests. */
export type Auth =
  /** Our own key, in the header that the vendor expects. */
  | { readonly kind: "key"; readonly header: KeyHeader; readonly key: string }
  /** The client's own credential, or `otherwise` if it sent none. */
  | { readonly kind: "client"; readonly header: KeyHeader; readonly otherwise?: string }
  /** User name and password, as `user:password` in base64. */
  | { readonly kind: "basic"; readonly token: string }
  | { readonly kind: "aws"; readonly credentials: AwsCredentials; readonly region: string }
  | { readonly kind: "google"; readonly account: ServiceAccount };

/** The keys that sign requests to AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The fields of a Google service account file that are used. */
export interface ServiceAccount {
  readonly clientEmail: string;
  readonly privateKey: string;
  readonly tokenUrl: string;
}

/** A reply, a token count, the model list, or a path that is passed on unchanged. */
export type Action = "generate" | "count-tokens" | "list-models" | "pass";

/** A request before the deployment's rules are applied. */
export interface Outgoing {
  readonly wire: WireId;
  readonly action: Action;
  readonly method: "GET" | "POST" | "DELETE";
  readonly model: string;
  readonly stream: boolean;
  readonly body?: Uint8Array;
  /** The client's headers, in lower case. Only those that an upstream may see are sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** The part after the version in the client's path, with its query, for passed paths: `/embeddings`. */
  readonly path?: string;
}

/** A request ready for the network. */
export interface Prepared {
  readonly url: string;
  readonly method: Outgoing["method"];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Where models run: the descriptor of the kind, and how its API is addressed. */
export interface Deployment extends DeploymentFacts {
  /** Returns the path of an action, relative to the base URL, or undefined if the deployment does not have it. */
  path(outgoing: Outgoing): string | undefined;
  /** Changes a body to what the deployment expects. */
  shapeBody?(body: Uint8Array, outgoing: Outgoing): Uint8Array;
}

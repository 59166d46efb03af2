import { hash } from "node:crypto";
import { isJsonObject, tryParseJson } from "@longhaul/conversation/advanced";
import { isUnguessable, type Naming, type Owner, once } from "@longhaul/fit";
import type { ContextOverrides } from "@longhaul/settings";
import type { KeyLimits } from "@longhaul/store";

export interface Identity {
  /** The owner of the conversations. */
  readonly tenant: string;
  readonly keyId: string;
}

export interface KeyHolder extends Identity {
  readonly name: string;
  /** Patterns of the model names that its requests may use. Empty means all models. */
  readonly models: readonly string[];
  readonly limits: KeyLimits;
  /** Context settings of its requests, if any. */
  readonly context?: ContextOverrides;
}

/**
 * The caller of a request. Only `authenticate` constructs one. The private fields keep other stages from building a look-alike, so a stage
 * that drops the caller does not compile.
 */
export class Caller implements Owner {
  /** The owner of the conversations; empty without gateway keys. */
  readonly tenant: string;
  /** Absent if the gateway requires no keys. */
  readonly key: KeyHolder | undefined;
  /** All credentials of the request: which of them is sent depends on the upstream. */
  readonly #tokens: () => readonly string[];
  readonly #credential: () => string;

  constructor(key: KeyHolder | undefined, headers: Readonly<Record<string, string>>) {
    this.key = key;
    this.tenant = key?.tenant ?? "";
    this.#tokens = once(() => credentialsIn(headers));
    this.#credential = once(() =>
      print(key === undefined ? ["credential", ...this.#tokens()] : ["tenant", key.tenant]),
    );
  }

  /** Hash of the tenant, or of the exact vendor credentials: the owner of state that is found by id alone. */
  get credential(): string {
    return this.#credential();
  }

  /**
   * Returns the hash of the owner of stored state: the tenant, otherwise the vendor credentials. An OAuth token is replaced every few hours,
   * so its account is used if it is known, otherwise the session, if its name is unguessable.
   */
  ownerOf({ session, account }: Naming): string {
    const token = this.key === undefined ? this.#tokens().find(isRefreshed) : undefined;
    if (token === undefined) return this.credential;
    const lasting = this.#tokens().filter((shown) => !isRefreshed(shown));
    const subject = subjectOf(token);
    if (subject !== undefined) return print(["subject", ...subject, ...lasting]);
    if (account !== undefined && isUnguessable(account)) return print(["account", account, ...lasting]);
    if (session !== undefined && isUnguessable(session)) return print(["session", session, ...lasting]);
    return this.credential;
  }

  /**
   * Returns the name that binds requests to one conversation; undefined if the client names none. Any client can claim an account or subject,
   * so for these owners a guessable name is bound to the exact credential.
   */
  bindingOf(naming: Naming): string | undefined {
    const { conversation } = naming;
    if (conversation === undefined || isUnguessable(conversation)) return conversation;
    return this.ownerOf(naming) === this.credential ? conversation : print([conversation, this.credential]);
  }
}

function print(parts: readonly string[]): string {
  return hash("sha256", JSON.stringify(parts));
}

/** Returns every credential of a request once. AWS signatures differ for each request, so their key id counts. */
function credentialsIn(headers: Readonly<Record<string, string>>): readonly string[] {
  const { authorization = "", "x-api-key": key, "x-goog-api-key": google, "api-key": azure } = headers;
  const bearer = /^Bearer\s+(?<token>.+)$/i.exec(authorization)?.groups?.token;
  const signed = /^AWS4-HMAC-SHA256\s.*?Credential=(?<id>[^/,\s]+)/i.exec(authorization)?.groups?.id;
  const shown = [key, google, bearer ?? signed ?? authorization, azure].flatMap((each) => (each ? [each] : []));
  return [...new Set(shown)];
}

/** Tokens that clients replace during a session: OAuth of Anthropic and Google, GitHub, Copilot, JSON Web Tokens. All others are API keys. */
const REFRESHED = /^(?:sk-ant-oat|ya29\.|gh[ou]_|tid=|eyJ[\w-]+\.eyJ[\w-]+\.)/;

function isRefreshed(token: string): boolean {
  return REFRESHED.test(token);
}

/** Returns issuer and subject of a JSON Web Token that expires. The upstream checks its signature before it answers. */
function subjectOf(token: string): readonly [string, string] | undefined {
  const [, payload = ""] = token.split(".");
  const claims = tryParseJson(Buffer.from(payload, "base64url").toString("utf8"));
  if (!isJsonObject(claims)) return undefined;
  const { iss = null, sub = null, exp = null } = claims;
  const isComplete = typeof iss === "string" && typeof sub === "string" && sub !== "" && typeof exp === "number";
  return isComplete ? [iss, sub] : undefined;
}

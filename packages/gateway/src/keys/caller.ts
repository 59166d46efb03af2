import { hash } from "node:crypto";
import { isJsonObject, parseJsonText } from "@longhaul/conversation";
import { isUnguessable, type Naming, type Owner, once } from "@longhaul/fit";
import type { ContextOverrides } from "@longhaul/settings";
import type { KeyLimits } from "@longhaul/store";

/** The tenant and key of a request. */
export interface Identity {
  /** The owner of the conversations. */
  readonly tenant: string;
  readonly keyId: string;
}

/** The holder of a gateway key. */
export interface KeyHolder extends Identity {
  /** The name that the operator gave the key. */
  readonly name: string;
  readonly limits: KeyLimits;
  /** Context settings of its requests; absent if nothing is set for it. */
  readonly context?: ContextOverrides;
}

/**
 * The caller of a request. `authenticate` makes one, once; the private field keeps every other stage from building one of its own, so a
 * stage that drops the caller does not compile.
 */
export class Caller implements Owner {
  /** Whose conversations these are; empty without gateway keys. */
  readonly tenant: string;
  /** Absent if the gateway asks for no keys. */
  readonly key: KeyHolder | undefined;
  /** All credentials that the request shows: which of them an upstream gets depends on the upstream. */
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

  /** Hash of the tenant or of the exact vendor credential: what is found by an id alone belongs to it. */
  get credential(): string {
    return this.#credential();
  }

  /**
   * Returns the hash that what is kept from request to request belongs to: the tenant, else the vendor credentials. An OAuth token is replaced
   * every few hours, so it counts as its account if that is known, else as the session that it is used in, if nobody can guess its name.
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
   * Returns the name that binds requests to one conversation; undefined if the client names none. Anybody can claim an account or a subject, so
   * for an owner that is only claimed a name that can be guessed binds nothing but the exact credential.
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

/** Reads every credential that a request shows, each once. AWS signs each request differently, with one key id. */
function credentialsIn(headers: Readonly<Record<string, string>>): readonly string[] {
  const { authorization = "", "x-api-key": key, "x-goog-api-key": google, "api-key": azure } = headers;
  const bearer = /^Bearer\s+(?<token>.+)$/i.exec(authorization)?.groups?.token;
  const signed = /^AWS4-HMAC-SHA256\s.*?Credential=(?<id>[^/,\s]+)/i.exec(authorization)?.groups?.id;
  const shown = [key, google, bearer ?? signed ?? authorization, azure].flatMap((each) => (each ? [each] : []));
  return [...new Set(shown)];
}

/**
 * Tokens that their clients replace while a session runs: Anthropic's and Google's OAuth, GitHub's and Copilot's, and JSON Web Tokens.
 * Everything else is an API key.
 */
const REFRESHED = /^(?:sk-ant-oat|ya29\.|gh[ou]_|tid=|eyJ[\w-]+\.eyJ[\w-]+\.)/;

function isRefreshed(token: string): boolean {
  return REFRESHED.test(token);
}

/** Issuer and subject of a JSON Web Token that expires. Its signature is not checked here: the upstream does that before it answers. */
function subjectOf(token: string): readonly [string, string] | undefined {
  const claims = claimsOf(token.split(".")[1] ?? "");
  if (!isJsonObject(claims)) return undefined;
  const { iss = null, sub = null, exp = null } = claims;
  const isComplete = typeof iss === "string" && typeof sub === "string" && sub !== "" && typeof exp === "number";
  return isComplete ? [iss, sub] : undefined;
}

function claimsOf(payload: string): unknown {
  try {
    return parseJsonText(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

import { hash } from "node:crypto";
import { isJsonObject } from "@longhaul/conversation";
import type { ContextOverrides } from "@longhaul/settings";
import type { KeyLimits } from "@longhaul/store";
import type { Identity } from "./record.ts";

/** The holder of a gateway key. */
export interface KeyHolder extends Identity {
  /** The name that the operator gave the key. */
  readonly name: string;
  readonly limits: KeyLimits;
  /** Context settings of its requests; absent if nothing is set for it. */
  readonly context?: ContextOverrides;
}

/** The names by which a request says which conversation it belongs to. */
export interface Naming {
  /** The client's own name for its session. */
  readonly session?: string | undefined;
  /** That session, or the thread of a sub-agent in it. */
  readonly conversation?: string | undefined;
  /** The vendor's account, as the client names it. */
  readonly account?: string | undefined;
}

/**
 * The caller of a request. `authenticate` makes one, once; the private field keeps every other stage from building one of its own, so a
 * stage that drops the caller does not compile.
 */
export class Caller {
  /** Whose conversations these are; empty without gateway keys. */
  readonly tenant: string;
  /** Absent if the gateway asks for no keys. */
  readonly key: KeyHolder | undefined;
  /** Hash of the tenant or of the exact vendor credential: what is found by an id alone belongs to it. */
  readonly credential: string;
  readonly #token: string;

  constructor(key: KeyHolder | undefined, headers: Readonly<Record<string, string>>) {
    this.key = key;
    this.tenant = key?.tenant ?? "";
    this.#token = credentialIn(headers);
    this.credential = print(key === undefined ? ["credential", this.#token] : ["tenant", key.tenant]);
  }

  /**
   * Returns the hash that what is kept from request to request belongs to: the tenant, else the vendor credential. An OAuth token is replaced
   * every few hours, so it counts as its account if that is known, else as the session that it is used in, if nobody can guess its name.
   */
  ownerOf({ session, account }: Naming): string {
    if (this.key !== undefined || !isRefreshed(this.#token)) return this.credential;
    const subject = subjectOf(this.#token);
    if (subject !== undefined) return print(["subject", ...subject]);
    if (account !== undefined && isUnguessable(account)) return print(["account", account]);
    if (session !== undefined && isUnguessable(session)) return print(["session", session]);
    return this.credential;
  }
}

function print(parts: readonly string[]): string {
  return hash("sha256", JSON.stringify(parts));
}

/** The credential that tells one client from another. AWS signs every request anew, with one key id. */
function credentialIn(headers: Readonly<Record<string, string>>): string {
  const { authorization = "", "x-api-key": key, "x-goog-api-key": google, "api-key": azure } = headers;
  const bearer = /^Bearer\s+(?<token>.+)$/i.exec(authorization)?.groups?.token;
  const signed = /^AWS4-HMAC-SHA256\s.*?Credential=(?<id>[^/,\s]+)/i.exec(authorization)?.groups?.id;
  return [key, google, bearer, azure, signed].find((shown) => shown !== undefined && shown !== "") ?? authorization;
}

/**
 * Tokens that their clients replace while a session runs: Anthropic's and Google's OAuth, GitHub's and Copilot's, and JSON Web Tokens.
 * Everything else is an API key.
 */
const REFRESHED = /^(?:sk-ant-oat|ya29\.|gh[ou]_|tid=|eyJ[\w-]+\.eyJ[\w-]+\.)/;

function isRefreshed(token: string): boolean {
  return REFRESHED.test(token);
}

/** Issuer and subject of a JSON Web Token that expires. Nobody checks its signature here: the upstream does, before it answers. */
function subjectOf(token: string): readonly [string, string] | undefined {
  const claims = claimsOf(token.split(".")[1] ?? "");
  if (!isJsonObject(claims)) return undefined;
  const { iss = null, sub = null, exp = null } = claims;
  const isComplete = typeof iss === "string" && typeof sub === "string" && sub !== "" && typeof exp === "number";
  return isComplete ? [iss, sub] : undefined;
}

function claimsOf(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

/** A UUID, 25 hexadecimal digits, 17 letters of both cases and digits, or 20 letters and digits in turn: 100 bits if drawn by chance. */
const UNGUESSABLE = [
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i,
  /[0-9a-f]{25}/i,
  /(?=[A-Za-z\d]*[a-z])(?=[A-Za-z\d]*[A-Z])(?=[A-Za-z\d]*\d[A-Za-z])[A-Za-z\d]{17}/,
  /(?=(?:[A-Za-z]+\d+){3}|(?:\d+[A-Za-z]+){3})[A-Za-z\d]{20}/,
];

/** Whether a name looks drawn by chance from so many that nobody guesses it. */
export function isUnguessable(name: string): boolean {
  return UNGUESSABLE.some((form) => form.test(name));
}

import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { LonghaulError, LruMap } from "@longhaul/conversation/advanced";
import type { SignIns } from "@longhaul/store";
import { isKeyForm, takeGatewayKey } from "./gateway-key.ts";

export interface SignIn {
  /** Creates a one-time token, valid for one hour. */
  mintToken(): Promise<string>;
  /** Returns a cookie value for the admin token or a one-time token. Throws `auth.missing` for any other. */
  exchange(shown: PresentedToken): Promise<string>;
  /** Returns whether a cookie is valid. Each use extends its lifetime. */
  knowsCookie(value: string): Promise<boolean>;
  /** Returns whether it is the admin token. Throws `limit.exceeded` after too many wrong ones, and `auth.missing` for a gateway key. */
  isAdminToken(shown: PresentedToken): boolean;
  signOut(value: string): Promise<void>;
}

interface PresentedToken {
  readonly token: string;
  readonly address: string;
}

export interface SignInOptions {
  readonly signIns: SignIns;
  /** Returns the active configuration's admin token, if it has one. */
  readonly adminToken: () => string | undefined;
  readonly nowMs: () => number;
}

const MINUTE_MS = 60_000;
const TOKEN_LIFETIME_MS = 60 * MINUTE_MS;
export const COOKIE_LIFETIME_MS = 30 * 24 * 60 * MINUTE_MS;
/** A cookie is extended, and looked up in the store, at most this often: a store that is down for less goes unnoticed. */
const COOKIE_GRAIN_MS = 10 * MINUTE_MS;
const MAX_KNOWN_COOKIES = 1_000;

export function makeSignIn({ signIns, adminToken, nowMs }: SignInOptions): SignIn {
  const known = new LruMap<number>(MAX_KNOWN_COOKIES);
  const failures = makeFailures(nowMs);
  const isRight = (token: string) => {
    const wanted = adminToken();
    return wanted !== undefined && timingSafeEqual(digest(wanted), digest(token));
  };
  return {
    mintToken: () => mintToken(signIns, nowMs()),
    exchange: async (shown) => {
      const { token } = shown;
      failures.check(shown);
      if (!isRight(token) && !(await signIns.take(named("token", token), nowMs()))) {
        failures.add(shown);
        throw new LonghaulError("auth.missing", WRONG_TOKEN);
      }
      if (isRight(token)) failures.trust(shown);
      await signIns.prune(nowMs());
      const cookie = makeSecret();
      await signIns.add(named("cookie", cookie), nowMs() + COOKIE_LIFETIME_MS);
      return cookie;
    },
    knowsCookie: async (value) => {
      const name = named("cookie", value);
      const seenMs = known.get(name);
      if (seenMs !== undefined && seenMs > nowMs() - COOKIE_GRAIN_MS) return true;
      if ((await signIns.find(name, nowMs())) === undefined) return false;
      await signIns.add(name, nowMs() + COOKIE_LIFETIME_MS);
      known.set(name, nowMs());
      return true;
    },
    isAdminToken: (shown) => {
      failures.check(shown);
      const isAdmin = isRight(shown.token);
      if (isAdmin) failures.trust(shown);
      else failures.add(shown);
      return isAdmin;
    },
    signOut: async (value) => {
      const name = named("cookie", value);
      known.delete(name);
      await signIns.take(name, nowMs());
    },
  };
}

/** Creates a one-time sign-in token, valid for one hour at any gateway on the same store. */
export async function mintToken(signIns: SignIns, nowMs: number): Promise<string> {
  const token = makeSecret();
  await signIns.add(named("token", token), nowMs + TOKEN_LIFETIME_MS);
  return token;
}

/** Allowed per minute: different wrong tokens from one address, or uses of one wrong token. */
const MAX_FAILURES = 10;
const MAX_COUNTED = 10_000;

interface Failure {
  readonly credential: string;
  readonly atMs: number;
}

/** Counts wrong tokens by address and by token. A locked address can still use the last correct token. */
function makeFailures(nowMs: () => number) {
  const byAddress = new LruMap<readonly Failure[]>(MAX_COUNTED);
  const byCredential = new LruMap<readonly Failure[]>(MAX_COUNTED);
  /** The hash of the last correct token, which works even from a locked address. */
  let trusted = "";
  const recent = (failures: readonly Failure[] = []) => failures.filter(({ atMs }) => atMs > nowMs() - MINUTE_MS);
  return {
    add: ({ token, address }: PresentedToken) => {
      const failure = { credential: named("token", token), atMs: nowMs() };
      const network = networkOf(address);
      const others = recent(byAddress.get(network)).filter(({ credential }) => credential !== failure.credential);
      byAddress.set(network, [...others, failure]);
      byCredential.set(failure.credential, [...recent(byCredential.get(failure.credential)), failure]);
    },
    trust: ({ token }: PresentedToken) => {
      trusted = named("token", token);
    },
    check: ({ token, address }: PresentedToken) => {
      if (isKeyForm(token)) throw new LonghaulError("auth.missing", CLIENT_KEY);
      const credential = named("token", token);
      const isRepeated = recent(byCredential.get(credential)).length >= MAX_FAILURES;
      const isGuessing = recent(byAddress.get(networkOf(address))).length >= MAX_FAILURES && credential !== trusted;
      if (isRepeated || isGuessing) throw tooMany();
    },
  };
}

/** Returns the part of an address that an attacker cannot change at will: all of IPv4, the first 64 bits of IPv6. */
function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":");
  const zeros = tail === undefined ? [] : Array.from({ length: 4 }, () => "0");
  return [...groups, ...zeros].slice(0, 4).join(":");
}

const CLIENT_KEY =
  "lh_… is an API key for clients, which gives access to the model API only; send the admin token (server.adminToken), or sign in with the link that " +
  "`longhaul dashboard` prints";

const WRONG_TOKEN =
  "the token is wrong, already used or expired; print a new link with `longhaul dashboard`, or use the admin token (server.adminToken)";

function tooMany(): LonghaulError {
  return new LonghaulError("limit.exceeded", "too many attempts with a wrong token; try again in a minute", {
    retryAfterMs: MINUTE_MS,
  });
}

function makeSecret(): string {
  return randomBytes(32).toString("base64url");
}

function named(kind: "token" | "cookie", value: string): string {
  return `${kind}:${hash("sha256", value)}`;
}

function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

export interface RequestIdentity {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly address: string;
}

/** Checks for a valid cookie or the admin token. Throws `limit.exceeded` after too many wrong tokens, `auth.missing` for a gateway key. */
export async function isSignedIn(shown: RequestIdentity, signIn: SignIn): Promise<boolean> {
  const { headers, address } = shown;
  const cookie = cookieIn(headers.cookie ?? "");
  if (cookie !== undefined && (await signIn.knowsCookie(cookie))) return true;
  if (isKeyForm(takeGatewayKey(headers).key ?? "")) throw new LonghaulError("auth.missing", CLIENT_KEY);
  const token = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  return token !== undefined && signIn.isAdminToken({ token, address });
}

export const COOKIE = "longhaul";

export function cookieIn(header: string): string | undefined {
  return header
    .split(";")
    .map((pair) => pair.trim().split("="))
    .find(([name]) => name === COOKIE)?.[1];
}

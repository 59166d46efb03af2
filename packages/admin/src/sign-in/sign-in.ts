import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { LonghaulError, LruMap } from "@longhaul/conversation";
import type { SignIns } from "@longhaul/store";
import { isKeyForm } from "../host/gateway-key.ts";

/** Lets admins in. Only hashes of what they show are kept. */
export interface SignIn {
  /** A token that opens the door once, within the hour. */
  mintToken(): Promise<string>;
  /** The value of a cookie for a token, the admin's own or one that was minted; throws where it is neither. */
  exchange(shown: ShownToken): Promise<string>;
  /** Whether a cookie's value is known and not over; each use makes it last longer. */
  knowsCookie(value: string): Promise<boolean>;
  /** Whether it is the admin's own token; throws `limit.exceeded` after too many wrong ones, and `auth.missing` for a client's key. */
  isAdminToken(shown: ShownToken): boolean;
  /** Forgets a cookie. */
  signOut(value: string): Promise<void>;
}

/** A token and the network address that it came from. */
interface ShownToken {
  readonly token: string;
  readonly address: string;
}

/** What signing in takes from outside. */
export interface SignInOptions {
  readonly signIns: SignIns;
  /** The token of the configuration in force, where it has one. */
  readonly adminToken: () => string | undefined;
  readonly nowMs: () => number;
}

const MINUTE_MS = 60_000;
const TOKEN_LIFETIME_MS = 60 * MINUTE_MS;
/** How long a cookie lasts after it was last used. */
export const COOKIE_LIFETIME_MS = 30 * 24 * 60 * MINUTE_MS;
/** A cookie's life is made longer once in so long, and a store that is down is not missed for as long. */
const COOKIE_GRAIN_MS = 10 * MINUTE_MS;
const MAX_KNOWN_COOKIES = 1_000;

/** Lets admins in by the store that all gateways share. */
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

/** A token that lets somebody sign in once, within the hour, at any gateway on the same store. */
export async function mintToken(signIns: SignIns, nowMs: number): Promise<string> {
  const token = makeSecret();
  await signIns.add(named("token", token), nowMs + TOKEN_LIFETIME_MS);
  return token;
}

/** Different wrong tokens from one address, or uses of one wrong token, in a minute before who shows them has to wait. */
const MAX_FAILURES = 10;
const MAX_COUNTED = 10_000;

interface Failure {
  readonly credential: string;
  readonly atMs: number;
}

/**
 * Counts wrong tokens by address and by token. `check` throws for a token that was wrong too often, and for any token that was never right
 * from an address that tried too many: an attacker makes only itself wait, and a program with an old token only itself.
 */
function makeFailures(nowMs: () => number) {
  const byAddress = new LruMap<readonly Failure[]>(MAX_COUNTED);
  const byCredential = new LruMap<readonly Failure[]>(MAX_COUNTED);
  /** The hash of the token that was right last; a locked address must not keep its admin out. */
  let trusted = "";
  const recent = (failures: readonly Failure[] = []) => failures.filter(({ atMs }) => atMs > nowMs() - MINUTE_MS);
  return {
    add: ({ token, address }: ShownToken) => {
      const failure = { credential: named("token", token), atMs: nowMs() };
      const network = networkOf(address);
      const others = recent(byAddress.get(network)).filter(({ credential }) => credential !== failure.credential);
      byAddress.set(network, [...others, failure]);
      byCredential.set(failure.credential, [...recent(byCredential.get(failure.credential)), failure]);
    },
    trust: ({ token }: ShownToken) => {
      trusted = named("token", token);
    },
    check: ({ token, address }: ShownToken) => {
      if (isKeyForm(token)) throw new LonghaulError("auth.missing", CLIENT_KEY);
      const credential = named("token", token);
      const isRepeated = recent(byCredential.get(credential)).length >= MAX_FAILURES;
      const isGuessing = recent(byAddress.get(networkOf(address))).length >= MAX_FAILURES && credential !== trusted;
      if (isRepeated || isGuessing) throw tooMany();
    },
  };
}

/** The part of an address that one attacker cannot change at will: all of IPv4, the first 64 bits of IPv6. */
function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":");
  const zeros = tail === undefined ? [] : Array.from({ length: 4 }, () => "0");
  return [...groups, ...zeros].slice(0, 4).join(":");
}

/** The error message for a client's key at the admin API. */
export const CLIENT_KEY =
  "lh_… is a key for clients, which opens model routes only; the admin API takes the admin token (server.adminToken), or a sign-in at the " +
  "address that `longhaul dashboard` prints";

const WRONG_TOKEN =
  "this token is wrong, was used before, or is over; print a fresh address with `longhaul dashboard`, or use the admin token of the configuration";

function tooMany(): LonghaulError {
  return new LonghaulError(
    "limit.exceeded",
    "too many wrong tokens from this address, or this one too often; try again in a minute",
    {
      retryAfterMs: MINUTE_MS,
    },
  );
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

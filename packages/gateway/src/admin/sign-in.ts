import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { Latest, LonghaulError } from "@longhaul/conversation";
import type { SignIns } from "@longhaul/store";

/** Lets admins in. Only hashes of what they show are kept. */
export interface SignIn {
  /** A token that opens the door once, within the hour. */
  mintToken(): Promise<string>;
  /** The value of a cookie for a token, the admin's own or one that was minted; throws where it is neither. */
  exchange(token: string): Promise<string>;
  /** Whether a cookie's value is known and not over; each use makes it last longer. */
  knowsCookie(value: string): Promise<boolean>;
  /** Whether it is the admin's own token; throws `limit.exceeded` after too many that were not. */
  isAdminToken(token: string): boolean;
  /** Forgets a cookie. */
  signOut(value: string): Promise<void>;
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
/** Wrong tokens in a minute, from anybody, before all have to wait: tokens are too long to be guessed, this only keeps who tries from trying fast. */
const MAX_FAILURES = 10;
const MAX_KNOWN_COOKIES = 1_000;

/** Lets admins in by the store that all gateways share. */
export function makeSignIn({ signIns, adminToken, nowMs }: SignInOptions): SignIn {
  const known = new Latest<number>(MAX_KNOWN_COOKIES);
  const failures = makeFailures(nowMs);
  const isRight = (token: string) => {
    const wanted = adminToken();
    return wanted !== undefined && timingSafeEqual(digest(wanted), digest(token));
  };
  return {
    mintToken: () => mintToken(signIns, nowMs()),
    exchange: async (token) => {
      failures.check();
      if (!isRight(token) && !(await signIns.take(named("token", token), nowMs()))) {
        failures.add();
        throw new LonghaulError("auth.missing", WRONG_TOKEN);
      }
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
      known.put(name, nowMs());
      return true;
    },
    isAdminToken: (token) => {
      failures.check();
      const isAdmin = isRight(token);
      if (!isAdmin) failures.add();
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

/** Counts wrong tokens; `check` throws after too many. */
function makeFailures(nowMs: () => number) {
  let timesMs: readonly number[] = [];
  return {
    add: () => {
      timesMs = [...timesMs, nowMs()];
    },
    check: () => {
      timesMs = timesMs.filter((atMs) => atMs > nowMs() - MINUTE_MS);
      if (timesMs.length >= MAX_FAILURES) throw tooMany();
    },
  };
}

const WRONG_TOKEN =
  "this token is wrong, was used before, or is over; print a fresh address with `longhaul dashboard`, or use the admin token of the configuration";

function tooMany(): LonghaulError {
  return new LonghaulError("limit.exceeded", "too many wrong tokens; try again in a minute", {
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

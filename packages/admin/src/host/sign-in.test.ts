import { openStore, type Store } from "@longhaul/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeKey } from "./gateway-key.ts";
import { COOKIE_LIFETIME_MS, cookieIn, isSignedIn, makeSignIn, type SignIn } from "./sign-in.ts";

const HOUR_MS = 60 * 60_000;
const from = (token: string, address = "192.0.2.1") => ({ token, address });

describe("makeSignIn", () => {
  let store: Store;
  let nowMs: number;
  let signIn: SignIn;
  beforeEach(async () => {
    nowMs = 1_000_000;
    store = await openStore({ path: ":memory:", nowMs: () => nowMs });
    signIn = open();
  });
  afterEach(() => store.close());

  it("accepts a one-time token once", async () => {
    const token = await signIn.mintToken();
    const cookie = await signIn.exchange(from(token));
    expect(await signIn.knowsCookie(cookie)).toBe(true);
    await expect(signIn.exchange(from(token))).rejects.toMatchObject({ code: "auth.missing" });
  });

  it("accepts a one-time token once when two requests race", async () => {
    const token = await signIn.mintToken();
    const results = await Promise.allSettled([signIn.exchange(from(token)), signIn.exchange(from(token))]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("rejects an expired token and any other text", async () => {
    const token = await signIn.mintToken();
    nowMs += HOUR_MS + 1;
    await expect(signIn.exchange(from(token))).rejects.toMatchObject({ code: "auth.missing" });
    await expect(signIn.exchange(from(""))).rejects.toMatchObject({ code: "auth.missing" });
  });

  it("accepts the admin token any number of times", async () => {
    await signIn.exchange(from("secret"));
    expect(await signIn.knowsCookie(await signIn.exchange(from("secret")))).toBe(true);
    expect(signIn.isAdminToken(from("secret"))).toBe(true);
    expect(signIn.isAdminToken(from("secre"))).toBe(false);
  });

  it("keeps a cookie valid after a restart and while it is used", async () => {
    const cookie = await signIn.exchange(from("secret"));
    nowMs += COOKIE_LIFETIME_MS - 1;
    expect(await open().knowsCookie(cookie)).toBe(true);
    nowMs += COOKIE_LIFETIME_MS - 1;
    expect(await open().knowsCookie(cookie)).toBe(true);
    nowMs += COOKIE_LIFETIME_MS + 1;
    expect(await open().knowsCookie(cookie)).toBe(false);
  });

  it("accepts no cookie as a token and no token as a cookie", async () => {
    const token = await signIn.mintToken();
    expect(await signIn.knowsCookie(token)).toBe(false);
    const cookie = await signIn.exchange(from(token));
    await expect(signIn.exchange(from(cookie))).rejects.toMatchObject({ code: "auth.missing" });
  });

  it("invalidates a cookie on sign-out", async () => {
    const cookie = await signIn.exchange(from("secret"));
    await signIn.knowsCookie(cookie);
    await signIn.signOut(cookie);
    expect(await signIn.knowsCookie(cookie)).toBe(false);
  });

  it("notices a sign-out at another gateway within ten minutes", async () => {
    const cookie = await signIn.exchange(from("secret"));
    expect(await signIn.knowsCookie(cookie)).toBe(true);
    await open().signOut(cookie);
    nowMs += 10 * 60_000;
    expect(await signIn.knowsCookie(cookie)).toBe(false);
  });

  it("locks an address for a minute after ten different wrong tokens", async () => {
    for (let count = 0; count < 10; count++) {
      await expect(signIn.exchange(from(`wrong ${count}`))).rejects.toMatchObject({ code: "auth.missing" });
    }
    const late = { code: "limit.exceeded", retryAfterMs: 60_000 };
    await expect(signIn.exchange(from("secret"))).rejects.toMatchObject(late);
    expect(await signIn.exchange(from("secret", "192.0.2.2"))).not.toBe("");
    nowMs += 60_001;
    expect(await signIn.exchange(from("secret"))).not.toBe("");
  });

  it("counts wrong admin tokens of requests as well", () => {
    for (let count = 0; count < 10; count++) expect(signIn.isAdminToken(from(`wrong ${count}`))).toBe(false);
    expect(() => signIn.isAdminToken(from("secret"))).toThrow("too many attempts");
    nowMs += 60_001;
    expect(signIn.isAdminToken(from("secret"))).toBe(true);
  });

  it("locks one wrong token at every address after ten uses", () => {
    for (let count = 0; count < 10; count++) expect(signIn.isAdminToken(from("old", `192.0.2.${count}`))).toBe(false);
    expect(() => signIn.isAdminToken(from("old", "192.0.2.99"))).toThrow("too many attempts");
    expect(signIn.isAdminToken(from("secret", "192.0.2.1"))).toBe(true);
  });

  it("accepts the last correct token from a locked address", () => {
    expect(signIn.isAdminToken(from("secret"))).toBe(true);
    for (let count = 0; count < 10; count++) signIn.isAdminToken(from(`wrong ${count}`));
    expect(signIn.isAdminToken(from("secret"))).toBe(true);
    expect(() => signIn.isAdminToken(from("other"))).toThrow("too many attempts");
  });

  it.each([
    ["2001:db8:1:2::", "2001:db8:1:2:3:4:5:6"],
    ["2001:db8::", "2001:db8::1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
  ])("counts %s and %s as one network", (first, second) => {
    for (let count = 0; count < 10; count++) signIn.isAdminToken(from(`wrong ${count}`, first));
    expect(() => signIn.isAdminToken(from("secret", second))).toThrow("too many attempts");
  });

  it("explains a client key without counting it", () => {
    const { key } = makeKey({ name: "a", createdAtMs: 0 });
    for (let count = 0; count < 20; count++)
      expect(() => signIn.isAdminToken(from(key))).toThrow("is an API key for clients");
    expect(signIn.isAdminToken(from("secret"))).toBe(true);
  });

  it("accepts no admin token if none is configured", () => {
    const without = makeSignIn({ signIns: store.signIns, adminToken: () => undefined, nowMs: () => nowMs });
    expect(without.isAdminToken(from(""))).toBe(false);
  });

  function open(): SignIn {
    return makeSignIn({ signIns: store.signIns, adminToken: () => "secret", nowMs: () => nowMs });
  }
});

let store: Store;
let signIn: SignIn;
beforeEach(async () => {
  store = await openStore({ path: ":memory:", nowMs: () => 0 });
  signIn = makeSignIn({ signIns: store.signIns, adminToken: () => "a-long-admin-token", nowMs: () => 0 });
});
afterEach(() => store.close());

it.each([
  [{}, false],
  [{ authorization: "Bearer a-long-admin-token" }, true],
  [{ authorization: "bearer a-long-admin-token" }, true],
  [{ authorization: "Basic a-long-admin-token" }, false],
  [{ authorization: "Bearer wrong" }, false],
  [{ cookie: "longhaul=wrong" }, false],
  [{ cookie: "longhaul=a-long-admin-token" }, false],
])("returns for %j: %j", async (headers: Record<string, string>, isAdmin) => {
  expect(await isSignedIn({ headers, address: "192.0.2.1" }, signIn)).toBe(isAdmin);
});

it.each(["authorization", "x-api-key", "x-longhaul-key"])("rejects a client key in %s", async (name) => {
  const { key } = makeKey({ name: "a", createdAtMs: 0 });
  const headers = { [name]: name === "authorization" ? `Bearer ${key}` : key };
  await expect(isSignedIn({ headers, address: "192.0.2.1" }, signIn)).rejects.toThrow("is an API key for clients");
});

it("accepts a valid cookie whatever other headers say", async () => {
  const cookie = `other=1; longhaul=${await signIn.exchange({ token: "a-long-admin-token", address: "" })}`;
  expect(await isSignedIn({ headers: { authorization: "Bearer wrong", cookie }, address: "" }, signIn)).toBe(true);
});

it.each([
  ["longhaul=abc", "abc"],
  ["other=1; longhaul=abc; more=2", "abc"],
  ["xlonghaul=abc", undefined],
  ["", undefined],
])("finds in %j the value %j", (header, value) => {
  expect(cookieIn(header)).toBe(value);
});

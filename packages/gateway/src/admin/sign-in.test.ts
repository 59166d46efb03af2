import { openStore, type Store } from "@longhaul/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COOKIE_LIFETIME_MS, makeSignIn, type SignIn } from "./sign-in.ts";

const HOUR_MS = 60 * 60_000;

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

  it("takes a token once", async () => {
    const token = await signIn.mintToken();
    const cookie = await signIn.exchange(token);
    expect(await signIn.knowsCookie(cookie)).toBe(true);
    await expect(signIn.exchange(token)).rejects.toMatchObject({ code: "auth.missing" });
  });

  it("lets one of two in who show the same token at once", async () => {
    const token = await signIn.mintToken();
    const results = await Promise.allSettled([signIn.exchange(token), signIn.exchange(token)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("takes no token that is over, and no other text", async () => {
    const token = await signIn.mintToken();
    nowMs += HOUR_MS + 1;
    await expect(signIn.exchange(token)).rejects.toMatchObject({ code: "auth.missing" });
    await expect(signIn.exchange("")).rejects.toMatchObject({ code: "auth.missing" });
  });

  it("takes the admin's own token any number of times", async () => {
    await signIn.exchange("secret");
    expect(await signIn.knowsCookie(await signIn.exchange("secret"))).toBe(true);
    expect(signIn.isAdminToken("secret")).toBe(true);
    expect(signIn.isAdminToken("secre")).toBe(false);
  });

  it("knows a cookie after a restart, and as long as it is used", async () => {
    const cookie = await signIn.exchange("secret");
    nowMs += COOKIE_LIFETIME_MS - 1;
    expect(await open().knowsCookie(cookie)).toBe(true);
    nowMs += COOKIE_LIFETIME_MS - 1;
    expect(await open().knowsCookie(cookie)).toBe(true);
    nowMs += COOKIE_LIFETIME_MS + 1;
    expect(await open().knowsCookie(cookie)).toBe(false);
  });

  it("takes no cookie for a token, nor a token for a cookie", async () => {
    const token = await signIn.mintToken();
    expect(await signIn.knowsCookie(token)).toBe(false);
    const cookie = await signIn.exchange(token);
    await expect(signIn.exchange(cookie)).rejects.toMatchObject({ code: "auth.missing" });
  });

  it("forgets who signs out", async () => {
    const cookie = await signIn.exchange("secret");
    await signIn.knowsCookie(cookie);
    await signIn.signOut(cookie);
    expect(await signIn.knowsCookie(cookie)).toBe(false);
  });

  it("forgets within ten minutes who signs out at another gateway on the same store", async () => {
    const cookie = await signIn.exchange("secret");
    expect(await signIn.knowsCookie(cookie)).toBe(true);
    await open().signOut(cookie);
    nowMs += 10 * 60_000;
    expect(await signIn.knowsCookie(cookie)).toBe(false);
  });

  it("makes everybody wait after ten wrong tokens, for a minute", async () => {
    for (let count = 0; count < 10; count++) {
      await expect(signIn.exchange("wrong")).rejects.toMatchObject({ code: "auth.missing" });
    }
    await expect(signIn.exchange("secret")).rejects.toMatchObject({ code: "limit.exceeded", retryAfterMs: 60_000 });
    nowMs += 60_001;
    expect(await signIn.exchange("secret")).not.toBe("");
  });

  it("counts wrong admin tokens that come with requests, too", () => {
    for (let count = 0; count < 10; count++) expect(signIn.isAdminToken("wrong")).toBe(false);
    expect(() => signIn.isAdminToken("secret")).toThrow("too many wrong tokens");
    nowMs += 60_001;
    expect(signIn.isAdminToken("secret")).toBe(true);
  });

  it("has no admin token where the configuration has none", () => {
    const without = makeSignIn({ signIns: store.signIns, adminToken: () => undefined, nowMs: () => nowMs });
    expect(without.isAdminToken("")).toBe(false);
  });

  function open(): SignIn {
    return makeSignIn({ signIns: store.signIns, adminToken: () => "secret", nowMs: () => nowMs });
  }
});

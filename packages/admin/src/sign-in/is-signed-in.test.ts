import { openStore, type Store } from "@longhaul/store";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeKey } from "../host/gateway-key.ts";
import { cookieIn, isSignedIn } from "./is-signed-in.ts";
import { makeSignIn, type SignIn } from "./sign-in.ts";

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
  await expect(isSignedIn({ headers, address: "192.0.2.1" }, signIn)).rejects.toThrow("client key");
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

import { openStore, type Store } from "@longhaul/store";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeSignIn, type SignIn } from "./sign-in.ts";
import { isSignedIn } from "./signed-in.ts";

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
])("takes %j for an admin's: %j", async (shown, isAdmin) => {
  expect(await isSignedIn({ authorization: undefined, cookie: undefined, ...shown }, { signIn })).toBe(isAdmin);
});

it("lets a known cookie in whatever else a browser sends", async () => {
  const cookie = `other=1; longhaul=${await signIn.exchange("a-long-admin-token")}`;
  expect(await isSignedIn({ authorization: "Bearer wrong", cookie }, { signIn })).toBe(true);
});

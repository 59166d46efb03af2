import { expect, it } from "vitest";
import { ownerOf } from "./owner-of.ts";

it("is the same for a credential in whichever header, another for another, and does not tell it", () => {
  const owner = ownerOf({ headers: { authorization: "Bearer secret" } });
  expect(ownerOf({ headers: { "x-api-key": "secret" } })).toBe(owner);
  expect(ownerOf({ headers: { "x-api-key": "other" } })).not.toBe(owner);
  expect(owner).not.toContain("secret");
});

it("is the tenant where the gateway has keys, whatever the client shows the upstream", () => {
  const caller = { tenant: "secret", keyId: "k", name: "", limits: {} };
  const owner = ownerOf({ caller, headers: {} });
  expect(ownerOf({ caller: { ...caller, keyId: "other" }, headers: { "x-api-key": "x" } })).toBe(owner);
  expect(ownerOf({ caller: { ...caller, tenant: "other" }, headers: {} })).not.toBe(owner);
  expect(ownerOf({ headers: { "x-api-key": "secret" } })).not.toBe(owner);
});

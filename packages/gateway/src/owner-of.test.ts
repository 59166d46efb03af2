import { expect, it } from "vitest";
import { ownerOf } from "./owner-of.ts";

it("is the same for a credential in whichever header, another for another, and does not tell it", () => {
  const owner = ownerOf({ headers: { authorization: "Bearer secret" } });
  expect(ownerOf({ headers: { "x-api-key": "secret" } })).toBe(owner);
  expect(ownerOf({ headers: { "x-api-key": "other" } })).not.toBe(owner);
  expect(owner).not.toContain("secret");
});

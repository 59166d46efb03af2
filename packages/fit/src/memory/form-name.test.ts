import { makeEpoch } from "@longhaul/store/testing";
import { expect, it } from "vitest";
import { epochName, formName } from "./form-name.ts";

it("names every way to send a conversation, and an epoch that took another's place differently", () => {
  const epoch = makeEpoch();
  const names = [
    formName("scope", undefined),
    formName("scope", epoch),
    formName("scope", { ...epoch, prefix: "other" }),
    formName("scope", { ...epoch, madeAtMs: epoch.madeAtMs + 1 }),
    formName("other", undefined),
  ];
  expect(new Set(names).size).toBe(names.length);
  expect(formName("scope", epoch)).toBe(epochName(epoch));
});

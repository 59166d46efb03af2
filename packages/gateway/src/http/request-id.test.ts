import { expect, it } from "vitest";
import { makeRequestId } from "./request-id.ts";

it("makes another id each time", () => {
  expect(makeRequestId()).toMatch(/^lh_[0-9a-f]{32}$/);
  expect(makeRequestId()).not.toBe(makeRequestId());
});

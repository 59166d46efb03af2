import { expect, it } from "vitest";
import { bugHunt } from "./bug-hunt.ts";

it("contains the same file many times", () => {
  const written = JSON.stringify(bugHunt());
  expect(written.split("export function invoiceTotal").length - 1).toBeGreaterThan(5);
  expect(JSON.stringify(bugHunt())).toBe(written);
});

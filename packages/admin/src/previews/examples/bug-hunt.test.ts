import { expect, it } from "vitest";
import { bugHunt } from "./bug-hunt.ts";

it("reads the same file again and again", () => {
  const written = JSON.stringify(bugHunt());
  expect(written.split("export function invoiceTotal").length - 1).toBeGreaterThan(5);
  expect(JSON.stringify(bugHunt())).toBe(written);
});

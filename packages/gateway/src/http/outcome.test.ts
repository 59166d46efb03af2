import { expect, it } from "vitest";
import { jsonOutcome } from "./outcome.ts";

it("says a value as JSON, with the headers that it is given", () => {
  const { status, headers, body, isStream } = jsonOutcome({ a: "ö" }, 404, { "retry-after": "1" });
  expect(String(body)).toBe('{"a":"ö"}');
  expect([status, headers, isStream]).toEqual([404, { "content-type": "application/json", "retry-after": "1" }, false]);
});

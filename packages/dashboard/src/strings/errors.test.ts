import { expect, it } from "vitest";
import { remedyOf } from "./errors.ts";

it("has a remedy for the errors of requests, and a hint for others", () => {
  expect(remedyOf("upstream.timeout")).toMatch(/^The upstream did not answer in time\./);
  expect(remedyOf("constructor")).toBe("Open the request for its details.");
});

import { expect, it } from "vitest";
import { outage } from "./outage.ts";

it("has few relevant lines among many irrelevant ones", () => {
  const written = JSON.stringify(outage());
  expect(written.split(" 200 in ").length).toBeGreaterThan(500);
  expect(written.split("ERROR ERR_POOL_TIMEOUT").length - 1).toBeLessThan(20);
  expect(written).toContain("ERROR ERR_POOL_TIMEOUT");
});

import { expect, it } from "vitest";
import { useBy, useWithCost, useWithOneMore } from "./last-use.ts";

const used = { requestsThisMinute: 5, underWay: 2, usdToday: 1, usdThisMonth: 7 };
const atMs = Date.parse("2026-03-30T23:58:10Z");

it.each([
  ["2026-03-30T23:58:59Z", used],
  ["2026-03-30T23:59:00Z", { ...used, requestsThisMinute: 0 }],
  ["2026-03-31T00:00:00Z", { ...used, requestsThisMinute: 0, usdToday: 0 }],
  ["2026-04-01T00:00:00Z", { ...used, requestsThisMinute: 0, usdToday: 0, usdThisMonth: 0 }],
])("counts anew by %s what is over by then", (now, left) => {
  expect(useBy({ used, atMs }, Date.parse(now))).toEqual(left);
});

it("adds requests and costs", () => {
  expect(useWithOneMore(used)).toEqual({ ...used, requestsThisMinute: 6, underWay: 3 });
  expect(useWithCost(used, 0.5)).toEqual({ ...used, usdToday: 1.5, usdThisMonth: 7.5 });
});

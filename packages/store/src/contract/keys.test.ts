import { expect, it } from "vitest";
import { refusedBy } from "./keys.ts";

const used = { requestsThisMinute: 3, underWay: 2, usdToday: 1, usdThisMonth: 5 };

it.each([
  [{}, undefined],
  [{ requestsPerMinute: 4, concurrent: 3, usdPerDay: 1.01, usdPerMonth: 5.01 }, undefined],
  [{ requestsPerMinute: 3 }, "requestsPerMinute"],
  [{ concurrent: 2 }, "concurrent"],
  [{ usdPerDay: 1 }, "usdPerDay"],
  [{ usdPerMonth: 0 }, "usdPerMonth"],
  [{ requestsPerMinute: 1, concurrent: 1, usdPerDay: 0.5, usdPerMonth: 5 }, "usdPerMonth"],
  [{ requestsPerMinute: 1, concurrent: 1 }, "requestsPerMinute"],
] as const)("with limits %j, one more request is refused by %s", (limits, limit) => {
  expect(refusedBy(limits, used)).toBe(limit);
});

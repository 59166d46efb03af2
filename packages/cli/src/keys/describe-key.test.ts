import { expect, it } from "vitest";
import { describeKey } from "./describe-key.ts";

const key = {
  id: "key_1",
  name: "laptop",
  hint: "lh_Ab3d…",
  tenant: "key_1",
  limits: {},
  context: {},
  createdAtMs: Date.parse("2026-05-01T10:00:00Z"),
  used: { requestsThisMinute: 3, underWay: 1, usdToday: 0.25, usdThisMonth: 7 },
};

it("tells of a key in one line", () => {
  expect(describeKey(key)).toBe("key_1  laptop  lh_Ab3d…  made 2026-05-01");
});

it("tells of its tenant, its end, its limits with their use, and its settings", () => {
  const limits = { requestsPerMinute: 6_000, concurrent: 4, usdPerDay: 0, usdPerMonth: 100 };
  const context = { strategy: "smart", threshold: 50 };
  const revokedAtMs = Date.parse("2026-06-01T00:00:00Z");
  expect(describeKey({ ...key, tenant: "team", limits, context, revokedAtMs }).split("\n    ")).toEqual([
    "key_1  laptop  lh_Ab3d…  made 2026-05-01, revoked 2026-06-01, tenant team",
    "3 of 6,000 requests this minute",
    "1 of 4 requests under way",
    "$0.2500 of $0.0000 today",
    "$7.00 of $100.00 this month",
    "context settings of its own: strategy, threshold",
  ]);
});

import { describe, expect, it } from "vitest";
import { keyChangeSchema, newKeySchema } from "./key-config.ts";

describe("newKeySchema", () => {
  it("accepts a name only", () => {
    expect(newKeySchema.parse({ name: " laptop " })).toEqual({ name: "laptop", models: [], limits: {}, context: {} });
  });

  it("accepts models, limits and context settings", () => {
    const key = {
      name: "ci",
      tenant: "team",
      models: ["claude-*"],
      limits: { requestsPerMinute: 60, concurrent: 4, usdPerDay: 2.5, usdPerMonth: 0 },
      context: { strategy: "smart", threshold: -1 },
    };
    expect(newKeySchema.parse(key)).toEqual(key);
  });

  it.each([
    [{}, "name"],
    [{ name: " " }, "name"],
    [{ name: "x", tenant: "" }, "tenant"],
    [{ name: "x", models: [""] }, "models.0"],
    [{ name: "x", limits: { concurrent: 0 } }, "limits.concurrent"],
    [{ name: "x", limits: { requestsPerMinute: 1.5 } }, "limits.requestsPerMinute"],
    [{ name: "x", limits: { usdPerDay: -1 } }, "limits.usdPerDay"],
    [{ name: "x", limits: { perHour: 1 } }, "limits"],
    [{ name: "x", context: { strategy: "none" } }, "context.strategy"],
    [{ name: "x", context: { strategies: { smart: { passes: 3 } } } }, "context.strategies.smart.passes"],
    [{ name: "x", isAdmin: true }, ""],
  ])("rejects %j", (key, path) => {
    expect(newKeySchema.safeParse(key).error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });

  it("reports an empty name as missing", () => {
    expect(newKeySchema.safeParse({ name: " " }).error?.issues[0]?.message).toBe("must not be empty");
  });
});

describe("keyChangeSchema", () => {
  it("accepts an empty change", () => {
    expect(keyChangeSchema.parse({})).toEqual({});
  });

  it("rejects hash and tenant", () => {
    expect(keyChangeSchema.safeParse({ hash: "x" }).success).toBe(false);
    expect(keyChangeSchema.safeParse({ tenant: "x" }).success).toBe(false);
  });
});

import { expect, it } from "vitest";
import { originsOf, settingPaths } from "./origins.ts";

it("lets later sources override earlier ones, even in part", () => {
  const origins = originsOf(() => [
    { path: ["context", "strategies", "smart"], origin: "file" },
    { path: ["context", "strategies", "smart", "passes"], origin: "environment" },
    { path: ["log", "level"], origin: "file" },
    { path: ["log", "level"], origin: "stored" },
  ]);
  expect(origins.of(["log", "level"])).toBe("stored");
  expect(origins.of(["context", "strategies", "smart", "passes", 0])).toBe("environment");
  expect(origins.of(["context", "strategies", "smart"])).toBe("environment");
  expect(origins.of(["context", "strategies", "smart", "other"])).toBe("file");
  expect(origins.of(["log"])).toBe("default");
});

it("returns the paths of settings and of unknown values", () => {
  const value = {
    log: { level: "info", odd: { x: 1 } },
    routes: [{ match: "*" }],
    context: { strategies: { smart: {} } },
  };
  expect(settingPaths(value)).toEqual([
    ["log", "level"],
    ["log", "odd", "x"],
    ["routes"],
    ["context", "strategies", "smart"],
  ]);
});

import { expect, it } from "vitest";
import { originsOf, placesIn } from "./origins.ts";

it("later ones go before earlier ones, also where they gave a part", () => {
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

it("places are those of settings, and of what is none", () => {
  const value = {
    log: { level: "info", odd: { x: 1 } },
    routes: [{ match: "*" }],
    context: { strategies: { smart: {} } },
  };
  expect(placesIn(value)).toEqual([
    ["log", "level"],
    ["log", "odd", "x"],
    ["routes"],
    ["context", "strategies", "smart"],
  ]);
});

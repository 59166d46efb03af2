import { expect, it } from "vitest";
import { settingValue } from "./setting-value.ts";

it("finds what holds for a setting", () => {
  const setting = {
    path: "context.strategy",
    group: "context",
    help: "",
    schema: {},
    isSecret: false,
    needsRestart: false,
    origin: "file" as const,
    isSet: true,
    value: "smart",
  };
  expect(settingValue({ settings: [setting] }, "context.strategy")).toBe("smart");
  expect(settingValue({ settings: [setting] }, "context.mode")).toBeUndefined();
});

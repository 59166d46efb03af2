import { describe, expect, it } from "vitest";
import { argumentPort } from "./port.ts";

describe("ports", () => {
  it.each([
    ["0", 0],
    ["4141", 4141],
    ["65535", 65_535],
  ])("takes %s", (text, port) => {
    expect(argumentPort(text)).toBe(port);
  });

  it.each(["-1", "65536", "1e3", "http", " 1"])("refuses %j", (text) => {
    expect(() => argumentPort(text)).toThrow("give a whole number from 0 to 65535");
  });
});

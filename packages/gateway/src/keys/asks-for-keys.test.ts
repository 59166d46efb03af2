import { describe, expect, it } from "vitest";
import { asksForKeys, checkHost } from "./asks-for-keys.ts";

const some = { hasKeys: async () => true };
const none = { hasKeys: async () => false };

describe("asksForKeys", () => {
  it.each([
    ["auto", "127.0.0.1", none, false],
    ["auto", "127.0.0.1", some, true],
    ["auto", "0.0.0.0", none, true],
    ["auto", "0.0.0.0", some, true],
    ["required", "127.0.0.1", none, true],
    ["required", "0.0.0.0", none, true],
    ["off", "127.0.0.1", some, false],
    ["off", "0.0.0.0", some, false],
  ] as const)("with %s on %s: case %#", async (keys, host, ring, asks) => {
    expect(await asksForKeys({ keys, host }, ring)).toBe(asks);
  });
});

describe("checkHost", () => {
  it("refuses an address that others can reach, while there are no keys", async () => {
    await expect(checkHost({ keys: "auto", host: "0.0.0.0" }, none)).rejects.toMatchObject({
      code: "settings.invalid",
      message: expect.stringContaining("server.host: others can reach 0.0.0.0"),
    });
  });

  it.each([
    ["auto", "0.0.0.0", some],
    ["auto", "::1", none],
    ["required", "0.0.0.0", none],
    ["off", "0.0.0.0", none],
  ] as const)("lets %s on %s be: case %#", async (keys, host, ring) => {
    await expect(checkHost({ keys, host }, ring)).resolves.toBeUndefined();
  });
});

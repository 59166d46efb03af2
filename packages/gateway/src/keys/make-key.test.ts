import { describe, expect, it } from "vitest";
import { hashKey, isKeyForm, makeKey } from "./make-key.ts";

describe("makeKey", () => {
  it("keeps a hash and a beginning of a key, never the key", () => {
    const { key, stored } = makeKey({ name: "laptop", createdAtMs: 5 });
    expect(key).toMatch(/^lh_[0-9A-Za-z]{43}$/);
    expect(stored).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{16}$/),
      name: "laptop",
      hash: hashKey(key),
      hint: `${key.slice(0, 7)}…`,
      tenant: stored.id,
      limits: {},
      context: {},
      createdAtMs: 5,
    });
    expect(JSON.stringify(stored)).not.toContain(key.slice(7));
  });

  it("takes what it is told", () => {
    const limits = { concurrent: 2 };
    const context = { strategy: "smart" };
    const { stored } = makeKey({ name: "ci", tenant: "team", limits, context, createdAtMs: 5 });
    expect(stored).toMatchObject({ tenant: "team", limits, context });
  });

  it("makes every key another one, with all digits in use", () => {
    const keys = Array.from({ length: 200 }, () => makeKey({ name: "", createdAtMs: 0 }));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(200);
    expect(new Set(keys.map(({ stored }) => stored.id)).size).toBe(200);
    expect(new Set(keys.flatMap(({ key }) => [...key.slice(4)])).size).toBe(62);
    expect(keys.every(({ key }) => isKeyForm(key))).toBe(true);
  });
});

describe("isKeyForm", () => {
  const { key } = makeKey({ name: "", createdAtMs: 0 });
  it.each([`${key}0`, key.slice(1), key.toUpperCase(), `${key}\n`, "sk-ant-api03-x", "", `Bearer ${key}`])(
    "is not %j's",
    (other) => {
      expect(isKeyForm(other)).toBe(false);
    },
  );
});

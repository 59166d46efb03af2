import { openStore } from "@longhaul/store";
import { makeCondensationEvent, makeRequestEvent } from "@longhaul/store/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashKey, isKeyForm, makeKey, showKeys, takeGatewayKey } from "./gateway-key.ts";

describe("makeKey", () => {
  it("stores a hash and the first characters of a key, never the key", () => {
    const { key, stored } = makeKey({ name: "laptop", createdAtMs: 5 });
    expect(key).toMatch(/^lh_[0-9A-Za-z]{43}$/);
    expect(stored).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{16}$/),
      name: "laptop",
      hash: hashKey(key),
      hint: `${key.slice(0, 7)}…`,
      tenant: stored.id,
      models: [],
      limits: {},
      context: {},
      createdAtMs: 5,
    });
    expect(JSON.stringify(stored)).not.toContain(key.slice(7));
  });

  it("uses the given tenant, limits and context", () => {
    const limits = { concurrent: 2 };
    const context = { strategy: "smart" };
    const { stored } = makeKey({ name: "ci", tenant: "team", limits, context, createdAtMs: 5 });
    expect(stored).toMatchObject({ tenant: "team", limits, context });
  });

  it("makes different keys that use all digits", () => {
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

it("shows the usage of a key without its hash, with the recorded costs of this day and month", async () => {
  const { stored } = makeKey({ name: "laptop", createdAtMs: 1 });
  const { stored: other } = makeKey({ name: "other", createdAtMs: 1 });
  const store = await openStore({ path: ":memory:", nowMs: Date.now });
  const atMs = Date.UTC(2026, 10, 18, 12);
  const before = { atMs: atMs - 24 * 3_600_000, keyId: stored.id, costUsd: 2 };
  await store.events.add({
    requests: [
      makeRequestEvent({ id: "a", atMs, keyId: stored.id, costUsd: 1 }),
      makeRequestEvent({ id: "b", ...before }),
      makeRequestEvent({ id: "c", atMs, keyId: other.id, costUsd: 8 }),
    ],
    condensations: [makeCondensationEvent({ atMs, keyId: stored.id, costUsd: 0.5 })],
  });
  const [shown] = await showKeys([stored, other], store, atMs + 1);
  expect(shown).toMatchObject({ id: stored.id, name: "laptop", used: { usdToday: 1.5, usdThisMonth: 3.5 } });
  expect(shown).not.toHaveProperty("hash");
  await store.close();
});

const { key } = makeKey({ name: "", createdAtMs: 0 });
const rest = { "content-type": "application/json", "anthropic-version": "2023-06-01" };

it.each([
  ["authorization", `Bearer ${key}`],
  ["authorization", `bearer  ${key}`],
  ["authorization", key],
  ["x-api-key", key],
  ["x-goog-api-key", key],
  ["x-longhaul-key", key],
  ["x-api-key", `sk-ant-1, ${key}`],
])("finds a key in %s: %s", (name, value) => {
  expect(takeGatewayKey({ ...rest, [name]: value })).toEqual({ key, headers: rest });
});

it("leaves a vendor's credential in the usual header if the key has its own header", () => {
  const vendors = { ...rest, authorization: "Bearer sk-ant-1" };
  expect(takeGatewayKey({ ...vendors, "x-longhaul-key": key })).toEqual({ key, headers: vendors });
  expect(takeGatewayKey({ ...vendors, "x-api-key": key })).toEqual({ key, headers: vendors });
});

it("prefers the key's own header and removes all keys", () => {
  const other = makeKey({ name: "", createdAtMs: 0 }).key;
  expect(takeGatewayKey({ "x-longhaul-key": key, authorization: `Bearer ${other}`, "x-api-key": other })).toEqual({
    key,
    headers: {},
  });
  expect(takeGatewayKey({ "x-longhaul-key": "wrong", "x-api-key": key })).toEqual({ key: "wrong", headers: {} });
});

it("returns the same headers if there is no key", () => {
  const headers = { ...rest, authorization: `Bearer sk-${key}`, "x-api-key": "lh_short", cookie: "a" };
  expect(takeGatewayKey(headers)).toEqual({ headers });
  expect(takeGatewayKey(headers).headers).toBe(headers);
});

it("leaves no key in any header, whatever surrounds it", () => {
  const around = fc.stringMatching(/^[ ,]*$/);
  const name = fc.constantFrom("authorization", "x-api-key", "x-goog-api-key", "x-longhaul-key");
  fc.assert(
    fc.property(name, around, around, fc.string(), (header, before, after, other) => {
      const { headers } = takeGatewayKey({ [header]: `${other} ${before}${key}${after} ${other}`, accept: "x" });
      expect(headers).toEqual({ accept: "x" });
    }),
  );
});

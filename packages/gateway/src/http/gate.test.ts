import { describe, expect, it } from "vitest";
import { makeGate } from "./gate.ts";

describe("a gate", () => {
  it("admits requests up to its limit, which may change", () => {
    let limit = 1;
    const gate = makeGate(() => limit);
    const leave = gate.enter();
    expect(() => gate.enter()).toThrow(expect.objectContaining({ code: "limit.overloaded", retryAfterMs: 1_000 }));
    limit = 2;
    gate.enter();
    leave();
    leave();
    expect(() => gate.enter()).not.toThrow();
    expect(() => gate.enter()).toThrow();
  });

  it("admits no request after closing, and waits for those in flight", async () => {
    const gate = makeGate(() => 5);
    const leave = gate.enter();
    let isEmpty = false;
    const closed = gate.close().then(() => {
      isEmpty = true;
    });
    expect(() => gate.enter()).toThrow("the gateway is stopping");
    await Promise.resolve();
    expect([gate.isClosing, isEmpty]).toEqual([true, false]);
    leave();
    await closed;
    expect(isEmpty).toBe(true);
  });

  it("closes at once without requests in flight", async () => {
    await makeGate(() => 1).close();
  });
});

describe("the memory of bodies", () => {
  const MIB = 1024 * 1024;

  it("rejects a body over the limit, and accepts it after another is released", () => {
    const gate = makeGate(
      () => 5,
      () => 3 * MIB,
    );
    const [first, second] = [gate.openBody(), gate.openBody()];
    first.grow(2 * MIB);
    expect(() => second.grow(2 * MIB)).toThrow(
      expect.objectContaining({ code: "limit.overloaded", retryAfterMs: 1_000 }),
    );
    expect(() => first.grow(3 * MIB)).not.toThrow();
    first.release();
    expect(() => second.grow(2 * MIB)).not.toThrow();
  });

  it("accepts small bodies, and a single one over the limit", () => {
    const gate = makeGate(
      () => 5,
      () => MIB,
    );
    gate.openBody().grow(4 * MIB);
    expect(() => gate.openBody().grow(MIB)).not.toThrow();
    expect(() => gate.openBody().grow(MIB + 1)).toThrow();
  });
});

import { describe, expect, it } from "vitest";
import { makeCircuit } from "./circuit.ts";

function makeClocked() {
  let time = 0;
  const circuit = makeCircuit(() => time);
  const fail = (times: number) => Array.from({ length: times }, () => circuit.failed());
  return { circuit, fail, pass: (ms: number) => (time += ms) };
}

describe("makeCircuit", () => {
  it("opens after five failures in a row", () => {
    const { circuit, fail } = makeClocked();
    fail(4);
    circuit.succeeded();
    fail(4);
    expect(circuit.allows()).toBe(true);
    fail(1);
    expect(circuit.allows()).toBe(false);
  });

  it("lets one request through after the pause, and closes when it succeeds", () => {
    const { circuit, fail, pass } = makeClocked();
    fail(5);
    pass(30_000);
    expect([circuit.allows(), circuit.allows()]).toEqual([true, false]);
    circuit.succeeded();
    expect(circuit.allows()).toBe(true);
  });

  it("allows other requests once a stream has begun, and opens again if it breaks off", () => {
    const { circuit, fail, pass } = makeClocked();
    fail(5);
    pass(30_000);
    expect(circuit.allows()).toBe(true);
    circuit.began();
    expect([circuit.allows(), circuit.allows()]).toEqual([true, true]);
    fail(1);
    expect(circuit.allows()).toBe(false);
  });

  it("opens after five streams that began well and broke off", () => {
    const { circuit } = makeClocked();
    for (let stream = 0; stream < 5; stream++) {
      circuit.began();
      circuit.failed();
    }
    expect(circuit.allows()).toBe(false);
  });

  it("allows another trial after a further pause if the first one never reported back", () => {
    const { circuit, fail, pass } = makeClocked();
    fail(5);
    pass(30_000);
    expect(circuit.allows()).toBe(true);
    pass(29_999);
    expect(circuit.allows()).toBe(false);
    pass(1);
    expect(circuit.allows()).toBe(true);
  });

  it("pauses longer each time the trial fails, up to five minutes", () => {
    const { circuit, fail, pass } = makeClocked();
    fail(5);
    for (const pause of [30_000, 60_000, 120_000, 240_000, 300_000, 300_000]) {
      pass(pause - 1);
      expect(circuit.allows()).toBe(false);
      pass(1);
      expect(circuit.allows()).toBe(true);
      fail(1);
    }
  });
});

it("reports whether it is open without allowing a request", () => {
  let now = 0;
  const circuit = makeCircuit(() => now);
  expect(circuit.isOpen).toBe(false);
  for (let failures = 0; failures < 5; failures++) circuit.failed();
  expect([circuit.isOpen, circuit.allows()]).toEqual([true, false]);
  now = 30_000;
  expect([circuit.isOpen, circuit.isOpen, circuit.allows()]).toEqual([false, false, true]);
});

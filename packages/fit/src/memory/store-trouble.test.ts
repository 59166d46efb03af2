import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { makeStoreTrouble } from "./store-trouble.ts";

const MINUTE_MS = 60_000;
const away = new LonghaulError("store.unavailable", "away");
const AWAY = "what outlives a restart cannot be read or written (store.unavailable): away";
const AGAIN = "what outlives a restart can be read and written again";

function openTrouble() {
  const told: string[] = [];
  let now = 0;
  const trouble = makeStoreTrouble({ warn: (what) => void told.push(what), nowMs: () => now });
  return { ...trouble, told, pass: (ms: number) => (now += ms) };
}

describe("a store's trouble", () => {
  it("is told once while it lasts, its end too, and again when it comes back", () => {
    const { failed, worked, told, pass } = openTrouble();
    worked("reading");
    for (let hour = 0; hour < 3; hour++) {
      failed("reading", away);
      pass(60 * MINUTE_MS);
    }
    expect(told).toEqual([AWAY]);
    worked("reading");
    worked("reading");
    expect(told).toEqual([AWAY, AGAIN]);
    failed("reading", away);
    expect(told).toEqual([AWAY, AGAIN, AWAY]);
  });

  it("is not over while only reading works", () => {
    const { failed, worked, told } = openTrouble();
    failed("writing", away);
    worked("reading");
    expect(told).toEqual([AWAY]);
    failed("reading", away);
    worked("writing");
    expect(told).toEqual([AWAY]);
    worked("reading");
    expect(told).toEqual([AWAY, AGAIN]);
  });

  it("floods no log where it comes and goes: two lines a minute at most", () => {
    const { failed, worked, told, pass } = openTrouble();
    for (let second = 0; second < 120; second++) {
      failed("reading", away);
      worked("reading");
      pass(1_000);
    }
    expect(told).toEqual([AWAY, AGAIN, AWAY, AGAIN]);
  });

  it("is told for each kind of failure", () => {
    const { failed, told } = openTrouble();
    failed("writing", away);
    failed("writing", new LonghaulError("store.damaged", "torn"));
    failed("writing", new TypeError("not a function"));
    expect(told).toHaveLength(3);
    expect(told[2]).toContain("(internal.bug): TypeError: not a function");
  });
});

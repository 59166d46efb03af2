import { type Store, WINDOW_LIFETIME_MS } from "@longhaul/store";
import { describe, expect, it } from "vitest";
import { makeCall, makeStore, openFitBench } from "../testing/index.ts";
import { openLearned } from "./learned.ts";
import { tolerantStore } from "./tolerant-store.ts";

const { destination } = await openFitBench();
const passing = await openFitBench({ config: { routes: [{ match: "*", upstream: "own" }] } });
const body = { model: "claude-sonnet-4-5", max_tokens: 1, messages: [] };
const callOf = (key: string) => makeCall(body, { wire: "anthropic-messages", headers: { "x-api-key": key } });
const call = callOf("client");

async function openAt(nowMs: () => number, kept?: Store) {
  const store = kept ?? (await makeStore(nowMs));
  const open = () => openLearned(tolerantStore(store), nowMs);
  return { learned: await open(), reopen: open, store };
}

describe("a learned window", () => {
  it("only gets smaller until it expires after 24 hours", async () => {
    let now = 1_000;
    const { learned } = await openAt(() => now);
    expect(learned.window(call, destination)).toBeUndefined();
    learned.overflow(call, destination, 100_000);
    learned.overflow(call, destination, 150_000);
    expect(learned.window(call, destination)).toBe(100_000);
    learned.overflow(call, destination, 90_000);
    expect(learned.window(call, destination)).toBe(90_000);
    now += WINDOW_LIFETIME_MS - 1;
    expect(learned.window(call, destination)).toBe(90_000);
    now += 1;
    expect(learned.window(call, destination)).toBeUndefined();
    learned.overflow(call, destination, 150_000);
    expect(learned.window(call, destination)).toBe(150_000);
  });

  it("survives a restart", async () => {
    let now = 1_000;
    const { learned, reopen } = await openAt(() => now);
    learned.overflow(call, destination, 100_000);
    learned.overflow(call, destination, 150_000);
    expect((await reopen()).window(call, destination)).toBe(100_000);
    now += WINDOW_LIFETIME_MS;
    expect((await reopen()).window(call, destination)).toBeUndefined();
  });

  it("applies to one model, and to one credential if the client sends its own", async () => {
    const { learned, store } = await openAt(() => 0);
    learned.overflow(call, destination, 100_000);
    expect(learned.window(callOf("other"), destination)).toBe(100_000);
    expect(learned.window(call, { ...destination, model: "claude-opus-4-6" })).toBeUndefined();
    learned.overflow(call, passing.destination, 50_000);
    expect(learned.window(call, passing.destination)).toBe(50_000);
    expect(learned.window(callOf("other"), passing.destination)).toBeUndefined();
    expect(JSON.stringify(await store.windows.list())).not.toContain("client");
  });
});

describe("forgotten windows", () => {
  it("stay active until they are reloaded, which also loads those of other processes", async () => {
    let now = 1_000;
    const { learned, reopen, store } = await openAt(() => now);
    learned.overflow(call, destination, 100_000);
    const [window] = learned.windows();
    expect(window).toMatchObject({ upstream: "anthropic", model: "claude-sonnet-4-5", windowTokens: 100_000 });
    for (const kept of await store.windows.list()) await store.windows.forget(kept);
    expect(learned.window(call, destination)).toBe(100_000);
    await learned.reloadWindows();
    expect([learned.window(call, destination), learned.windows()]).toEqual([undefined, []]);
    (await reopen()).overflow(call, destination, 70_000);
    await learned.reloadWindows();
    expect(learned.window(call, destination)).toBe(70_000);
    now += WINDOW_LIFETIME_MS;
    expect(learned.windows()).toEqual([]);
  });
});

describe("a learned ratio", () => {
  it("starts at the family's value, moves towards the reported usage, and is saved", async () => {
    const { learned, reopen } = await openAt(() => 0);
    const before = learned.ratio(destination);
    expect(learned.hasLearned(destination)).toBe(false);
    expect(learned.count(destination, { estimated: 1_000, reported: 1_100, hasMedia: false })).toBe(true);
    expect(learned.hasLearned(destination)).toBe(true);
    expect(learned.ratio(destination)).toBeCloseTo(before * 1.1);
    expect(learned.ratio({ ...destination, model: "claude-opus-4-6" })).toBe(before);
    expect((await reopen()).ratio(destination)).toBe(learned.ratio(destination));
  });

  it("learns nothing from images", async () => {
    const { learned } = await openAt(() => 0);
    const before = learned.ratio(destination);
    expect(learned.count(destination, { estimated: 1_000, reported: 1_100, hasMedia: true })).toBe(false);
    expect(learned.ratio(destination)).toBe(before);
  });
});

it("evicts models, whatever names clients send", async () => {
  const store = await makeStore();
  const learned = await openLearned(tolerantStore(store), () => 0, 2);
  const models = ["a", "b", "c"].map((model) => ({ ...destination, model }));
  for (const each of models) {
    learned.count(each, { estimated: 1_000, reported: 1_100, hasMedia: false });
    learned.overflow(call, each, 100_000);
    learned.refuseLongContext(call, each);
  }
  expect(models.map((each) => learned.hasLearned(each))).toEqual([false, true, true]);
  expect(models.map((each) => learned.window(call, each))).toEqual([undefined, 100_000, 100_000]);
  expect(models.map((each) => learned.isLongContextRefused(call, each))).toEqual([false, true, true]);
  await learned.reloadWindows();
  expect(learned.windows()).toHaveLength(2);
});

it("counts a long name as several", async () => {
  const learned = await openLearned(tolerantStore(await makeStore()), () => 0, 10);
  const models = ["a", ...["b", "c"].map((letter) => letter.repeat(5_000))].map((model) => ({ ...destination, model }));
  for (const each of models) learned.count(each, { estimated: 1_000, reported: 1_100, hasMedia: false });
  expect(models.map((each) => learned.hasLearned(each))).toEqual([false, false, true]);
});

it("remembers which credential may not use the million-token beta", async () => {
  const { learned } = await openAt(() => 0);
  learned.refuseLongContext(call, passing.destination);
  expect(learned.isLongContextRefused(call, passing.destination)).toBe(true);
  expect(learned.isLongContextRefused(callOf("other"), passing.destination)).toBe(false);
});

it("keeps learning if the store fails", async () => {
  const store = await makeStore();
  await store.close();
  const { learned } = await openAt(() => 0, store);
  learned.overflow(call, destination, 100_000);
  learned.count(destination, { estimated: 1_000, reported: 1_100, hasMedia: false });
  await learned.reloadWindows();
  expect(learned.window(call, destination)).toBe(100_000);
  expect(learned.ratio(destination)).not.toBe((await openAt(() => 0)).learned.ratio(destination));
});

import { expect, it, onTestFinished } from "vitest";
import type { EchoProtocol } from "../testing/echo-thread.ts";
import { keepThread } from "./kept-thread.ts";

function open() {
  const kept = keepThread<EchoProtocol>(new URL("../testing/echo-thread.ts", import.meta.url), "echoes");
  onTestFinished(() => kept.close());
  return kept;
}

it("starts one thread for all jobs", async () => {
  const kept = open();
  const first = kept.running();
  const done = first.run("one", async () => "first");
  expect([kept.running(), kept.size()]).toEqual([first, 1]);
  expect(await done).toBe("first one");
  expect(kept.size()).toBe(0);
});

it("starts another one after it was closed, or has stopped by itself", async () => {
  const kept = open();
  const first = kept.running();
  await kept.close();
  const second = kept.running();
  await second.close();
  const third = kept.running();
  expect(new Set([first, second, third]).size).toBe(3);
  expect(await third.run("one", async () => "first")).toBe("first one");
});

it("keeps the newer thread when the older one ends", async () => {
  const kept = open();
  kept.running();
  const ended = kept.close();
  const newer = kept.running();
  await ended;
  expect(kept.running()).toBe(newer);
});

it("starts none to close it", async () => {
  const kept = open();
  await kept.close();
  expect(kept.size()).toBe(0);
});

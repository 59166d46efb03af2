import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { answerFigures, askFigures, type Peer } from "./worker-figures.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The two ends of a channel. */
function makeChannel(): { near: Peer; far: Peer; listeners: () => number } {
  const [toNear, toFar] = [new EventEmitter(), new EventEmitter()];
  const end = (from: EventEmitter, to: EventEmitter): Peer => ({
    say: (said) => void to.emit("message", said),
    hear: (listen) => {
      from.on("message", listen);
      return () => void from.off("message", listen);
    },
  });
  return { near: end(toNear, toFar), far: end(toFar, toNear), listeners: () => toNear.listenerCount("message") };
}

it("a peer is told what it asks for, each time", async () => {
  const { near, far, listeners } = makeChannel();
  let asked = 0;
  answerFigures(far, async () => [`figures ${++asked}`]);
  expect(await askFigures(near, 1_000)).toEqual(["figures 1"]);
  expect(await Promise.all([askFigures(near, 1_000), askFigures(near, 1_000)])).toEqual([["figures 2"], ["figures 3"]]);
  expect([listeners(), vi.getTimerCount()]).toEqual([0, 0]);
});

it("one that does not answer in time, or no longer, tells nothing", async () => {
  const { near, far, listeners } = makeChannel();
  const stop = answerFigures(far, async () => ["figures"]);
  stop();
  const asked = askFigures(near, 1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([await asked, listeners()]).toEqual([[], 0]);
});

it("other words on the same channel are not taken for figures", async () => {
  const { near, far } = makeChannel();
  answerFigures(far, async () => ["figures"]);
  const asked = askFigures(near, 1_000);
  for (const said of ["ready", [], {}, { figures: "told", id: "another", texts: ["theirs"] }]) far.say(said);
  expect(await asked).toEqual(["figures"]);
});

import { openStore } from "@longhaul/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { MODEL, makeStorePath, openRig, type RigOptions, talk, turn } from "./rig.ts";

/** Two gateways on one file. */
async function openTwo(options: RigOptions = {}) {
  const storePath = makeStorePath();
  const first = await openRig({ ...options, storePath });
  const second = await openRig({ ...options, storePath });
  onTestFinished(first.close);
  onTestFinished(second.close);
  return { first, second, storePath };
}

describe("two gateways on one store", () => {
  it("go on with each other's conversations, with the same bytes", async () => {
    const { first, second } = await openTwo();
    const origins = [
      await first.say(turn(30)),
      await second.say(turn(30)),
      await first.say(turn(31)),
      await second.say(turn(31)),
    ].map(({ status, headers }) => [status, headers.get("x-longhaul-context")]);
    expect(origins).toEqual([
      [200, "new"],
      [200, "reused"],
      [200, "reused"],
      [200, "reused"],
    ]);
    expect(second.turns().map(({ body }) => body)).toEqual(first.turns().map(({ body }) => body));
  });

  it("write at once without losing anything", async () => {
    const { first, second } = await openTwo();
    const turns = Array.from({ length: 8 }, (_, index) => turn(30 + index).slice(2 * index));
    const answers = await Promise.all(turns.map((messages, index) => (index % 2 === 0 ? first : second).say(messages)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const again = await Promise.all(turns.map((messages, index) => (index % 2 === 0 ? second : first).say(messages)));
    expect(again.map(({ headers }) => headers.get("x-longhaul-context"))).toEqual(Array(8).fill("reused"));
    expect([...first.log(), ...second.log()].filter(({ level }) => level > 30)).toEqual([]);
  });
});

it("what an overflow taught is forgotten by a gateway that runs once it is told to read again", async () => {
  const { first, second, storePath } = await openTwo({ window: 4_000, believed: 12_000 });
  await first.say(turn(22));
  expect(first.gateway.windows()).toMatchObject([{ upstream: "anthropic", model: MODEL, windowTokens: 4_000 }]);
  expect(second.gateway.windows()).toEqual([]);
  second.gateway.reload({ file: second.config });
  await expect.poll(() => second.gateway.windows()).toEqual(first.gateway.windows());
  const store = await openStore({ path: storePath, nowMs: Date.now });
  for (const window of await store.windows.list()) await store.windows.forget(window);
  await store.close();
  first.gateway.reload({ file: first.config });
  await expect.poll(() => first.gateway.windows()).toEqual([]);
  const refused = first.simulator.totals().rejected;
  expect((await first.say(talk(23).slice(2, -1))).status).toBe(200);
  expect(first.simulator.totals().rejected).toBe(refused + 1);
  expect(first.gateway.windows()).toMatchObject([{ windowTokens: 4_000 }]);
});

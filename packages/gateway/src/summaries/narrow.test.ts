import { answerOffline } from "@longhaul/condense";
import { textMessage } from "@longhaul/conversation";
import { makeRoughCounter } from "@longhaul/models";
import { expect, it } from "vitest";
import { makeAsk, makeTalk } from "../testing/summaries.ts";
import { askTokens } from "./ask-size.ts";
import { narrow } from "./narrow.ts";

const counter = makeRoughCounter();
const digest = async (ask: ReturnType<typeof makeAsk>) => answerOffline(ask, counter);
const ask = makeAsk(makeTalk(20));

it("leaves an ask alone that fits", async () => {
  expect(await narrow(ask, { counter, roomTokens: askTokens(ask, counter), digest })).toBe(ask);
});

it.each([2_000, 1_000, 300])("makes an ask fit into %d tokens", async (roomTokens) => {
  const narrowed = await narrow({ ...ask, previous: "So far so good." }, { counter, roomTokens, digest });
  expect(askTokens(narrowed, counter)).toBeLessThanOrEqual(roomTokens);
  const { messages, ...rest } = narrowed;
  expect(messages).toHaveLength(1);
  expect({ ...rest, messages: ask.messages }).toEqual({ ...ask, previous: "So far so good." });
});

it("sends an ask as it is where nothing can be told of it", async () => {
  const failing = async () => ({ kind: "failed" as const, why: "no" });
  expect(await narrow(ask, { counter, roomTokens: 10, digest: failing })).toBe(ask);
});

it("hands on messages, not the summary so far", async () => {
  const seen: unknown[] = [];
  const watching = async (asked: typeof ask) => {
    seen.push(asked.previous);
    return { kind: "text" as const, text: "Told." };
  };
  const narrowed = await narrow({ ...ask, previous: "So far." }, { counter, roomTokens: 500, digest: watching });
  expect([seen, narrowed.previous, narrowed.messages]).toEqual([
    [undefined],
    "So far.",
    [textMessage("user", "Told.")],
  ]);
});

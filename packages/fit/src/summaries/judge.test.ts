import { type Block, NO_USAGE, type Reply, textBlock } from "@longhaul/conversation/advanced";
import { makeRoughCounter } from "@longhaul/models";
import { describe, expect, it } from "vitest";
import { makeAsk } from "../testing/summaries.ts";
import { judge, maxCharacters } from "./judge.ts";

const ask = makeAsk();
const counter = makeRoughCounter();

function reply(blocks: readonly Block[], stopReason: Reply["stopReason"] = "end"): Reply {
  return { id: "r", model: "m", blocks, stopReason, usage: NO_USAGE };
}

function judged(blocks: readonly Block[], stopReason?: Reply["stopReason"], isTooLong = false) {
  return judge({ reply: reply(blocks, stopReason), isTooLong }, ask, counter);
}

const thinking: Block = { type: "thinking", text: "hm" };

describe("an accepted reply", () => {
  it("is its text", () => {
    expect(judged([thinking, textBlock(" The gist"), textBlock(" of it.\n")])).toEqual({ text: "The gist of it." });
  });

  it("omits thinking that a server left in the text", () => {
    expect(judged([textBlock("<think>hm\nhm</think>\n\nThe gist.")])).toEqual({ text: "The gist." });
  });

  it.each(["length", "context-exceeded", "stop-sequence"] as const)(
    "ends at the last whole line if it was cut: %s",
    (stop) => {
      expect(judged([textBlock("One.\nTwo.\nThr")], stop)).toEqual({ text: "One.\nTwo." });
    },
  );

  it("ends at the last whole line if it exceeds its limit", () => {
    const text = `${"A line of words. ".repeat(10)}\n`.repeat(40);
    const limit = maxCharacters(ask);
    expect(text.length).toBeGreaterThan(limit);
    const kept = judged([textBlock(text)], "end", true);
    expect("text" in kept && kept.text.length).toBeLessThanOrEqual(limit);
    expect(kept).toEqual({ text: text.slice(0, limit).slice(0, text.slice(0, limit).lastIndexOf("\n")).trim() });
  });
});

describe("a rejected reply", () => {
  it.each<[string, readonly Block[], Reply["stopReason"], string]>([
    [
      "a call",
      [textBlock("x"), { type: "tool-call", id: "c", name: "read", input: {} }],
      "tool-calls",
      "it called a tool instead of answering",
    ],
    ["a refusal", [textBlock("No.")], "refusal", "it refused"],
    ["nothing", [], "end", "it wrote nothing"],
    ["blanks", [textBlock(" \n")], "end", "it wrote nothing"],
    ["thoughts alone", [thinking], "end", "it wrote only thinking"],
    ["thoughts without an end in the text", [textBlock("<think>hm hm")], "length", "it wrote nothing"],
    ["part of a line", [textBlock("One two thr")], "length", "it was cut off before its first line ended"],
    ["no sense", [textBlock("a\ufffdb\ufffd")], "end", "it wrote unreadable characters"],
  ])("is %s", (_, blocks, stopReason, why) => {
    expect(judged(blocks, stopReason)).toEqual({ why });
  });

  it("is as long as the messages that it replaces", () => {
    const short = { ...ask, messages: [{ role: "user" as const, blocks: [textBlock("Hello you there.")] }] };
    const said = { reply: reply([textBlock("The user said hello to somebody who was there.")]), isTooLong: false };
    expect(judge(said, short, counter)).toEqual({
      why: expect.stringMatching(/^its summary has 12 tokens, the replaced/),
    });
  });
});

import { prefixHashes } from "@longhaul/conversation";
import { makeUser } from "@longhaul/conversation/testing";
import { makeTokenCounters } from "@longhaul/models";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { knowMessage, sha256 } from "./known-messages.ts";
import { makeMemos } from "./memos.ts";

const counters = makeTokenCounters({ hash: sha256 });
const counter = await counters.counterFor("o200k");
const knownAs = (texts: readonly string[]) => texts.map((text) => knowMessage(makeUser(text)));

/** So few words that conversations often start alike. */
const anyTexts = () => fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 5 });

describe("makeMemos", () => {
  it("hashes every conversation as if it were the first", () => {
    const memos = makeMemos();
    fc.assert(
      fc.property(anyTexts(), (texts) => {
        const messages = knownAs(texts);
        const prints = messages.map(({ looseFingerprint }) => looseFingerprint);
        expect(memos.prefixesOf(messages)).toEqual(prefixHashes(prints, sha256));
      }),
    );
  });

  it("hashes thousands of new messages with pauses, and only the new ones", async () => {
    const memos = makeMemos();
    const messages = knownAs(Array.from({ length: 7_000 }, (_, index) => `${index}`));
    let pauses = 0;
    const pausing = { take: () => void pauses++ };
    await memos.prepare(messages, pausing);
    expect(pauses).toBe(3);
    const prints = messages.map(({ looseFingerprint }) => looseFingerprint);
    expect(memos.prefixesOf(messages)).toEqual(prefixHashes(prints, sha256));
    await memos.prepare(messages, pausing);
    expect(pauses).toBe(3);
  });

  it("separates conversations with the same messages by name", () => {
    const memos = makeMemos();
    const messages = knownAs(["a", "b"]);
    const prints = messages.map(({ looseFingerprint }) => looseFingerprint);
    for (const name of ["one", "two", "one"]) {
      expect(memos.loosePrefixesOf(messages, name)).toEqual(prefixHashes(prints, sha256, name));
    }
  });

  it("has the counts of the prefix shared with the previous conversation, and no others", () => {
    const memos = makeMemos();
    const tokens = [10, 20, 30];
    memos.keep({ messages: knownAs(["a", "b", "c"]), tokens, counter });
    expect(memos.find(knownAs(["a", "b", "c", "d"]), counter)).toEqual({ tokens });
    expect(memos.find(knownAs(["a", "x", "c"]), counter)).toEqual({ tokens: [10] });
    expect(memos.find(knownAs(["x", "b", "c"]), counter)).toEqual({ tokens: [] });
    expect(memos.find([], counter)).toEqual({ tokens: [] });
  });

  it("separates the counts of different counters", async () => {
    const memos = makeMemos();
    memos.keep({ messages: knownAs(["a"]), tokens: [10], counter });
    expect(memos.find(knownAs(["a"]), await counters.counterFor("o200k", 2))).toEqual({ tokens: [] });
  });

  it("evicts the least recently used conversations", () => {
    const memos = makeMemos(1);
    memos.keep({ messages: knownAs(["a"]), tokens: [10], counter });
    memos.keep({ messages: knownAs(["b"]), tokens: [20], counter });
    expect(memos.find(knownAs(["a"]), counter)).toEqual({ tokens: [] });
    expect(memos.find(knownAs(["b"]), counter)).toEqual({ tokens: [20] });
  });
});

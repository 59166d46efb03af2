import { prefixHashes } from "@longhaul/conversation/advanced";
import { makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { knowMessage, sha256 } from "./known-messages.ts";
import { makeMemos } from "./memos.ts";

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

  it("forgets hashes that take too much space", async () => {
    const memos = makeMemos(2_000_000);
    const conversations = ["a", "b"].map((name) => knownAs(Array.from({ length: 7_000 }, (_, at) => `${name}${at}`)));
    let pauses = 0;
    const pausing = { take: () => void pauses++ };
    for (const messages of [...conversations, ...conversations]) await memos.prepare(messages, pausing);
    expect(pauses).toBe(12);
  });

  it("separates conversations with the same messages by name", () => {
    const memos = makeMemos();
    const messages = knownAs(["a", "b"]);
    const prints = messages.map(({ looseFingerprint }) => looseFingerprint);
    for (const name of ["one", "two", "one"]) {
      expect(memos.loosePrefixesOf(messages, name)).toEqual(prefixHashes(prints, sha256, name));
    }
  });
});

import { prefixHashes } from "@longhaul/conversation";
import { makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { boundTo, ConversationHashes } from "./conversation-hashes.ts";
import { knowMessage, sha256 } from "./known-messages.ts";

const knownAs = (texts: readonly string[]) => texts.map((text) => knowMessage(makeUser(text)));

describe("ConversationHashes", () => {
  it("chains the hashes of the messages, each kind by itself", () => {
    const messages = knownAs(["a", "b"]);
    const hashes = new ConversationHashes(undefined, messages);
    const chain = (prints: readonly string[]) => prefixHashes(prints, sha256);
    expect(hashes.all("content")).toEqual(chain(messages.map(({ contentPrint }) => contentPrint)));
    expect(hashes.all("loose")).toEqual(chain(messages.map(({ looseFingerprint }) => looseFingerprint)));
    expect(hashes.at(2)).toEqual({
      content: hashes.all("content")[1],
      loose: hashes.all("loose")[1],
      exact: chain(messages.map(({ fingerprint }) => fingerprint))[1],
    });
    expect([hashes.at(0), hashes.at(3)]).toEqual([undefined, undefined]);
  });

  it("hashes thousands of new messages with pauses, and only once", async () => {
    const messages = knownAs(Array.from({ length: 7_000 }, (_, index) => `${index}`));
    const hashes = new ConversationHashes(undefined, messages);
    let pauses = 0;
    const pausing = { take: () => void pauses++ };
    await hashes.prepare(pausing);
    expect(pauses).toBe(9);
    const prints = messages.map(({ contentPrint }) => contentPrint);
    expect(hashes.all("content")).toEqual(prefixHashes(prints, sha256));
    await hashes.prepare(pausing);
    expect(pauses).toBe(9);
  });
});

it("binds the same messages to each conversation in another way", () => {
  expect(boundTo("one", "hash")).not.toBe(boundTo("two", "hash"));
  expect(boundTo("one", "hash")).toBe(boundTo("one", "hash"));
  expect(boundTo("one", "")).toBe("");
});

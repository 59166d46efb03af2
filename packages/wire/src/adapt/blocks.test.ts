import { makeAssistant, makeConversation, makeText, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { mapBlocks, unsupported, withBlocks, withMessages } from "./blocks.ts";

const NATIVE = { wire: "w", value: {} };

describe("mapBlocks", () => {
  const messages = [makeUser(["a", "b"]), { ...makeAssistant("c"), native: NATIVE }, makeUser("d")];

  it("returns the identical list if nothing changes", () => {
    expect(mapBlocks(messages, (block) => block)).toBe(messages);
  });

  it("removes blocks, and messages that lose all of theirs", () => {
    const dropped = new Set(["b", "d"]);
    const kept = mapBlocks(messages, (block) => (block.type === "text" && dropped.has(block.text) ? undefined : block));
    expect(kept).toEqual([makeUser("a"), messages[1]]);
    expect(kept[1]).toBe(messages[1]);
  });

  it("drops the native value of a changed message", () => {
    const changed = mapBlocks(messages, (block) => (block.type === "text" ? makeText(`${block.text}!`) : block));
    expect(changed[1]).toEqual(makeAssistant("c!"));
  });
});

describe("withBlocks and withMessages", () => {
  it("keep everything that is not replaced", () => {
    const message = { ...makeUser("a"), native: NATIVE, extra: { name: "ada" } };
    expect(withBlocks(message, [makeText("b")])).toEqual({ ...makeUser("b"), extra: { name: "ada" } });
    const request = { model: "m", stream: false, sampling: {}, conversation: makeConversation() };
    expect(withMessages(request, request.conversation.messages)).toBe(request);
    expect(withMessages(request, []).conversation.messages).toEqual([]);
  });
});

describe("unsupported", () => {
  it("names the unsupported feature", () => {
    expect(unsupported("image.url", "send bytes")).toMatchObject({
      code: "request.unsupported",
      message: "image.url: send bytes",
    });
  });
});

import type { Conversation, Message } from "@longhaul/conversation";
import { anyConversation, makeAssistant, makeConversation, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf, blockText } from "./blocks.ts";
import { matchBlocks, pairBodies } from "./pair-bodies.ts";

function describePairs(before: readonly Message[], after: readonly Message[]) {
  return pairBodies(makeConversation(before), makeConversation(after)).map((pair) =>
    [pair.before, pair.after, pair.replacement].map((placed) => placed && blockText(placed.block)),
  );
}

describe("pairBodies", () => {
  it("pairs unchanged blocks, and puts added ones after those they replace", () => {
    const before = [makeUser("first"), makeAssistant("gone"), makeUser("gone too"), makeAssistant("last")];
    const after = [makeUser("first"), makeUser("in short"), makeAssistant("last")];
    expect(describePairs(before, after)).toEqual([
      ["first", "first", undefined],
      ["gone", undefined, "in short"],
      ["gone too", undefined, "in short"],
      [undefined, "in short", undefined],
      ["last", "last", undefined],
    ]);
  });

  it("pairs tool uses by their ids", () => {
    const result = (text: string) =>
      ({ type: "tool-result", callId: "c1", isError: false, content: [{ type: "text", text }] }) as const;
    const call = { type: "tool-call", id: "c1", name: "read", input: { path: "a" } } as const;
    const before = [makeUser("go"), makeAssistant(["I read", call]), makeUser([result("long"), "and now?"])];
    const after = [
      makeUser("go"),
      makeAssistant("I read"),
      makeAssistant([call]),
      makeUser([result("[9 lines left out]")]),
      makeUser("and now?"),
    ];
    expect(describePairs(before, after)).toEqual([
      ["go", "go", undefined],
      ["I read", "I read", undefined],
      ['{\n  "path": "a"\n}', '{\n  "path": "a"\n}', undefined],
      ["long", "[9 lines left out]", undefined],
      ["and now?", "and now?", undefined],
    ]);
  });

  it("pairs a shortened text by its beginning and its mark", () => {
    const long = `The story begins here. ${"And it goes on. ".repeat(50)}`;
    const cut = `${long.slice(0, 60)} [40 lines left out]`;
    expect(describePairs([makeUser(long), makeUser("end")], [makeUser(cut), makeUser("end")])).toEqual([
      [long, cut, undefined],
      ["end", "end", undefined],
    ]);
    expect(
      describePairs([makeUser(long), makeUser("end")], [makeUser(long.slice(0, 60)), makeUser("end")]),
    ).toHaveLength(3);
  });

  it("contains every block once before and once after", () => {
    fc.assert(
      fc.property(anyConversation(), fc.array(fc.boolean(), { maxLength: 30 }), (before, keeps) => {
        const after: Conversation = {
          ...before,
          messages: before.messages.filter((_, index) => keeps[index] === true),
        };
        const pairs = pairBodies(before, after);
        const at = (side: "before" | "after") => pairs.flatMap((pair) => pair[side] ?? []);
        expect(at("before")).toEqual(blocksOf(before));
        expect(at("after")).toEqual(blocksOf(after));
      }),
    );
  });
});

describe("matchBlocks", () => {
  it("matches the latest equal key after the common beginning", () => {
    expect(matchBlocks(["a", "ok", "b", "ok", "c"], ["a", "new", "ok", "c"])).toEqual([0, undefined, 3, 4]);
  });

  it("keeps the order", () => {
    expect(matchBlocks(["x", "a", "b"], ["b", "a"])).toEqual([undefined, 1]);
  });

  it("matches a thousand equal keys quickly", () => {
    const same = Array.from({ length: 100_000 }, () => "ok");
    expect(matchBlocks(["x", ...same], ["y", ...same]).filter((match) => match !== undefined)).toHaveLength(100_000);
  });
});

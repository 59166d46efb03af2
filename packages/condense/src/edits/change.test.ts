import {
  makeAssistant,
  makeText,
  makeThinking,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { rewriteMessage } from "./change.ts";

describe("rewriteMessage", () => {
  it("returns the identical message where nothing changes", () => {
    const message = makeUser(["a", "b"]);
    expect(rewriteMessage(message, [])).toEqual({ message, sources: [0, 1] });
    expect(rewriteMessage(message, []).message).toBe(message);
  });

  it("tells which raw block each remaining block came from", () => {
    const message = makeAssistant([makeThinking(), "words", makeToolCall("a")]);
    const { message: after, sources } = rewriteMessage(message, [{ kind: "gone", block: 0, path: [] }]);
    expect({ after, sources }).toEqual({ after: makeAssistant(["words", makeToolCall("a")]), sources: [1, 2] });
  });

  it("carries out several changes in one block", () => {
    const message = makeUser(makeToolResult("a", [makeText("first entry"), makeText("second entry")]));
    const { message: after } = rewriteMessage(message, [
      { kind: "text", block: 0, path: [0], pieces: [{ from: 0, to: 5 }] },
      { kind: "gone", block: 0, path: [1], left: "⟨ gone ⟩" },
    ]);
    expect(after).toEqual(makeUser(makeToolResult("a", [makeText("first"), makeText("⟨ gone ⟩")])));
  });

  it("keeps the cache mark of a block that leaves a text", () => {
    const message = makeUser([{ ...makeText("long"), cache: { ttl: "1h" } }]);
    const { message: after } = rewriteMessage(message, [{ kind: "gone", block: 0, path: [], left: "⟨⟩" }]);
    expect(after.blocks).toEqual([{ type: "text", text: "⟨⟩", cache: { ttl: "1h" } }]);
  });

  it("no longer claims to be what its format said", () => {
    const native = { wire: "w", value: "raw" };
    const message = {
      ...makeUser([
        { ...makeText("long"), native },
        { ...makeText("kept"), native },
      ]),
      native,
    };
    const { message: after } = rewriteMessage(message, [{ kind: "text", block: 0, path: [], pieces: [{ made: "x" }] }]);
    expect(after).toEqual({ role: "user", blocks: [makeText("x"), { ...makeText("kept"), native }] });
  });
});

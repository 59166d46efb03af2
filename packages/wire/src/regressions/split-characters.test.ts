import type { JsonObject, Request } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUsage,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { gemini } from "../gemini/index.ts";
import { collectReply, eventsOf } from "../reply/collect.ts";
import { FORMATS } from "../testing/formats.ts";
import { makeRequestOf } from "../testing/make-context.ts";
import { inChunks, runStream } from "../testing/stream.ts";

const TEXT = "Grüße, 世界! 👩‍👩‍👧‍👦🚀";

describe.each(FORMATS)("$codec.id", ({ codec, destination }) => {
  it("decodes the same text from chunks of any size", () => {
    const reply = { id: "r", model: "m", blocks: [makeText(TEXT)], stopReason: "end" as const, usage: makeUsage() };
    const written = runStream(codec.encodeStream, eventsOf(reply));
    for (const bytes of [1, 2, 3, 5, 7]) {
      expect(collectReply(runStream(codec.decodeStream, inChunks(written, bytes))).blocks).toMatchObject([
        { text: TEXT },
      ]);
    }
  });

  it("joins an emoji that a server split in two", () => {
    const [high = "", low = ""] = ["🚀".slice(0, 1), "🚀".slice(1)];
    const events = runStream(codec.encodeStream, [
      { type: "reply-start", id: "r", model: "m" },
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: high },
      { type: "text-delta", index: 0, text: low },
      { type: "text-end", index: 0 },
      { type: "reply-end", stopReason: "end", usage: makeUsage() },
    ]);
    expect(collectReply(runStream(codec.decodeStream, inChunks(events, 3))).blocks).toMatchObject([{ text: "🚀" }]);
  });

  it("sends no half of a character, which servers reject", () => {
    const { body, warnings } = codec.encodeRequest(
      makeRequestOf(makeConversation([makeUser(`cut ${"🚀".slice(0, 1)}`)])),
      destination,
    );
    expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/);
    expect(JSON.stringify(body)).toContain("cut \ufffd");
    expect(warnings).toMatchObject([{ feature: "text.broken" }]);
  });
});

function makeChunk(text: string, finishReason?: string): { data: string } {
  const candidate: JsonObject = { content: { role: "model", parts: [{ text }] } };
  const ended = finishReason === undefined ? candidate : { ...candidate, finishReason };
  return { data: JSON.stringify({ candidates: [ended], responseId: "r1" }) };
}

describe("characters that Gemini sends in pieces", () => {
  const text = "Grüße, 世界 👩‍👩‍👧‍👦.";

  it("are joined with chunks of any size", () => {
    for (const chunkBytes of [1, 2, 3, 5]) {
      const events = inChunks([makeChunk(text), makeChunk("", "STOP")], chunkBytes);
      expect(collectReply(runStream(gemini.decodeStream, events)).blocks).toEqual([{ type: "text", text }]);
    }
  });

  it("are joined if two events contain one half of a surrogate pair each", () => {
    const events = [makeChunk("up \ud83d"), makeChunk("\ude80 away"), makeChunk("", "STOP")];
    const passed = runStream(
      gemini.decodeStream,
      runStream(gemini.encodeStream, runStream(gemini.decodeStream, events)),
    );
    expect(collectReply(passed).blocks).toEqual([{ type: "text", text: "up 🚀 away" }]);
  });
});

describe("half a character in a client's message", () => {
  it("is not sent to Gemini, which rejects the whole request for it", () => {
    const request: Request = {
      model: "m",
      stream: false,
      sampling: {},
      conversation: makeConversation([
        makeUser("cut \ud83d"),
        makeAssistant(makeToolCall("a", { input: { path: "\ude80" } })),
        makeUser(makeToolResult("a", "\ud83d")),
      ]),
    };
    const { body } = gemini.encodeRequest(request, { model: "gemini-3.5-flash" });
    expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/i);
  });
});

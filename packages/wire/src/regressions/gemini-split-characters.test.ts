import type { JsonObject, Request } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { gemini } from "../gemini/index.ts";
import { collectReply } from "../reply/collect.ts";
import { overTheLine, runStream } from "../testing/stream.ts";

function makeChunk(text: string, finishReason?: string): { data: string } {
  const candidate: JsonObject = { content: { role: "model", parts: [{ text }] } };
  const ended = finishReason === undefined ? candidate : { ...candidate, finishReason };
  return { data: JSON.stringify({ candidates: [ended], responseId: "r1" }) };
}

describe("characters that arrive in pieces from Gemini", () => {
  const text = "Grüße, 世界 👩‍👩‍👧‍👦.";

  it("come out whole, however few bytes a chunk holds", () => {
    for (const chunkBytes of [1, 2, 3, 5]) {
      const events = overTheLine([makeChunk(text), makeChunk("", "STOP")], chunkBytes);
      expect(collectReply(runStream(gemini.decodeStream, events)).blocks).toEqual([{ type: "text", text }]);
    }
  });

  it("come out whole where one event ends with half of a surrogate pair and the next begins with the other", () => {
    const events = [makeChunk("up \ud83d"), makeChunk("\ude80 away"), makeChunk("", "STOP")];
    const passed = runStream(
      gemini.decodeStream,
      runStream(gemini.encodeStream, runStream(gemini.decodeStream, events)),
    );
    expect(collectReply(passed).blocks).toEqual([{ type: "text", text: "up 🚀 away" }]);
  });
});

describe("half a character in a client's words", () => {
  it("is not sent to Gemini, which refuses the whole request for it", () => {
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

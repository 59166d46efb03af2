import { makeConversation, makeText, makeUsage, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { collectReply, eventsOf } from "../reply/collect.ts";
import { FORMATS } from "../testing/formats.ts";
import { makeRequestOf } from "../testing/make-context.ts";
import { overTheLine, runStream } from "../testing/stream.ts";

const TEXT = "Grüße, 世界! 👩‍👩‍👧‍👦🚀";

describe.each(FORMATS)("$codec.id", ({ codec, destination }) => {
  it("reads the same text however its bytes are cut", () => {
    const reply = { id: "r", model: "m", blocks: [makeText(TEXT)], stopReason: "end" as const, usage: makeUsage() };
    const written = runStream(codec.encodeStream, eventsOf(reply));
    for (const bytes of [1, 2, 3, 5, 7]) {
      expect(collectReply(runStream(codec.decodeStream, overTheLine(written, bytes))).blocks).toMatchObject([
        { text: TEXT },
      ]);
    }
  });

  it("joins an emoji again that a server cut in two", () => {
    const [high = "", low = ""] = ["🚀".slice(0, 1), "🚀".slice(1)];
    const events = runStream(codec.encodeStream, [
      { type: "reply-start", id: "r", model: "m" },
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: high },
      { type: "text-delta", index: 0, text: low },
      { type: "text-end", index: 0 },
      { type: "reply-end", stopReason: "end", usage: makeUsage() },
    ]);
    expect(collectReply(runStream(codec.decodeStream, overTheLine(events, 3))).blocks).toMatchObject([{ text: "🚀" }]);
  });

  it("sends no half of a character that a client cut off, which servers refuse", () => {
    const { body, warnings } = codec.encodeRequest(
      makeRequestOf(makeConversation([makeUser(`cut ${"🚀".slice(0, 1)}`)])),
      destination,
    );
    expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/);
    expect(JSON.stringify(body)).toContain("cut \ufffd");
    expect(warnings).toMatchObject([{ feature: "text.broken" }]);
  });
});

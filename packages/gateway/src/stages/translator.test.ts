import { LonghaulError, type WireId } from "@longhaul/conversation";
import { codecOf, NOTHING_TO_RESTORE, type WireEvent } from "@longhaul/wire";
import { expect, it } from "vitest";
import { makeTranslator, writeEvents } from "./translator.ts";

function chatTo(wire: WireId) {
  const written: WireEvent[] = [];
  const translator = makeTranslator({
    from: codecOf("openai-chat"),
    to: codecOf(wire),
    reading: {},
    writing: {},
    restore: NOTHING_TO_RESTORE,
    change: (event) => [event.type === "reply-start" ? { ...event, id: "changed" } : event],
    onWritten: (event) => void written.push(event),
  });
  return { ...translator, written };
}

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const STREAM = [chunk({ content: "hö" }), chunk({ content: "her" }), chunk({}, "stop"), "data: [DONE]\n\n"].join("");

it("writes the same wherever the bytes are cut", () => {
  const bytes = Buffer.from(STREAM);
  const whole = chatTo("anthropic-messages");
  const expected = Buffer.concat([whole.feed(bytes), whole.end()]).toString();
  expect(expected).toContain('"id":"changed"');
  for (let cut = 1; cut < bytes.length; cut++) {
    const { feed, end } = chatTo("anthropic-messages");
    const said = [feed(bytes.subarray(0, cut)), feed(bytes.subarray(cut)), end()];
    expect(Buffer.concat(said).toString()).toBe(expected);
  }
});

it("reports every event that it writes", () => {
  const { feed, end, written } = chatTo("anthropic-messages");
  const said = Buffer.concat([feed(Buffer.from(STREAM)), end()]);
  expect(Buffer.from(writeEvents(written)).equals(said)).toBe(true);
});

it("writes a failure as the last event, once", () => {
  const { feed, fail, end } = chatTo("anthropic-messages");
  feed(Buffer.from(chunk({ content: "a" })));
  const said = Buffer.from(fail(new LonghaulError("upstream.timeout", "silent for 5 s"))).toString();
  expect(said).toMatch(/event: error\ndata: .*silent for 5 s/);
  expect(end()).toHaveLength(0);
});

it("writes an error for Gemini clients as an event and as a line outside of events", () => {
  const { feed, fail, end } = chatTo("gemini");
  feed(Buffer.from(chunk({ content: "a" })));
  const said = Buffer.from(fail(new LonghaulError("upstream.timeout", "silent for 5 s"))).toString();
  expect(said).toMatch(/^data: (\{"error":.*silent for 5 s.*\})\n\n\1\n$/);
  expect(end()).toHaveLength(0);
});

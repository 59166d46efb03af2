import { LonghaulError } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import type { Notes } from "../record.ts";
import { readWhole } from "../sending/read-answer.ts";
import { passOn } from "./pass-on.ts";

const codec = codecOf("anthropic-messages");
const END =
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":3,"output_tokens":4}}\n\n';

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from(END);
  throw new LonghaulError("upstream.timeout", "nothing came for a minute");
}

const HEAD = { status: 200, headers: { "request-id": "r" } };

/** An answer, whole or in pieces. */
type Came =
  | { readonly body: Buffer; readonly isStream: false }
  | { readonly body: AsyncIterable<Uint8Array>; readonly isStream: true };

function passed(answer: Came) {
  const notes: Notes = {};
  const note = (more: Notes) => void Object.assign(notes, more);
  return { outcome: passOn({ ...HEAD, ...answer }, codec, note), notes };
}

describe("passOn", () => {
  it("leaves one body as it is, and finds its usage", () => {
    const body = Buffer.from('{"type":"message","usage":{"input_tokens":3,"output_tokens":4}}');
    const { outcome, notes } = passed({ body, isStream: false });
    expect(outcome).toMatchObject({ status: 200, headers: { "request-id": "r" }, isStream: false });
    expect(outcome.body).toBe(body);
    expect(notes.usage?.()).toMatchObject({ inputTokens: 3, outputTokens: 4 });
    expect(notes.isWindowExceeded?.()).toBe(false);
  });

  it("leaves the bytes of a stream as they are, and tells a failure in its last event", async () => {
    const { outcome, notes } = passed({ body: broken(), isStream: true });
    const { body } = outcome;
    const text = (await readWhole(body instanceof Uint8Array ? broken() : body)).toString();
    expect(text.startsWith(END)).toBe(true);
    expect(text.slice(END.length)).toMatch(/^event: error\n/);
    expect(notes.error?.code).toBe("upstream.timeout");
    expect(notes.usage?.()).toMatchObject({ outputTokens: 4 });
  });
});

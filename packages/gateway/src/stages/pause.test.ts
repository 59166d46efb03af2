import type { ContextEditsReport } from "@longhaul/conversation";
import { decode } from "@longhaul/fit";
import { describe, expect, it } from "vitest";
import { makeCaller } from "../testing/caller.ts";
import { pause } from "./pause.ts";

const report: ContextEditsReport = {
  applied: [],
  compaction: { block: { type: "compaction", text: "All is well." }, pausesAfter: true },
};

function paused(stream: boolean): { text: string; isStream: boolean; headers: object } {
  const body = Buffer.from(JSON.stringify({ model: "m", max_tokens: 1, stream, messages: [] }));
  const endpoint = { wire: "anthropic-messages", action: "generate", method: "POST" } as const;
  const call = decode({ id: "lh_1", endpoint, body, headers: {}, query: "", caller: makeCaller() });
  const outcome = pause(call, report, { note: () => {}, nowSeconds: () => 1 });
  const text = outcome.body instanceof Uint8Array ? Buffer.from(outcome.body).toString() : "";
  return { text, isStream: outcome.isStream, headers: outcome.headers };
}

describe("pause", () => {
  it("answers with the summary alone", () => {
    const { text, ...outcome } = paused(false);
    expect(outcome).toEqual({ isStream: false, headers: { "content-type": "application/json" } });
    expect(JSON.parse(text)).toMatchObject({
      id: "msg_1",
      model: "m",
      content: [{ type: "compaction", content: "All is well." }],
      stop_reason: "compaction",
      context_management: { applied_edits: [] },
    });
  });

  it("says the same in a stream", () => {
    const { text, isStream } = paused(true);
    expect(isStream).toBe(true);
    expect([...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(text).toContain('"stop_reason":"compaction"');
  });
});

import { LonghaulError, type Message, type Request } from "@longhaul/conversation";
import { makeAssistant, makeUser } from "@longhaul/conversation/testing";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { codecOf } from "@longhaul/wire";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeRequest, type SentAs, tellClaude } from "../testing/simulated-claude.ts";
import { isRefusedBlock } from "./refused-block.ts";

describe("isRefusedBlock", () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await openSimulator({});
  });
  afterAll(() => simulator.close());

  const both = ["compact-2026-01-12", "compact-2026-09-04"];
  const native = (value: object) => ({ wire: "anthropic-messages", value: { type: "compaction", ...value } });
  const block = (value: object): Message =>
    makeAssistant({ type: "compaction", text: "x", vendor: "anthropic", native: native(value) });

  async function refusalOf(request: Request, sentAs: SentAs): Promise<LonghaulError> {
    const { error } = await tellClaude(simulator.url, request, sentAs);
    if (error === undefined) throw new Error("the request was taken");
    return error;
  }

  it.each<[string, Message[], string[]]>([
    ["a signature that is not its own", [block({ content: "x", signature: "bad" }), makeUser()], both],
    ["a seal that is not its own", [block({ content: "x", encrypted_content: "bad" }), makeUser()], both],
    ["a block in the wrong place", [makeUser(), block({ content: "x", signature: "bad" }), makeUser()], both],
    ["an empty block", [block({ content: "" }), makeUser()], both],
    ["a block without its beta", [block({ content: "x" }), makeUser()], []],
    ["a signed block without its beta", [block({ content: "x", signature: "s" }), makeUser()], ["compact-2026-01-12"]],
  ])("knows the refusal of %s", async (_, messages, betas) => {
    const error = await refusalOf(makeRequest(messages), { betas });
    expect([error.status, isRefusedBlock(error)]).toEqual([400, true]);
  });

  it("knows the refusal of a Responses item", async () => {
    const input = [
      { type: "compaction", encrypted_content: "gAAAAnot-from-here" },
      { role: "user", content: "hi" },
    ];
    const response = await fetch(`${simulator.url}/v1/responses`, {
      method: "POST",
      headers: { authorization: "Bearer k", "content-type": "application/json" },
      body: JSON.stringify({ model: "gpt-5.2", input }),
    });
    const error = codecOf("openai-responses").decodeError(response.status, await response.json());
    expect([error.status, isRefusedBlock(error)]).toEqual([400, true]);
  });

  it("takes other refusals for what they are", async () => {
    const summarize = { fields: { compaction: { type: "summarize" } }, betas: both };
    const old = await refusalOf(makeRequest([makeUser()], { model: "claude-haiku-4-5" }), summarize);
    const unasked = await refusalOf(makeRequest([makeUser()]), { fields: { context_management: { edits: [] } } });
    expect([old, unasked].map(isRefusedBlock)).toEqual([false, false]);
    const nothing = {
      error: {
        type: "invalid_request_error",
        message: "x",
        details: { error_code: "compaction_nothing_to_summarize" },
      },
    };
    expect(isRefusedBlock(codecOf("anthropic-messages").decodeError(400, nothing))).toBe(false);
    expect(isRefusedBlock(new LonghaulError("upstream.broken", "`compaction` block"))).toBe(false);
  });

  it("goes by the code where there is one, whatever the words", () => {
    const error = {
      type: "invalid_request_error",
      message: "no",
      details: { error_code: "compaction_signature_invalid" },
    };
    expect(isRefusedBlock(codecOf("anthropic-messages").decodeError(400, { type: "error", error }))).toBe(true);
  });
});

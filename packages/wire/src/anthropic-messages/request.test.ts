import { makeConversation, makeText, makeTool, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeRequestOf } from "../testing/make-fitting.ts";
import { decodeRequest, encodeRequest } from "./request.ts";

describe("decodeRequest", () => {
  it("reads what Claude Code sends", () => {
    const body = {
      model: "claude-opus-4-8",
      max_tokens: 64_000,
      stream: true,
      thinking: { type: "adaptive" },
      output_config: { effort: "high" },
      context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
      metadata: { user_id: "{}" },
      system: [{ type: "text", text: "x-anthropic-billing-header: cc_version=2" }],
      messages: [
        { role: "user", content: [{ type: "text", text: "Hi", cache_control: { type: "ephemeral" } }] },
        { role: "system", content: "Note." },
      ],
    };
    expect(decodeRequest(body)).toMatchObject({
      model: "claude-opus-4-8",
      stream: true,
      maxOutputTokens: 64_000,
      reasoning: { mode: "adaptive", effort: "high" },
      user: "{}",
      sampling: {},
      extra: { context_management: { edits: [{ type: "clear_thinking_20251015" }] } },
      conversation: { messages: [{ role: "user" }, { role: "system" }] },
    });
  });

  it("takes a body without a limit, as for counting tokens, and gives it back without", () => {
    const body = { model: "m", messages: [{ role: "user", content: "Hi" }] };
    expect(encodeRequest(decodeRequest(body), { model: "m", maxOutputTokens: 99 }).body).toEqual(body);
  });
});

describe("encodeRequest", () => {
  it("writes a request from nowhere, in the order of the format", () => {
    const conversation = makeConversation([makeUser("Hi.")], {
      system: [makeText("Be brief.")],
      tools: [makeTool("now", [])],
    });
    const { body, warnings } = encodeRequest(makeRequestOf(conversation, { stream: true, sampling: { seed: 1 } }), {
      model: "claude",
    });
    expect(body).toEqual({
      model: "claude",
      stream: true,
      max_tokens: 8192,
      system: [{ type: "text", text: "Be brief." }],
      tools: [{ name: "now", description: "Does what now says.", input_schema: { type: "object", properties: {} } }],
      messages: [{ role: "user", content: [{ type: "text", text: "Hi." }] }],
    });
    expect(warnings).toMatchObject([{ feature: "sampling.seed", action: "dropped" }]);
  });

  it("keeps the client's own fields when only the model and the thinking change", () => {
    const body = {
      model: "a",
      max_tokens: 9,
      thinking: { type: "enabled", budget_tokens: 2000, block_binding: { prefix_mismatch_behavior: "drop_block" } },
      service_tier: "auto",
      messages: [{ role: "user", content: "Hi" }],
    };
    const target = { model: "b", reasoning: { modes: ["adaptive" as const] } };
    expect(encodeRequest(decodeRequest(body), target).body).toEqual({
      ...body,
      model: "b",
      thinking: { type: "adaptive", display: "summarized", block_binding: { prefix_mismatch_behavior: "drop_block" } },
      output_config: { effort: "medium" },
    });
  });

  it("leaves no half of thinking behind when it goes", () => {
    const body = {
      model: "a",
      max_tokens: 9,
      thinking: { type: "disabled", block_binding: { prefix_mismatch_behavior: "drop_block" } },
      messages: [{ role: "user", content: "Hi" }],
    };
    const { body: written, warnings } = encodeRequest(decodeRequest(body), {
      model: "a",
      reasoning: { modes: ["adaptive"] },
    });
    expect(written).not.toHaveProperty("thinking");
    expect(warnings).toMatchObject([{ feature: "reasoning", action: "dropped" }]);
  });
});

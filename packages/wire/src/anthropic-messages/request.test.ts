import type { JsonObject } from "@longhaul/conversation";
import { makeConversation, makeText, makeTool, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decodeSettings, encodeSettings, flatten, type Settings, unflatten } from "../fields/settings.ts";
import { makeRequestOf } from "../testing/make-context.ts";
import { decodeRequest, encodeRequest, OPENED, SETTINGS } from "./request.ts";

describe("decodeRequest", () => {
  it("decodes a request of Claude Code", () => {
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

  it("accepts a body without max_tokens, as for counting tokens", () => {
    const body = { model: "m", messages: [{ role: "user", content: "Hi" }] };
    expect(encodeRequest(decodeRequest(body), { model: "m", maxOutputTokens: 99 }).body).toEqual(body);
  });
});

describe("encodeRequest", () => {
  it("encodes a request without a native body in the format's order", () => {
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
    const destination = { model: "b", reasoning: { modes: ["adaptive" as const] } };
    expect(encodeRequest(decodeRequest(body), destination).body).toEqual({
      ...body,
      model: "b",
      thinking: { type: "adaptive", display: "summarized", block_binding: { prefix_mismatch_behavior: "drop_block" } },
      output_config: { effort: "medium" },
    });
  });

  it("removes all thinking fields together", () => {
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

function decode(body: JsonObject): Settings {
  return decodeSettings(SETTINGS, flatten(body, OPENED)).settings;
}

function encode(settings: Settings): JsonObject {
  return unflatten(encodeSettings(SETTINGS, { settings, destination: { model: "m" }, native: undefined }), OPENED);
}

describe("Anthropic's settings", () => {
  it.each<[JsonObject, Settings]>([
    [{ tool_choice: { type: "auto" } }, { toolChoice: { kind: "auto" } }],
    [
      { tool_choice: { type: "any", disable_parallel_tool_use: true } },
      { toolChoice: { kind: "required" }, parallelToolCalls: false },
    ],
    [{ tool_choice: { type: "tool", name: "x" } }, { toolChoice: { kind: "tool", name: "x" } }],
    [{ tool_choice: { type: "none" } }, { toolChoice: { kind: "none" } }],
    [{ thinking: { type: "disabled" } }, { reasoning: { mode: "off" } }],
    [{ thinking: { type: "enabled", budget_tokens: 2000 } }, { reasoning: { mode: "budget", budgetTokens: 2000 } }],
    [
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
      { reasoning: { mode: "adaptive", effort: "high", exclude: false } },
    ],
    [{ thinking: { type: "adaptive", display: "omitted" } }, { reasoning: { mode: "adaptive", exclude: true } }],
    [
      { output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
      { outputFormat: { kind: "json-schema", schema: { type: "object" } } },
    ],
    [{ metadata: { user_id: "u" } }, { user: "u" }],
    [
      { stop_sequences: ["a"], temperature: 0, top_p: 0.5, top_k: 3 },
      { stopSequences: ["a"], temperature: 0, topP: 0.5, topK: 3 },
    ],
  ])("decodes and encodes %j", (body, settings) => {
    expect(decode(body)).toEqual({ stream: false, ...settings });
    expect(encode(settings)).toEqual({ max_tokens: 8192, ...body });
  });

  it("decodes effort alone and encodes it with thinking enabled", () => {
    expect(decode({ output_config: { effort: "low" } }).reasoning).toEqual({ mode: "effort", effort: "low" });
    expect(encode({ reasoning: { mode: "effort", effort: "low" } })).toMatchObject({
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "low" },
    });
  });

  it("keeps unknown values as extra fields", () => {
    const body = flatten(
      { thinking: { type: "telepathy" }, output_config: { effort: "heroic" }, tool_choice: { type: "any2" } },
      OPENED,
    );
    expect(decodeSettings(SETTINGS, body).extra).toEqual(body);
    expect(decodeSettings(SETTINGS, { thinking: "high" }).extra).toEqual({ thinking: "high" });
  });

  it("encodes parallelToolCalls without a choice as an auto choice", () => {
    expect(encode({ parallelToolCalls: false })).toMatchObject({
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
    });
    expect(encode({ parallelToolCalls: false, toolChoice: { kind: "none" } })).toMatchObject({
      tool_choice: { type: "none" },
    });
  });

  it("uses the destination's output limit if the client sets none", () => {
    const written = encodeSettings(SETTINGS, {
      settings: {},
      destination: { model: "m", maxOutputTokens: 32_000 },
      native: undefined,
    });
    expect(written.max_tokens).toBe(32_000);
  });
});

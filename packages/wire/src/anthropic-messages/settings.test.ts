import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { decodeSettings, encodeSettings, flatten, type Settings, unflatten } from "../fields/settings.ts";
import { OPENED, SETTINGS } from "./settings.ts";

function decode(body: JsonObject): Settings {
  return decodeSettings(SETTINGS, flatten(body, OPENED)).settings;
}

function encode(settings: Settings): JsonObject {
  return unflatten(encodeSettings(SETTINGS, { settings, target: { model: "m" }, native: undefined }), OPENED);
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
  ])("reads %j, and writes it", (body, settings) => {
    expect(decode(body)).toEqual({ stream: false, ...settings });
    expect(encode(settings)).toEqual({ max_tokens: 8192, ...body });
  });

  it("reads effort alone, and writes it so that the model thinks", () => {
    expect(decode({ output_config: { effort: "low" } }).reasoning).toEqual({ mode: "effort", effort: "low" });
    expect(encode({ reasoning: { mode: "effort", effort: "low" } })).toMatchObject({
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "low" },
    });
  });

  it("leaves alone what it has no words for", () => {
    const body = flatten(
      { thinking: { type: "telepathy" }, output_config: { effort: "heroic" }, tool_choice: { type: "any2" } },
      OPENED,
    );
    expect(decodeSettings(SETTINGS, body).extra).toEqual(body);
    expect(decodeSettings(SETTINGS, { thinking: "high" }).extra).toEqual({ thinking: "high" });
  });

  it("writes one call at a time without a choice as a choice", () => {
    expect(encode({ parallelToolCalls: false })).toMatchObject({
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
    });
    expect(encode({ parallelToolCalls: false, toolChoice: { kind: "none" } })).toMatchObject({
      tool_choice: { type: "none" },
    });
  });

  it("takes the limit of the reply from the target where the client says none", () => {
    const written = encodeSettings(SETTINGS, {
      settings: {},
      target: { model: "m", maxOutputTokens: 32_000 },
      native: undefined,
    });
    expect(written.max_tokens).toBe(32_000);
  });
});

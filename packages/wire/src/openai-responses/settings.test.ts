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

describe("the settings of Responses", () => {
  it.each<[JsonObject, Settings]>([
    [
      { max_output_tokens: 9, temperature: 0, top_p: 0.5 },
      { maxOutputTokens: 9, temperature: 0, topP: 0.5 },
    ],
    [{ tool_choice: "required" }, { toolChoice: { kind: "required" } }],
    [{ tool_choice: { type: "function", name: "f" } }, { toolChoice: { kind: "tool", name: "f" } }],
    [{ parallel_tool_calls: false }, { parallelToolCalls: false }],
    [{ reasoning: { effort: "none" } }, { reasoning: { mode: "off" } }],
    [
      { reasoning: { effort: "high", summary: "auto" } },
      { reasoning: { mode: "effort", effort: "high", exclude: false } },
    ],
    [{ reasoning: { summary: "auto" } }, { reasoning: { mode: "adaptive", exclude: false } }],
    [{ text: { format: { type: "json_object" } } }, { outputFormat: { kind: "json" } }],
    [
      { text: { format: { type: "json_schema", name: "x", schema: {}, strict: true } } },
      { outputFormat: { kind: "json-schema", name: "x", schema: {}, strict: true } },
    ],
    [{ safety_identifier: "u" }, { user: "u" }],
  ])("reads %j, and writes it", (body, settings) => {
    expect(decode(body)).toEqual({ stream: false, ...settings });
    expect(encode(settings)).toEqual(body);
  });

  it.each([
    [{ reasoning: { effort: "low", summary: "concise" } }, { effort: "high", summary: "concise" }],
    [{ reasoning: { effort: "low" } }, { effort: "high" }],
    [{}, { effort: "high" }],
  ])("gives its own clients the summary that they ask for: %j", (native, written) => {
    const reasoning = { mode: "effort", effort: "high" } as const;
    const flat = flatten(native, OPENED);
    const body = encodeSettings(SETTINGS, { settings: { reasoning }, target: { model: "m" }, native: flat });
    expect(unflatten(body, OPENED)).toEqual({ reasoning: written });
  });

  it("reads other spellings of the same", () => {
    expect(decode({ tool_choice: { type: "custom", name: "c" }, user: "u" })).toMatchObject({
      toolChoice: { kind: "tool", name: "c" },
      user: "u",
    });
    expect(decode({ text: { format: { type: "text" } } })).toEqual({ stream: false });
    expect(decode({ reasoning: { effort: "low" } })).toMatchObject({ reasoning: { mode: "effort", effort: "low" } });
  });

  it("asks for a summary unless the client wants none", () => {
    expect(encode({ reasoning: { mode: "effort", effort: "low" } })).toEqual({
      reasoning: { effort: "low", summary: "auto" },
    });
    expect(encode({ reasoning: { mode: "effort", effort: "low", exclude: true } })).toEqual({
      reasoning: { effort: "low" },
    });
  });

  it("leaves alone what it has no words for", () => {
    const body = flatten(
      {
        tool_choice: { type: "mcp", server_label: "x" },
        reasoning: { effort: "heroic" },
        text: { format: "x", verbosity: "low" },
        user: 7,
      },
      OPENED,
    );
    expect(decodeSettings(SETTINGS, body).extra).toEqual(body);
  });
});

import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { decodeSettings, encodeSettings, flatten, type Settings, unflatten } from "../fields/settings.ts";
import { OPENED, SETTINGS } from "./settings.ts";

const TARGET = { model: "gemini-3.5-flash" };

function decode(body: JsonObject): object {
  return decodeSettings(SETTINGS, flatten(body, OPENED)).settings;
}

function encode(settings: Settings): JsonObject {
  return unflatten(encodeSettings(SETTINGS, { settings, target: TARGET, native: undefined }), OPENED);
}

const SCHEMA = { type: "object", properties: { answer: { type: "string" } } };

describe("the settings of a request", () => {
  const rows: [string, JsonObject, Settings][] = [
    [
      "sampling",
      {
        generationConfig: {
          maxOutputTokens: 100,
          temperature: 0.5,
          topP: 0.9,
          topK: 40,
          frequencyPenalty: 0.1,
          presencePenalty: 0.2,
          seed: 7,
          stopSequences: ["END"],
        },
      },
      {
        maxOutputTokens: 100,
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        frequencyPenalty: 0.1,
        presencePenalty: 0.2,
        seed: 7,
        stopSequences: ["END"],
      },
    ],
    ["any tool or none", { toolConfig: { functionCallingConfig: { mode: "AUTO" } } }, { toolChoice: { kind: "auto" } }],
    ["no tool", { toolConfig: { functionCallingConfig: { mode: "NONE" } } }, { toolChoice: { kind: "none" } }],
    ["some tool", { toolConfig: { functionCallingConfig: { mode: "ANY" } } }, { toolChoice: { kind: "required" } }],
    [
      "one tool",
      { toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } } },
      { toolChoice: { kind: "tool", name: "f" } },
    ],
    ["thinking off", { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }, { reasoning: { mode: "off" } }],
    [
      "a budget",
      { generationConfig: { thinkingConfig: { thinkingBudget: 1_024, includeThoughts: true } } },
      { reasoning: { mode: "budget", budgetTokens: 1_024, exclude: false } },
    ],
    [
      "a level, its thoughts not shown",
      { generationConfig: { thinkingConfig: { thinkingLevel: "HIGH", includeThoughts: false } } },
      { reasoning: { mode: "effort", effort: "high", exclude: true } },
    ],
    [
      "thinking as the model likes",
      { generationConfig: { thinkingConfig: { thinkingBudget: -1, includeThoughts: true } } },
      { reasoning: { mode: "adaptive", exclude: false } },
    ],
    ["JSON", { generationConfig: { responseMimeType: "application/json" } }, { outputFormat: { kind: "json" } }],
    [
      "JSON of a schema",
      { generationConfig: { responseMimeType: "application/json", responseJsonSchema: SCHEMA } },
      { outputFormat: { kind: "json-schema", schema: SCHEMA } },
    ],
  ];

  it.each(rows)("reads and writes %s", (_, body, settings) => {
    expect(decode(body)).toEqual(settings);
    expect(encode(settings)).toEqual(body);
  });
});

describe("what is read", () => {
  it.each<[string, JsonObject, Settings]>([
    ["nothing", {}, {}],
    ["a model's name with its prefix", { model: "models/gemini-x" }, { model: "gemini-x" }],
    ["a bare model's name", { model: "gemini-x" }, { model: "gemini-x" }],
    ["a level nobody chose", thinking({ thinkingLevel: "THINKING_LEVEL_UNSPECIFIED" }), {}],
    ["thoughts asked for", thinking({ includeThoughts: true }), { reasoning: { mode: "adaptive", exclude: false } }],
    ["thoughts not asked for", thinking({ includeThoughts: false }), {}],
    [
      "a budget without a word on thoughts",
      thinking({ thinkingBudget: 9 }),
      { reasoning: { mode: "budget", budgetTokens: 9, exclude: true } },
    ],
    ["plain text", { generationConfig: { responseMimeType: "text/plain" } }, {}],
    [
      "a schema of Gemini's own kind",
      { generationConfig: { responseMimeType: "application/json", responseSchema: { type: "STRING" } } },
      { outputFormat: { kind: "json-schema", schema: { type: "string" } } },
    ],
    ["one answer", { generationConfig: { candidateCount: 1 } }, {}],
    ["a configuration without a mode", { toolConfig: { functionCallingConfig: { allowedFunctionNames: [] } } }, {}],
  ])("%s", (_, body, settings) => {
    expect(decodeSettings(SETTINGS, flatten(body, OPENED))).toEqual({ settings, extra: {} });
  });

  it.each<[string, JsonObject]>([
    ["several answers", { "generationConfig.candidateCount": 2 }],
    ["one of several tools", { "toolConfig.functionCallingConfig": { mode: "ANY", allowedFunctionNames: ["a", "b"] } }],
    ["checked arguments", { "toolConfig.functionCallingConfig": { mode: "VALIDATED" } }],
    ["a budget in words", { "generationConfig.thinkingConfig": { thinkingBudget: "4k" } }],
    ["a budget below nothing", { "generationConfig.thinkingConfig": { thinkingBudget: -5 } }],
    ["a word for a configuration", { "generationConfig.thinkingConfig": "on" }],
    ["an unknown level", { "generationConfig.thinkingConfig": { thinkingLevel: "ENORMOUS" } }],
    ["one of several words", { "generationConfig.responseMimeType": "text/x.enum" }],
    ["a model that is no name", { model: 7 }],
  ])("has no name for %s and leaves it to ride along", (_, flat) => {
    expect(decodeSettings(SETTINGS, flat)).toEqual({ settings: {}, extra: flat });
  });
});

describe("what is written", () => {
  it.each<[string, Settings, JsonObject]>([
    ["no model and no streaming, which the address says", { model: "gemini-x", stream: true }, {}],
    ["effort none as off", { reasoning: { mode: "effort", effort: "none" } }, thinking({ thinkingBudget: 0 })],
    [
      "thoughts shown where nobody hides them",
      { reasoning: { mode: "effort", effort: "low" } },
      thinking({ thinkingLevel: "LOW", includeThoughts: true }),
    ],
    [
      "a level where the model may decide within one",
      { reasoning: { mode: "adaptive", effort: "medium", exclude: true } },
      thinking({ thinkingLevel: "MEDIUM", includeThoughts: false }),
    ],
    ["effort without a level", { reasoning: { mode: "effort" } }, thinking({ includeThoughts: true })],
    [
      "a budget of unknown size",
      { reasoning: { mode: "budget" } },
      thinking({ thinkingBudget: -1, includeThoughts: true }),
    ],
  ])("%s", (_, settings, body) => {
    expect(encode(settings)).toEqual(body);
  });
});

function thinking(thinkingConfig: JsonObject): JsonObject {
  return { generationConfig: { thinkingConfig } };
}

import { findModel, loadCatalog } from "@longhaul/models/catalog";
import { expect, it } from "vitest";
import {
  checkEffort,
  checkLength,
  checkName,
  checkSampling,
  checkStrictSchema,
  joinNames,
} from "./check-parameters.ts";

const catalog = loadCatalog();
const modelOf = (id: string) => findModel(catalog, id, "openai").model;

it("rejects sampling on reasoning models, except the defaults", () => {
  expect(() => checkSampling({ temperature: 0.2, top_p: 0.5 }, modelOf("gpt-4o"))).not.toThrow();
  expect(() => checkSampling({ temperature: 1, frequency_penalty: 0 }, modelOf("gpt-5"))).not.toThrow();
  expect(() => checkSampling({ temperature: 0.2 }, modelOf("gpt-5"))).toThrow(
    expect.objectContaining({
      message:
        "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      details: { param: "temperature", code: "unsupported_value" },
    }),
  );
  expect(() => checkSampling({ top_p: 0.5 }, modelOf("o3"))).toThrow(
    expect.objectContaining({
      message: "Unsupported parameter: 'top_p' is not supported with this model.",
      details: { param: "top_p", code: "unsupported_parameter" },
    }),
  );
});

it("rejects unsupported efforts", () => {
  expect(() => checkEffort("high", "reasoning_effort", modelOf("o3"))).not.toThrow();
  expect(() => checkEffort(null, "reasoning_effort", modelOf("gpt-4o"))).not.toThrow();
  expect(() => checkEffort("low", "reasoning_effort", modelOf("gpt-4o"))).toThrow(
    "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
  );
  expect(() => checkEffort("max", "reasoning.effort", modelOf("o3"))).toThrow(
    "Unsupported value: 'max' is not supported with the 'reasoning.effort' parameter of this model. Supported values are: 'low', 'medium', and 'high'.",
  );
});

it("joins names like OpenAI", () => {
  expect([joinNames(["a"]), joinNames(["a", "b"]), joinNames(["a", "b", "c"])]).toEqual([
    "'a'",
    "'a' and 'b'",
    "'a', 'b', and 'c'",
  ]);
});

it("rejects invalid function names", () => {
  expect(() => checkName("read_file", "tools[0].function.name")).not.toThrow();
  expect(() => checkName(undefined, "tools[0].function.name")).toThrow(
    "Missing required parameter: 'tools[0].function.name'.",
  );
  expect(() => checkName("a.b", "tools[0].function.name")).toThrow(
    "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
  );
  expect(() => checkName("a".repeat(65), "tools[0].function.name")).toThrow(
    "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
  );
  expect(() => checkLength("abc", "x", 3)).not.toThrow();
});

it("requires strict schemas to be closed and complete at every level", () => {
  const closed = {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  };
  const within = (inner: object) => ({ ...closed, properties: { a: { type: "array", items: inner } } });
  expect(() => checkStrictSchema(within(closed), "function 'f'")).not.toThrow();
  expect(() => checkStrictSchema({ type: "object" }, "function 'f'")).toThrow(
    "Invalid schema for function 'f': In context=(), 'additionalProperties' is required to be supplied and to be false.",
  );
  expect(() => checkStrictSchema(within({ ...closed, required: [] }), "function 'f'")).toThrow(
    "Invalid schema for function 'f': In context=('properties', 'a', 'items'), 'required' is required to be supplied and to be an array including every key in properties. Missing 'a'.",
  );
});

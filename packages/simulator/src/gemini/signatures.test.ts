import { describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { geminiModel, makeGeminiRequest } from "../testing/make.ts";
import { checkSignatures, signThought } from "./signatures.ts";

const world = makeWorld({});
const call = { functionCall: { name: "read", args: {} } };
const sign = (part: JsonObject, model = "gemini-3.5-flash") =>
  signThought(world, { model: geminiModel(model), part, seed: "s" });
const check =
  (parts: readonly JsonObject[], model = "gemini-3.5-flash") =>
  () => {
    const contents = [
      { role: "user", parts: [{ text: "q" }] },
      { role: "model", parts },
      { role: "user", parts: [{ functionResponse: { name: "read" } }] },
    ];
    checkSignatures(makeGeminiRequest({ contents }, { model: geminiModel(model) }), world);
  };

describe("a present signature", () => {
  it("is accepted at its own part, in both base64 alphabets", () => {
    const thoughtSignature = sign(call);
    expect(check([{ ...call, thoughtSignature }])).not.toThrow();
    const urlSafe = thoughtSignature.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    expect(check([{ ...call, thoughtSignature: urlSafe }])).not.toThrow();
    expect(check([{ text: "a", thoughtSignature: sign({ text: "b" }) }])).not.toThrow();
  });

  it("is rejected if it was not made here", () => {
    const foreign = signThought(makeWorld({ secret: "other" }), {
      model: geminiModel("gemini-3.5-flash"),
      part: call,
      seed: "s",
    });
    for (const thoughtSignature of [foreign, "AAAA", sign(call).replace(/^./, "_")])
      expect(check([{ ...call, thoughtSignature }])).toThrow("Corrupted thought signature.");
  });

  it("is rejected at another part", () => {
    const other = { functionCall: { name: "write", args: {} } };
    expect(check([{ ...other, thoughtSignature: sign(call) }])).toThrow("Invalid thought signature.");
    expect(check([{ text: "a", thoughtSignature: sign(call) }])).toThrow("Invalid thought signature.");
  });

  it("is accepted only by models of its generation", () => {
    const thoughtSignature = sign(call, "gemini-2.5-flash");
    expect(check([{ ...call, thoughtSignature }])).toThrow("Corrupted thought signature.");
    expect(check([{ ...call, thoughtSignature }], "gemini-2.5-pro")).not.toThrow();
    expect(check([{ ...call, thoughtSignature: sign(call) }], "gemini-flash-latest")).not.toThrow();
  });

  it("may be a placeholder for history of other models", () => {
    for (const thoughtSignature of ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"])
      expect(check([{ ...call, thoughtSignature }])).not.toThrow();
  });
});

describe("a missing signature", () => {
  it("is rejected at the first call of a step since Gemini 3", () => {
    expect(check([{ text: "a" }, call])).toThrow(
      "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:read` , position 2. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
    );
    expect(check([call], "gemini-2.5-flash")).not.toThrow();
  });

  it("is accepted at the other calls of the step", () => {
    expect(check([{ ...call, thoughtSignature: sign(call) }, call])).not.toThrow();
    expect(check([call, { ...call, thoughtSignature: sign(call) }])).toThrow("missing a thought_signature");
  });

  it("is accepted in turns before the user's latest text", () => {
    const contents = [
      { role: "user", parts: [{ text: "q" }] },
      { role: "model", parts: [call] },
      { role: "user", parts: [{ functionResponse: { name: "read" } }] },
      { role: "model", parts: [{ text: "done" }] },
      { role: "user", parts: [{ text: "and now?" }] },
    ];
    expect(() => checkSignatures(makeGeminiRequest({ contents }), world)).not.toThrow();
  });
});

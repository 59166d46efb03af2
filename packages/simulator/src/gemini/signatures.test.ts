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

describe("a signature that is there", () => {
  it("is taken at the part that it was made for, in both alphabets of base64", () => {
    const thoughtSignature = sign(call);
    expect(check([{ ...call, thoughtSignature }])).not.toThrow();
    const urlSafe = thoughtSignature.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    expect(check([{ ...call, thoughtSignature: urlSafe }])).not.toThrow();
    expect(check([{ text: "a", thoughtSignature: sign({ text: "b" }) }])).not.toThrow();
  });

  it("is refused where it was not made here", () => {
    const foreign = signThought(makeWorld({ secret: "other" }), {
      model: geminiModel("gemini-3.5-flash"),
      part: call,
      seed: "s",
    });
    for (const thoughtSignature of [foreign, "AAAA", sign(call).replace(/^./, "_")])
      expect(check([{ ...call, thoughtSignature }])).toThrow("Corrupted thought signature.");
  });

  it("is refused at another part", () => {
    const other = { functionCall: { name: "write", args: {} } };
    expect(check([{ ...other, thoughtSignature: sign(call) }])).toThrow("Invalid thought signature.");
    expect(check([{ text: "a", thoughtSignature: sign(call) }])).toThrow("Invalid thought signature.");
  });

  it("is read by models of its generation only", () => {
    const thoughtSignature = sign(call, "gemini-2.5-flash");
    expect(check([{ ...call, thoughtSignature }])).toThrow("Corrupted thought signature.");
    expect(check([{ ...call, thoughtSignature }], "gemini-2.5-pro")).not.toThrow();
    expect(check([{ ...call, thoughtSignature: sign(call) }], "gemini-flash-latest")).not.toThrow();
  });

  it("may be one of the words for history of other models", () => {
    for (const thoughtSignature of ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"])
      expect(check([{ ...call, thoughtSignature }])).not.toThrow();
  });
});

describe("a signature that is missing", () => {
  it("is refused at the first call of a step, from Gemini 3 on", () => {
    expect(check([{ text: "a" }, call])).toThrow(
      "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:read` , position 2. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.",
    );
    expect(check([call], "gemini-2.5-flash")).not.toThrow();
  });

  it("is no fault at the other calls of the step", () => {
    expect(check([{ ...call, thoughtSignature: sign(call) }, call])).not.toThrow();
    expect(check([call, { ...call, thoughtSignature: sign(call) }])).toThrow("missing a thought_signature");
  });

  it("is no fault in turns before the user's last words", () => {
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

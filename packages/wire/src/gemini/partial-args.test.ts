import type { JsonObject } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { addPiece, isPiece, type PartialCall } from "./partial-args.ts";

function assemble(calls: readonly JsonObject[]): JsonObject | undefined {
  let partial: PartialCall | undefined;
  let whole: JsonObject | undefined;
  for (const functionCall of calls) {
    const part = { functionCall, ...(functionCall.name === undefined ? {} : { thoughtSignature: "s" }) };
    expect(isPiece(part, partial)).toBe(true);
    ({ whole, ...partial } = addPiece(partial, part));
  }
  return whole;
}

describe("addPiece", () => {
  it("puts arguments together, texts in pieces, lists and objects at any depth", () => {
    const whole = assemble([
      { name: "edit", id: "c1", willContinue: true },
      { partialArgs: [{ jsonPath: "$.path", stringValue: "src/", willContinue: true }], willContinue: true },
      { partialArgs: [{ jsonPath: "$.path", stringValue: "a.ts" }], willContinue: true },
      {
        partialArgs: [
          { jsonPath: "$.edits[0].line", numberValue: 3 },
          { jsonPath: "$.edits[0].force", boolValue: false },
          { jsonPath: "$.edits[1]['odd name']", nullValue: "NULL_VALUE" },
        ],
        willContinue: true,
      },
      {},
    ]);
    expect(whole).toEqual({
      functionCall: {
        name: "edit",
        id: "c1",
        args: { path: "src/a.ts", edits: [{ line: 3, force: false }, { "odd name": null }] },
      },
      thoughtSignature: "s",
    });
  });

  it("lets no path make a huge list or touch a prototype", () => {
    const whole = assemble([
      {
        name: "f",
        partialArgs: [
          { jsonPath: "$.list[4000000000]", numberValue: 1 },
          { jsonPath: "$.__proto__.polluted", boolValue: true },
          { jsonPath: "nonsense", stringValue: "x" },
        ],
      },
    ]);
    expect(JSON.stringify(whole)).toContain('"list":[1]');
    expect("polluted" in {}).toBe(false);
  });
});

describe("isPiece", () => {
  it("tells pieces from whole calls and other parts", () => {
    const partial = { part: {}, args: {} };
    expect(isPiece({ functionCall: { name: "f", args: {} } }, undefined)).toBe(false);
    expect(isPiece({ functionCall: { name: "g", args: {} } }, partial)).toBe(false);
    expect(isPiece({ text: "x" }, partial)).toBe(false);
    expect(isPiece({ functionCall: {} }, undefined)).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { camelField, camelFields, innerFields, snakeName } from "./field-names.ts";

describe("camelFields", () => {
  it("accepts camel case and snake case", () => {
    const object = { inline_data: { mime_type: "image/png" }, thought_signature: "s", text: "", _internal: 1 };
    expect(camelFields(object)).toEqual({
      inlineData: { mime_type: "image/png" },
      thoughtSignature: "s",
      text: "",
      _internal: 1,
    });
  });

  it("returns the identical object if it is already camel case", () => {
    const object = { inlineData: { mime_type: "image/png" } };
    expect(camelFields(object)).toBe(object);
  });
});

describe("camelField", () => {
  it("changes the fields of one field only", () => {
    const body = { labels: { my_team: "a" }, toolConfig: { retrieval_config: {} } };
    expect(camelField(body, "toolConfig")).toEqual({ labels: { my_team: "a" }, toolConfig: { retrievalConfig: {} } });
    expect(camelField(body, "generationConfig")).toBe(body);
    const known = { toolConfig: { retrievalConfig: {} } };
    expect(camelField(known, "toolConfig")).toBe(known);
  });
});

describe("innerFields", () => {
  it("returns an object's fields, and an empty object for other values", () => {
    expect(innerFields({ file_uri: "gs://a" })).toEqual({ fileUri: "gs://a" });
    expect([innerFields("x"), innerFields(undefined), innerFields(["x"])]).toEqual([{}, {}, {}]);
  });
});

describe("snakeName", () => {
  it("converts camel case to snake case", () => {
    expect(["codeExecutionResult", "text"].map(snakeName)).toEqual(["code_execution_result", "text"]);
  });
});

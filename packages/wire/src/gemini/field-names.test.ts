import { describe, expect, it } from "vitest";
import { camelField, camelFields, innerFields, snakeName } from "./field-names.ts";

describe("camelFields", () => {
  it("reads both spellings of the API's fields", () => {
    const object = { inline_data: { mime_type: "image/png" }, thought_signature: "s", text: "", _internal: 1 };
    expect(camelFields(object)).toEqual({
      inlineData: { mime_type: "image/png" },
      thoughtSignature: "s",
      text: "",
      _internal: 1,
    });
  });

  it("returns the identical object where nothing is spelled otherwise", () => {
    const object = { inlineData: { mime_type: "image/png" } };
    expect(camelFields(object)).toBe(object);
  });
});

describe("camelField", () => {
  it("reads one field's fields and leaves the others alone", () => {
    const body = { labels: { my_team: "a" }, toolConfig: { retrieval_config: {} } };
    expect(camelField(body, "toolConfig")).toEqual({ labels: { my_team: "a" }, toolConfig: { retrievalConfig: {} } });
    expect(camelField(body, "generationConfig")).toBe(body);
    const known = { toolConfig: { retrievalConfig: {} } };
    expect(camelField(known, "toolConfig")).toBe(known);
  });
});

describe("innerFields", () => {
  it("gives an object's fields, and none for anything else", () => {
    expect(innerFields({ file_uri: "gs://a" })).toEqual({ fileUri: "gs://a" });
    expect([innerFields("x"), innerFields(undefined), innerFields(["x"])]).toEqual([{}, {}, {}]);
  });
});

describe("snakeName", () => {
  it("spells a name as the API's definition does", () => {
    expect(["codeExecutionResult", "text"].map(snakeName)).toEqual(["code_execution_result", "text"]);
  });
});

import { describe, expect, it } from "vitest";
import { makeFitting, makeRequestOf } from "../testing/make-fitting.ts";
import { dropForeignFields } from "./fields.ts";

function makeForeign(extra: Record<string, unknown>, wire = "openai-responses") {
  return makeRequestOf(undefined, { native: { wire, value: {} }, extra: JSON.parse(JSON.stringify(extra)) });
}

describe("dropForeignFields", () => {
  it("drops fields of another format, each with a warning", () => {
    const fitting = makeFitting();
    const fitted = dropForeignFields(makeForeign({ service_tier: "auto", include: [], store: false, n: 1 }), fitting);
    expect(fitted).not.toHaveProperty("extra");
    expect(fitting.warnings()).toMatchObject([{ feature: "field.service_tier", action: "dropped" }]);
  });

  it.each([
    ["openai-responses", "previous_response_id", "resp_1"],
    ["openai-chat", "n", 2],
    ["anthropic-messages", "mcp_servers", [{}]],
    ["gemini", "cachedContent", "cachedContents/1"],
  ])("refuses %s's %s, without which something else would be asked", (wire, field, value) => {
    expect(() =>
      dropForeignFields(makeForeign({ [field]: value }, wire), makeFitting({ rules: { wire: "gemini" } })),
    ).toThrow(
      expect.objectContaining({ code: "request.unsupported", message: expect.stringContaining(`field.${field}`) }),
    );
  });

  it("refuses a field inside another one", () => {
    const request = makeForeign({ generationConfig: { candidateCount: 2 } }, "gemini");
    expect(() => dropForeignFields(request, makeFitting())).toThrow(/^field\.generationConfig\.candidateCount: /);
  });

  it("leaves the fields of the same format alone", () => {
    const request = makeForeign({ mcp_servers: [{}] }, "anthropic-messages");
    expect(dropForeignFields(request, makeFitting({ isNative: true }))).toBe(request);
  });
});

import { expect, it } from "vitest";
import { decodeOutput } from "./decode-output.ts";

it.each([
  [{ type: "text", value: "a" }, ["a"], false],
  [{ type: "error-text", value: "a" }, ["a"], true],
  [{ type: "json", value: { a: 1 } }, ['{"a":1}'], false],
  [{ type: "error-json", value: { a: 1 } }, ['{"a":1}'], true],
  [{ type: "execution-denied", reason: "No." }, ["No."], true],
  [{ type: "execution-denied" }, [""], true],
] as const)("reads %j as text", (output, texts, isError) => {
  expect(decodeOutput(output)).toEqual({ content: texts.map((text) => ({ type: "text", text })), isError });
});

it("reads content entry by entry", () => {
  const { content } = decodeOutput({
    type: "content",
    value: [
      { type: "text", text: "a" },
      { type: "file", mediaType: "image/png", data: { type: "data", data: "AQID" } },
      { type: "custom" },
    ],
  });
  expect(content.map(({ type }) => type)).toEqual(["text", "image", "opaque"]);
});

import { expect, it } from "vitest";
import { textBlock, textMessage } from "./message.ts";

it("returns a text block, even for an empty text", () => {
  expect(textBlock("")).toEqual({ type: "text", text: "" });
});

it("returns a message with one text block", () => {
  expect(textMessage("system", "Be brief.")).toEqual({ role: "system", blocks: [{ type: "text", text: "Be brief." }] });
});

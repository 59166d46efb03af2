import { expect, it } from "vitest";
import { textBlock, textMessage } from "./message.ts";

it("makes a text block of a text, even of an empty one", () => {
  expect(textBlock("")).toEqual({ type: "text", text: "" });
});

it("makes a message of one text block", () => {
  expect(textMessage("system", "Be brief.")).toEqual({ role: "system", blocks: [{ type: "text", text: "Be brief." }] });
});

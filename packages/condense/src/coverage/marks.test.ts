import { makeAssistant, makeUser } from "@longhaul/conversation/testing";
import { expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { markIn } from "./marks.ts";

it("marks what the assistant wrote so that nobody takes the mark for its own", () => {
  const { contents } = decompose([makeUser("a question"), makeAssistant("an answer")]);
  expect(contents.map(markIn)).toEqual(["…", "⟨…⟩"]);
});

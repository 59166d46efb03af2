import { makeAssistant, makeUser } from "@longhaul/conversation/testing";
import { expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { framesIn } from "./frames.ts";

it("finds the tags and announcements around XML tools, and nothing around plain words", () => {
  const messages = [
    makeUser("<task>\nGo on.\n</task>"),
    makeAssistant("I read.\n<read_file>\n<path>src/a.ts</path>\n</read_file>"),
    makeUser("[read_file for 'src/a.ts'] Result:\nexport {};"),
    makeAssistant("Done."),
  ];
  const frames = framesIn(decompose(messages).contents, messages);
  const said = (message: number) => frames.filter(({ at }) => at.message === message).map(({ text }) => text.trim());
  expect(said(1).join(" ")).toContain("<read_file>");
  expect(said(2).join(" ")).toContain("[read_file for 'src/a.ts'] Result:");
  expect(said(3)).toEqual([]);
  expect(frames.every(({ text, from, to }) => to - from === text.length)).toBe(true);
});

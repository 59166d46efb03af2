import { describe, expect, it } from "vitest";
import { aroundTag, aroundTags, withoutClientTags } from "./client-tags.ts";

const REMINDER = "<system-reminder>\nBe careful.\n</system-reminder>\n";

function without(text: string, ...words: string[]): string {
  const gaps = words.map((word) => ({ from: text.indexOf(word), to: text.indexOf(word) + word.length }));
  return aroundTags(text, gaps)
    .toReversed()
    .reduce((left, { from, to }) => left.slice(0, from) + left.slice(to), text);
}

describe("aroundTags", () => {
  it("leaves a reminder out whole if a part of it is", () => {
    expect(without(`one\n${REMINDER}two`, "<system-reminder>\n")).toBe("one\ntwo");
    expect(without(`one\n${REMINDER}two`, "one\n")).toBe(`${REMINDER}two`);
  });

  it("leaves out a closing tag whose opening tag is left out", () => {
    expect(without("<tool_use_error>Not found.\nText: a</tool_use_error>", "<tool_use_error>Not found.\n")).toBe(
      "Text: a",
    );
    expect(without("<tool_use_error>Not found.\nText: a</tool_use_error>", "Text: a")).toBe(
      "<tool_use_error>Not found.\n</tool_use_error>",
    );
  });
});

describe("aroundTag", () => {
  it("cuts no tag in two, and leaves no part of a reminder", () => {
    const text = `<bash-stdout>one</bash-stdout>\n${REMINDER}two`;
    const stdout = { from: 0, to: "<bash-stdout>".length };
    expect(aroundTag(text, { from: 5, to: 10 })).toEqual(stdout);
    expect(aroundTag(text, { from: stdout.to, to: stdout.to + 2 })).toEqual({ from: stdout.to, to: stdout.to + 2 });
    const reminder = { from: text.indexOf(REMINDER), to: text.indexOf("two") };
    expect(aroundTag(text, { from: reminder.from + 30, to: text.length })).toEqual({ ...reminder, to: text.length });
  });
});

describe("withoutClientTags", () => {
  it("removes reminders and the tags around errors", () => {
    expect(withoutClientTags(`a\n${REMINDER}<tool_use_error>b</tool_use_error> <b>c</b>`)).toBe("a\nb <b>c</b>");
  });
});

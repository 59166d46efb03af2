import type { JsonObject } from "@longhaul/conversation";
import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { attentionIn, recencyOf } from "./attention.ts";

const messages = [
  makeUser("Please rename the class."),
  makeAssistant(["I look first.", makeToolCall("l", { name: "bash", input: { command: "ls" } })]),
  makeUser(makeToolResult("l", "two files")),
  makeAssistant(["I edit it.", makeToolCall("r", { input: { path: "src/a.ts" } })]),
  makeUser(makeToolResult("r", "class A {}")),
  makeAssistant(makeToolCall("e", { name: "edit", input: { path: "src/a.ts", old_string: "A", new_string: "B" } })),
  makeUser(makeToolResult("e", "no such file", { isError: true })),
];

function attentions() {
  const contents = decompose(messages);
  const attentionTo = attentionIn(contents, messages.length);
  return contents.contents.map((content) => ({ text: content.text, ...attentionTo(content) }));
}

function attentionTo(text: string) {
  return attentions().find((entry) => entry.text === text) ?? { identifier: 0, line: 0, listed: 0 };
}

describe("attentionIn", () => {
  it("weighs the assistant's text far more than what it was shown", () => {
    expect(attentionTo("I look first.").identifier).toBeGreaterThan(10 * attentionTo("two files").identifier);
  });

  it("weighs lines in arguments more than the lines they replaced", () => {
    expect(attentionTo("B").line).toBeGreaterThan(attentionTo("A").line);
  });

  it("weighs a file being worked on more than other results", () => {
    const read = attentionTo("class A {}");
    expect(read.identifier).toBeGreaterThan(2 * attentionTo("two files").identifier);
    expect(read.line).toBeGreaterThan(5 * attentionTo("two files").line);
  });

  it("weighs names that a result only lists less, but not those that the assistant lists", () => {
    const read = attentionTo("class A {}");
    const written = attentionTo("B");
    expect(read.listed).toBe(read.identifier / 2);
    expect(written.listed).toBe(written.identifier);
  });

  it("weighs a file that a command prints like one that a tool reads", () => {
    const weightOf = (name: string, input: JsonObject) => {
      const talk = [
        makeUser("go"),
        makeAssistant(makeToolCall("a", { name, input })),
        makeUser(makeToolResult("a", "x")),
      ];
      const contents = decompose(talk);
      return contents.contents.filter(({ level }) => level === "result").map(attentionIn(contents, talk.length));
    };
    expect(weightOf("bash", { command: "sed -n '1,20p' src/a.ts" })).toEqual(weightOf("read", { path: "src/a.ts" }));
    expect(weightOf("bash", { command: "npm test" })).not.toEqual(weightOf("read", { path: "src/a.ts" }));
  });

  it("weighs a snapshot of the editor less when there is a later one", () => {
    const snapshot = (tab: string) =>
      makeUser([`[read_file for 'a'] Result:`, "ok then", `<environment_details>\n${tab}\n</environment_details>`]);
    const call = makeAssistant("<read_file>\n<path>a</path>\n</read_file>");
    const talk = [makeUser("<task>\ngo\n</task>"), call, snapshot("tab one"), call, snapshot("tab two")];
    const contents = decompose(talk);
    const attend = attentionIn(contents, talk.length);
    const [first, second] = contents.contents.filter(({ use }) => use?.name === "environment_details").map(attend);
    expect(first?.identifier).toBeLessThan((second?.identifier ?? 0) / 5);
  });
});

it("decreases with age and is 1 for the latest message", () => {
  expect(recencyOf(9, 10)).toBe(1);
  expect(recencyOf(0, 10)).toBeLessThan(recencyOf(5, 10));
});

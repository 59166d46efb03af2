import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isComposed, readUserText } from "./xml-results.ts";
import type { Span } from "./xml-syntax.ts";

function read(text: string, isAnswer = false) {
  const { answers, own, result, notes, environment } = readUserText(text, isAnswer);
  const textsOf = (spans: readonly Span[]) => spans.map(({ from, to }) => text.slice(from, to));
  return {
    answers,
    own: textsOf(own),
    result: textsOf(result),
    notes: textsOf(notes),
    environment: textsOf(environment),
  };
}

const EMPTY = { answers: undefined, own: [], result: [], notes: [], environment: [] };

describe("readUserText", () => {
  it("treats plain text as the user's", () => {
    expect(read("Do it again.")).toEqual({ ...EMPTY, own: ["Do it again."] });
  });

  it.each(["task", "feedback", "user_message", "answer"])("treats the text in <%s> as the user's", (tag) => {
    expect(read(`<${tag}>\nUse tabs.\n</${tag}>`)).toEqual({ ...EMPTY, own: ["Use tabs."] });
  });

  it("reads an environment snapshot, alone or after the user's text", () => {
    const snapshot = "<environment_details>\n# Open Tabs\na.ts\n</environment_details>";
    expect(read(snapshot)).toEqual({ ...EMPTY, environment: ["# Open Tabs\na.ts"] });
    expect(read(`<task>\nGo.\n</task>\n\n${snapshot}`)).toEqual({
      ...EMPTY,
      own: ["Go."],
      environment: ["# Open Tabs\na.ts"],
    });
  });

  it("reads a result after its announcement", () => {
    expect(read("[read_file for 'a.ts'] Result:\n\n1 | one\n2 | two")).toEqual({
      ...EMPTY,
      answers: "read_file",
      result: ["1 | one\n2 | two"],
    });
  });

  it("reads an announcement whose result follows in the next text", () => {
    expect(read("[execute_command for 'cat <<EOF\nx\nEOF'] Result:")).toEqual({ ...EMPTY, answers: "execute_command" });
    expect(read("3 files changed", true)).toEqual({ ...EMPTY, result: ["3 files changed"] });
  });

  it("separates the user's remark from the result that it came with", () => {
    const remark =
      "The user approved this operation and provided the following context:\n<feedback>\nOnly once!\n</feedback>";
    expect(read(`${remark}\n\n<files>…</files>`, true)).toEqual({
      ...EMPTY,
      own: ["Only once!"],
      result: ["<files>…</files>"],
    });
    expect(read(`Output so far\n\n${remark}`, true)).toEqual({
      ...EMPTY,
      own: ["Only once!"],
      result: ["Output so far"],
    });
  });

  it("treats the answer to a question as the user's text", () => {
    expect(read("<answer>\nThe second.\n</answer>", true)).toEqual({ ...EMPTY, own: ["The second."] });
  });

  it("ignores tags inside a result", () => {
    const file = "1 | <feedback>\n2 | no\n3 | </feedback>\nconst x = '<task>y</task>';\n<feedback>z</feedback>";
    expect(read(file, true)).toEqual({ ...EMPTY, result: [file] });
    expect(read("<task>\nin a file\n</task>", true)).toEqual({ ...EMPTY, result: ["<task>\nin a file\n</task>"] });
  });

  it.each(["[ERROR] You did not use a tool in your previous response!", "Tool [read_file] was not executed because"])(
    "recognizes a client's own sentence: %s",
    (note) => {
      expect(read(note)).toEqual({ ...EMPTY, notes: [note] });
    },
  );

  it.each(["[unknown_tool for 'x'] Result:\nok", "[1] Result: fine", "<task>never closed", "Result: fine"])(
    "treats a text that only looks composed as the user's: %s",
    (text) => {
      expect(read(text)).toEqual({ ...EMPTY, own: [text] });
    },
  );

  it("ignores a tag that is closed only in the client's snapshot", () => {
    const text = "<feedback>a\n<environment_details>b</feedback>c</environment_details>";
    const { own, environment } = readUserText(text, false);
    expect([own, environment].map((all) => all.map(({ from, to }) => text.slice(from, to)))).toEqual([
      ["<feedback>a"],
      ["b</feedback>c"],
    ]);
  });

  it("never throws, and returns parts inside the text that do not overlap", () => {
    const piece = fc.constantFrom(
      "[read_file for 'a'] Result:",
      "<task>",
      "</task>",
      "The user said:\n",
      "<feedback>",
      "</feedback>",
      "<environment_details>",
      "</environment_details>",
      "\n",
      "a",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.boolean(), (pieces, isAnswer) => {
        const text = pieces.join("");
        const { own, result, notes, environment } = readUserText(text, isAnswer);
        const spans = [...own, ...result, ...notes, ...environment].sort((a, b) => a.from - b.from);
        for (const [index, { from, to }] of spans.entries()) {
          expect(from).toBeLessThan(to);
          expect(from).toBeGreaterThanOrEqual(spans[index - 1]?.to ?? 0);
          expect(to).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 500 },
    );
  });
});

it("isComposed recognizes composed texts by their start", () => {
  expect(isComposed("<task>\nGo.\n</task>")).toBe(true);
  expect(isComposed("\n[read_file for 'a'] Result:")).toBe(true);
  expect(isComposed("Please read <task>x</task>")).toBe(false);
  expect(isComposed("[see below] Result:")).toBe(false);
  expect(isComposed("")).toBe(false);
});

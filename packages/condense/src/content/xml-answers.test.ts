import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isComposed, readUserText } from "./xml-answers.ts";
import type { Stretch } from "./xml-syntax.ts";

function read(text: string, isAnswer = false) {
  const { answers, own, result, notes, environment } = readUserText(text, isAnswer);
  const spell = (stretches: readonly Stretch[]) => stretches.map(({ from, to }) => text.slice(from, to));
  return { answers, own: spell(own), result: spell(result), notes: spell(notes), environment: spell(environment) };
}

const EMPTY = { answers: undefined, own: [], result: [], notes: [], environment: [] };

describe("readUserText", () => {
  it("takes plain words as the user's own", () => {
    expect(read("Do it again.")).toEqual({ ...EMPTY, own: ["Do it again."] });
  });

  it.each(["task", "feedback", "user_message", "answer"])("takes what stands in <%s> as the user's own", (tag) => {
    expect(read(`<${tag}>\nUse tabs.\n</${tag}>`)).toEqual({ ...EMPTY, own: ["Use tabs."] });
  });

  it("reads a snapshot of the environment, alone or behind the user's words", () => {
    const snapshot = "<environment_details>\n# Open Tabs\na.ts\n</environment_details>";
    expect(read(snapshot)).toEqual({ ...EMPTY, environment: ["# Open Tabs\na.ts"] });
    expect(read(`<task>\nGo.\n</task>\n\n${snapshot}`)).toEqual({
      ...EMPTY,
      own: ["Go."],
      environment: ["# Open Tabs\na.ts"],
    });
  });

  it("reads an answer behind its announcement", () => {
    expect(read("[read_file for 'a.ts'] Result:\n\n1 | one\n2 | two")).toEqual({
      ...EMPTY,
      answers: "read_file",
      result: ["1 | one\n2 | two"],
    });
  });

  it("reads an announcement whose answer follows in the next text", () => {
    expect(read("[execute_command for 'cat <<EOF\nx\nEOF'] Result:")).toEqual({ ...EMPTY, answers: "execute_command" });
    expect(read("3 files changed", true)).toEqual({ ...EMPTY, result: ["3 files changed"] });
  });

  it("tells the user's remark from the answer that it came with", () => {
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

  it("takes the answer to a question as the user's own words", () => {
    expect(read("<answer>\nThe second.\n</answer>", true)).toEqual({ ...EMPTY, own: ["The second."] });
  });

  it("takes tags inside a result for what they are: text", () => {
    const file = "1 | <feedback>\n2 | no\n3 | </feedback>\nconst x = '<task>y</task>';\n<feedback>z</feedback>";
    expect(read(file, true)).toEqual({ ...EMPTY, result: [file] });
    expect(read("<task>\nin a file\n</task>", true)).toEqual({ ...EMPTY, result: ["<task>\nin a file\n</task>"] });
  });

  it.each(["[ERROR] You did not use a tool in your previous response!", "Tool [read_file] was not executed because"])(
    "knows what clients say on their own: %s",
    (note) => {
      expect(read(note)).toEqual({ ...EMPTY, notes: [note] });
    },
  );

  it.each(["[nobody_knows for 'x'] Result:\nok", "[1] Result: fine", "<task>never closed", "Result: fine"])(
    "leaves what only looks composed to the user: %s",
    (text) => {
      expect(read(text)).toEqual({ ...EMPTY, own: [text] });
    },
  );

  it("takes no tag for the user's that is closed only in the client's snapshot", () => {
    const text = "<feedback>a\n<environment_details>b</feedback>c</environment_details>";
    const { own, environment } = readUserText(text, false);
    expect([own, environment].map((all) => all.map(({ from, to }) => text.slice(from, to)))).toEqual([
      ["<feedback>a"],
      ["b</feedback>c"],
    ]);
  });

  it("never throws, and its parts lie in the text without overlap", () => {
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
        const stretches = [...own, ...result, ...notes, ...environment].sort((a, b) => a.from - b.from);
        for (const [index, { from, to }] of stretches.entries()) {
          expect(from).toBeLessThan(to);
          expect(from).toBeGreaterThanOrEqual(stretches[index - 1]?.to ?? 0);
          expect(to).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 500 },
    );
  });
});

it("isComposed knows the texts of such clients by their beginning", () => {
  expect(isComposed("<task>\nGo.\n</task>")).toBe(true);
  expect(isComposed("\n[read_file for 'a'] Result:")).toBe(true);
  expect(isComposed("Please read <task>x</task>")).toBe(false);
  expect(isComposed("[see below] Result:")).toBe(false);
  expect(isComposed("")).toBe(false);
});

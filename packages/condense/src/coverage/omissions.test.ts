import type { Message } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { openDraft } from "../edits/draft.ts";
import { apply } from "../rewrite/apply.ts";
import { makeTestView } from "../testing/context.ts";
import { gatherCandidates } from "./cover.ts";
import { markIn, planOmissions } from "./omissions.ts";
import { scopeOf } from "./scope.ts";

/** Returns the edits if only lines and steps with one of `words` are chosen. */
function leaveOutAllBut(messages: readonly Message[], words: RegExp) {
  const view = makeTestView(makeConversation(messages), 100);
  const scope = scopeOf(view, { tail: 0, newest: 0, user: 1 }, 100);
  const candidates = gatherCandidates(view, scope);
  const { lines, groups } = candidates;
  const isChosen = (unit: number) =>
    words.test(lines.textOf(unit).content.text.slice(lines.from(unit), lines.to(unit)));
  const kept = new Set(
    Array.from({ length: lines.size }, (_, unit) => unit)
      .filter(isChosen)
      .map((unit) => lines.textOf(unit).group),
  );
  return planOmissions(view, {
    scope,
    candidates,
    choice: { isChosen, isKept: (group) => kept.has(group) || groups[group]?.isKept === true },
  });
}

const PLAIN = "a plain line that is longer than any mark in its place";
const step = (id: string, text: string, words = "I read.") => [
  makeAssistant([words, makeToolCall(id)]),
  makeUser(makeToolResult(id, text)),
];

describe("planOmissions", () => {
  const textAfter = (messages: readonly Message[], words: RegExp) => {
    const draft = openDraft(makeConversation(messages));
    return JSON.stringify(apply(draft, leaveOutAllBut(messages, words), { answers: [], hash: String }).conversation);
  };

  it("keeps the first and the last line of the user's words around a text that they paste", () => {
    const pasted = `why does this fail?\n${`${PLAIN}\n`.repeat(30)}keep this line\n${`${PLAIN}\n`.repeat(30)}fix it in main`;
    const repeat = makeUser(`${pasted}\n${PLAIN}\n${PLAIN}\n`.repeat(2));
    const after = textAfter([makeUser("go"), makeUser(pasted), ...step("a", PLAIN), repeat, makeUser("on")], /keep/);
    expect(after).toContain("why does this fail?\\n(...)");
    expect(after).toContain("(...)\\nfix it in main");
  });

  it("keeps the line that reports a commit, and writes [done] in place of a confirmed edit", () => {
    const edit = makeToolCall("b", {
      name: "Edit",
      input: { path: "src/a.ts", old: `keep\n${PLAIN}\n${PLAIN}`, new: "2" },
    });
    const messages = [
      makeUser("go"),
      makeAssistant(makeToolCall("a", { name: "Bash", input: { command: "git commit -m keep" } })),
      makeUser(
        makeToolResult("a", `${`${PLAIN}\n`.repeat(9)}[main 1a2b3c4] Fix the lock\n${`${PLAIN}\n`.repeat(9)}keep`),
      ),
      makeAssistant(edit),
      makeUser(makeToolResult("b", `The file was updated:\n${`${PLAIN}\n`.repeat(9)}`)),
      makeAssistant("I keep going."),
      makeUser("go on"),
    ];
    const after = textAfter(messages, /keep|src/);
    expect(after).toContain("[main 1a2b3c4] Fix the lock");
    expect(after).toContain('"[done]"');
  });

  it("leaves out the old text of an edit whose new text is left out, however short it is", () => {
    const edit = (id: string, [from, to]: readonly [string, string]) => [
      makeAssistant(
        makeToolCall(id, { name: "Edit", input: { path: `src/${id}.ts`, old_string: from, new_string: to } }),
      ),
      makeUser(makeToolResult(id, "keep")),
    ];
    const messages = [
      makeUser("go"),
      ...edit("a", ["keep one\nkeep two", `${PLAIN}\n`.repeat(9)]),
      ...edit("b", ["keep three\nkeep four", `${PLAIN}\nkeep five\nkeep six\nkeep seven\n${PLAIN}`]),
      makeUser("go on"),
    ];
    const after = textAfter(messages, /keep/);
    expect(after).not.toMatch(/keep one|keep two/);
    expect(after).toMatch(/keep three.*keep seven/);
  });

  it("replaces a long argument whole if only a line or two of it were chosen", () => {
    const write = (id: string, lines: readonly string[]) => [
      makeAssistant(
        makeToolCall(id, {
          name: "Write",
          input: { path: `src/${id}.ts`, content: [...lines, ...Array(20).fill(PLAIN)].join("\n") },
        }),
      ),
      makeUser(makeToolResult(id, "keep")),
    ];
    const messages = [
      makeUser("go"),
      ...write("a", ["keep one", "keep two"]),
      ...write("b", ["keep three", "keep four", "keep five"]),
      makeUser("go on"),
    ];
    const after = textAfter(messages, /keep/);
    expect(after).toContain('"[22 lines left out]"');
    expect(after).toContain("[20 lines left out, except:\\nkeep three\\nkeep four\\nkeep five\\n]");
  });

  it("removes a block with nothing but the state of the editor, without a mark", () => {
    const state = `<environment_details>\n${`${PLAIN}\n`.repeat(9)}</environment_details>`;
    const messages = [
      makeUser("go"),
      makeAssistant("<read_file>\n<path>src/keep.ts</path>\n</read_file>"),
      makeUser(["[read_file for 'src/keep.ts'] Result:", "keep", state]),
      makeAssistant("I keep going."),
      makeUser("go on"),
    ];
    const after = textAfter(messages, /keep/);
    expect(after).toContain("src/keep.ts");
    expect(after).not.toMatch(/environment_details|left out/);
  });

  it("tears no tags of a client apart", () => {
    const reminder = `<system-reminder>\n${`${PLAIN}\n`.repeat(2)}keep me\n</system-reminder>`;
    const text = `${PLAIN}\nthe one to keep\n${reminder}`;
    const messages = [makeUser("go"), ...step("a", text), makeUser("go on")];
    const draft = openDraft(makeConversation(messages));
    const after = apply(draft, leaveOutAllBut(messages, /keep|</), { answers: [], hash: String }).conversation;
    expect(JSON.stringify(after)).toContain("the one to keep");
    expect(JSON.stringify(after)).not.toMatch(/system-reminder|keep me/);
  });

  it("cuts lines out of a result and drops the text beside the call", () => {
    const text = `${PLAIN}\nthe one to keep\n${`${PLAIN}\n`.repeat(4)}`;
    const edits = leaveOutAllBut([makeUser("go"), ...step("a", text), makeUser("go on")], /keep/);
    expect(edits).toEqual([
      { kind: "remove", at: { message: 1, block: 0, path: [] }, reason: "cover" },
      {
        kind: "splice",
        at: { message: 2, block: 0, path: [0] },
        splices: [
          { from: 0, to: PLAIN.length + 1, text: "...\n" },
          { from: text.lastIndexOf("keep") + 5, to: text.length, text: "..." },
        ],
        reason: "cover",
      },
    ]);
  });

  it("drops adjacent steps together, without a trace: the engine marks the gap", () => {
    const messages = [makeUser("go"), ...step("a", "plain"), ...step("b", "plain"), ...step("c", "keep", "keep")];
    expect(leaveOutAllBut(messages, /keep/)).toEqual([{ kind: "replace", from: 1, to: 5, with: [], reason: "drop" }]);
  });

  it("marks omissions in the assistant's text with dots in parentheses", () => {
    const answer = `It works.\n${PLAIN}\nsomething to keep here\n${PLAIN}`;
    const edits = leaveOutAllBut([makeUser("go"), makeAssistant(answer), makeUser("go on")], /keep/);
    expect(edits.at(-1)).toMatchObject({ splices: [{ text: "(...)\n" }, { text: "(...)" }] });
  });

  it("keeps a gap that is not longer than its mark", () => {
    const edits = leaveOutAllBut([makeUser("go"), makeAssistant("keep this\n}\nkeep that")], /keep/);
    expect(edits).toEqual([]);
  });

  it("keeps the beginning and the end of the task", () => {
    const task = `Start here. ${"Some of it is long. ".repeat(200)}The end is here.`;
    const { conversation, hash } = makeTestView(
      makeConversation([makeUser(task), makeAssistant("keep"), makeUser("go")]),
      100,
    );
    const edits = leaveOutAllBut(conversation.messages, /keep/);
    const [first] = apply(openDraft(conversation), edits, { answers: [], hash }).conversation.messages;
    const text = first?.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("") ?? "";
    expect(text.length).toBeLessThan(400);
    expect([text.startsWith(task.slice(0, 150)), text.endsWith(task.slice(-150))]).toEqual([true, true]);
  });

  it("keeps a short outcome whole, and says only that an edit is done", () => {
    const message = "src/a.ts: there is no function with this name in the file";
    const edited = `The file src/a.ts has been updated successfully. ${PLAIN}`;
    const outcome = (name: string, text: string, isError = false) => [
      makeUser("go"),
      makeAssistant(["keep", makeToolCall("a", { name, input: { path: "src/a.ts" } })]),
      makeUser(makeToolResult("a", text, { isError })),
    ];
    expect(leaveOutAllBut(outcome("lookup", message), /keep/)).toEqual([]);
    expect(leaveOutAllBut(outcome("edit_file", `${message}: ${PLAIN.repeat(4)}`, true), /keep/)).toEqual([]);
    expect(leaveOutAllBut(outcome("shell", `error: Failed to find lines ${PLAIN.repeat(3)}`), /keep/)).toEqual([]);
    expect(leaveOutAllBut(outcome("edit_file", edited), /keep/)).toMatchObject([
      { splices: [{ from: 0, to: edited.length, text: "[done]" }] },
    ]);
  });

  it("keeps the reason of a failure and the beginning of an answer", () => {
    const failure = `${PLAIN}\nTypeError: total is undefined\n${PLAIN}\n`.repeat(5);
    const answer = `The lock is never released.\n${PLAIN}\n${PLAIN}\nkeep this`;
    const view = makeTestView(
      makeConversation([
        makeUser("go"),
        makeAssistant(["keep", makeToolCall("a")]),
        makeUser(makeToolResult("a", failure, { isError: true })),
        makeAssistant(answer),
        makeUser("go on"),
      ]),
      100,
    );
    const edits = leaveOutAllBut(view.conversation.messages, /keep/);
    const left = apply(openDraft(view.conversation), edits, { answers: [], hash: view.hash }).conversation.messages;
    expect(left.slice(2, 4)).toMatchObject([
      makeUser(makeToolResult("a", "...\nTypeError: total is undefined\n...", { isError: true })),
      makeAssistant("The lock is never released.\n(...)\nkeep this"),
    ]);
  });

  it("leaves out the text of an edit that failed or is not left, whatever is chosen, and says so", () => {
    const edit = (id: string, from: string, to: string, result: string, isError = false) => [
      makeAssistant(makeToolCall(id, { name: "Edit", input: { file_path: "a.ts", old_string: from, new_string: to } })),
      makeUser(makeToolResult(id, result, { isError })),
    ];
    const [first, second] = [`keep ${PLAIN} 1\n${PLAIN}`, `keep ${PLAIN} 2\n${PLAIN}`];
    const messages = [
      makeUser("go"),
      ...edit("a", "keep", first, "keep: updated"),
      ...edit("b", "keep", second, "keep: no match", true),
      ...edit("c", first, "keep", "keep: updated"),
      makeAssistant("keep"),
    ];
    const { conversation, hash } = makeTestView(makeConversation(messages), 100);
    const left = apply(openDraft(conversation), leaveOutAllBut(messages, /keep/), { answers: [], hash }).conversation;
    const mark = "[2 lines left out]";
    const inputs = left.messages.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.type === "tool-call" ? [block.input] : [])),
    );
    expect(inputs).toEqual([
      { file_path: "a.ts", old_string: "keep", new_string: mark },
      { file_path: "a.ts", old_string: "keep", new_string: mark },
      { file_path: "a.ts", old_string: first, new_string: "keep" },
    ]);
    expect([left.messages[2], left.messages[4]]).toEqual([
      makeUser(makeToolResult("a", "[done; later changes replaced all of it]")),
      makeUser(makeToolResult("b", "keep: no match", { isError: true })),
    ]);
  });

  it("plans nothing if everything is chosen", () => {
    expect(leaveOutAllBut([makeUser("go"), ...step("a", "all of it")], /./)).toEqual([]);
  });
});

it("uses parentheses in someone's own words", () => {
  const { contents } = decompose([
    makeUser("a question"),
    makeAssistant(["an answer", makeToolCall("a", { input: {} })]),
    makeUser(makeToolResult("a")),
  ]);
  expect(contents.map(markIn)).toEqual(["(...)", "(...)", "..."]);
});

describe("an argument", () => {
  const write = (content: string) => [
    makeUser("go"),
    makeAssistant(makeToolCall("a", { name: "write_file", input: { path: "a.ts", content } })),
    makeUser(makeToolResult("a", "keep")),
  ];
  const at = { message: 1, block: 0, path: ["content"] };

  it("is replaced as a whole if none of its lines is chosen", () => {
    const content = `${PLAIN}\n${PLAIN}\n${PLAIN}`;
    expect(leaveOutAllBut(write(content), /keep/)).toEqual([
      { kind: "splice", at, splices: [{ from: 0, to: content.length, text: "[3 lines left out]" }], reason: "cover" },
    ]);
  });

  it("is replaced by one mark around the chosen lines", () => {
    const content = `${PLAIN}\nkeep this\n${PLAIN}\nkeep that\nkeep those\n${PLAIN}\n`;
    const view = makeTestView(makeConversation(write(content)), 100);
    const edits = leaveOutAllBut(view.conversation.messages, /keep/);
    const [, call] = apply(openDraft(view.conversation), edits, { answers: [], hash: view.hash }).conversation.messages;
    expect(call?.blocks).toEqual([
      makeToolCall("a", {
        name: "write_file",
        input: { path: "a.ts", content: "[3 lines left out, except:\nkeep this\nkeep that\nkeep those\n]" },
      }),
    ]);
  });

  it("stays whole if most of it is chosen", () => {
    expect(leaveOutAllBut(write(`keep ${PLAIN}\nkeep ${PLAIN}\nkeep ${PLAIN}\n${PLAIN}`), /keep/)).toEqual([]);
  });
});

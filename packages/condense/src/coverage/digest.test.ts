import type { Message } from "@longhaul/conversation";
import {
  anyMessages,
  makeAgentLoop,
  makeAssistant,
  makeImage,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ask } from "../edits/edit.ts";
import { makeCounter } from "../testing/context.ts";
import { answerOffline, digest, STATE_OF_SUMMARY } from "./digest.ts";

const counter = makeCounter();

function answer(fields: Partial<Ask>): string {
  const ask = {
    kind: "ask",
    messages: [],
    instructions: "Sum up.",
    maxTokens: 200,
    expectedTokens: 100,
    ...fields,
  } as const;
  const given = answerOffline(ask, counter);
  return given.kind === "text" ? given.text : given.kind;
}

describe("answerOffline", () => {
  it("says which edits failed, without their text, and leaves out those that are not left", () => {
    const edit = (id: string, from: string, to: string, isError = false) => [
      makeAssistant(
        makeToolCall(id, { name: "Edit", input: { file_path: "src/parse.ts", old_string: from, new_string: to } }),
      ),
      makeUser(makeToolResult(id, isError ? "The old text was not found" : "ok", { isError })),
    ];
    const messages = [
      makeUser("Fix the parser."),
      ...edit("a", "return parseAll(text);", "return splitWords(text);"),
      ...edit("b", "return trimAll(text);", "return cutWords(text);", true),
      ...edit("c", "return splitWords(text);", "return parseAll(text);"),
    ];
    const text = digest(messages, 200, counter);
    expect(text.split("\n").slice(1)).toEqual([
      "Edit src/parse.ts (failed): The old text was not found",
      "Edit src/parse.ts:",
      "return splitWords(text);",
      "return parseAll(text);",
      "ok",
    ]);
  });

  it("ends with the state of the work: changed files, checks and findings", () => {
    const call = (id: string, name: string, input: Record<string, string>, result: string) => [
      makeAssistant(makeToolCall(id, { name, input })),
      makeUser(makeToolResult(id, result)),
    ];
    const messages = [
      makeUser("Fix the parser."),
      ...call("a", "Edit", { file_path: "src/parse.ts", old_string: "1", new_string: "splitWords()" }, "ok"),
      ...call("b", "Bash", { command: "npm test" }, `${"a line of a log\n".repeat(200)}12 tests passed`),
    ];
    const lines = answer({ messages, maxTokens: 400 }).split("\n");
    const state = lines.indexOf(STATE_OF_SUMMARY);
    expect(lines.slice(state + 1)).toEqual([
      "Files changed: src/parse.ts (edited: splitWords).",
      "Last checks: `npm test`: passed (12 tests passed).",
    ]);
  });

  it("prefers the closing report that names most to the latest one", () => {
    const filler = Array.from({ length: 60 }, (_, index) => `line ${index} of some text that is shown`).join("\n");
    const turn = (report: string) => [makeUser("Go on."), makeAssistant(filler), makeAssistant(report)];
    const full = `Fixed parseLine in src/parse.ts, splitWords in src/words.ts and wordBreak in src/break.ts.`;
    const messages = [...turn(full), ...turn("Done. All of it is in."), ...turn("Done. That is in, too.")];
    expect(answer({ messages, maxTokens: 120 })).toContain(full);
  });

  it("answers within the limit of the ask", () => {
    const { messages } = makeAgentLoop(30, 600);
    const text = answer({ messages, maxTokens: 120 });
    expect(counter.countText(text)).toBeLessThanOrEqual(120);
    expect(text).toContain("Read all files.");
  });

  it("quotes neither reminders of the client nor the tags around errors", () => {
    const result =
      "<tool_use_error>src/a.ts was not found.</tool_use_error>\n<system-reminder>\nNever say src/b.ts.\n</system-reminder>";
    const messages = [makeAssistant(makeToolCall("a")), makeUser(makeToolResult("a", result, { isError: true }))];
    const text = answer({ messages, previous: "word ".repeat(400), maxTokens: 400 });
    expect(text).toContain("src/a.ts was not found.");
    expect(text).not.toMatch(/tool_use_error|system-reminder|src\/b\.ts/);
  });

  it("quotes earlier texts of the assistant without terminal codes and tags of the client", () => {
    const said = "\u001b[31mThe parser fails.\u001b[0m\n<system-reminder>\nStay brief.\n</system-reminder>\nI read on.";
    const text = digest([makeUser("go"), makeAssistant(said), makeUser("go on"), makeAssistant("Done.")], 500, counter);
    expect(text).toContain("The parser fails.\nI read on.");
    for (const part of ["\u001b", "reminder", "brief"]) expect(text).not.toContain(part);
  });

  it("prefers the report at the end of a turn to later announcements", () => {
    const report = "Done. The parser reads empty files now.";
    const intents = Array.from({ length: 40 }, () => makeAssistant("Now let me look at the next one of them."));
    const messages = [makeUser("Go."), makeAssistant(report), makeUser("And more?"), ...intents];
    expect(answer({ messages, maxTokens: 60 })).toContain(report);
  });

  it("quotes the next steps of the latest text of the assistant only", () => {
    const report = (name: string) =>
      makeAssistant(`Added ${name}.ts.\n\nNext steps:\n1. Delete old-${name}.ts\n\nWant me to rename ${name}.ts?`);
    const messages = [makeUser("Go."), report("lines"), makeUser("ok"), report("words"), makeUser("x ".repeat(300))];
    const text = answer({ messages });
    expect(text).toContain("Added lines.ts.");
    expect(text).not.toMatch(/old-lines|rename lines/);
    expect(text).toContain("Next steps:\n1. Delete old-words.ts");
  });

  it("takes at most half of its input", () => {
    const messages = [makeUser("word ".repeat(80)), makeAssistant("word ".repeat(80))];
    expect(counter.countText(answer({ messages }))).toBeLessThanOrEqual(103);
  });

  it("updates an earlier summary", () => {
    const text = answer({
      previous: "The user wants src/a.ts renamed.",
      messages: [makeUser("And src/b.ts too, please."), makeAssistant("Both are done. ".repeat(20))],
    });
    expect(text).toContain("The user wants src/a.ts renamed.");
    expect(text).toContain("And src/b.ts too, please.");
  });

  it("does not repeat messages that stay in the conversation", () => {
    const done = `It is renamed to src/b.ts. ${"All is well. ".repeat(10)}`;
    const messages = [makeUser("Rename src/a.ts."), makeAssistant(done), makeUser("And test it.")];
    const text = answer({ messages, kept: [0, 2], previous: "The user wants a rename." });
    expect(text).toContain("The user wants a rename.");
    expect(text).not.toMatch(/Rename src\/a\.ts|test it/);
    expect(answer({ messages })).toContain("Rename src/a.ts.");
  });

  it("explains the dots between its lines", () => {
    const lines = answer({ messages: session, maxTokens: 150 }).split("\n");
    expect(lines[0]).toBe("Excerpts from the conversation; ... marks lines left out.");
    expect(lines).toContain("...");
    expect(answer({ messages: [makeUser("Only this line, and no other.")] })).not.toContain("Excerpts");
  });

  it("returns a text even for messages without text", () => {
    expect(answer({ messages: [makeUser(makeImage())] })).toBe("1 message without text.");
  });

  it("does not count messages that stay in the conversation as messages without text", () => {
    const messages = [makeUser("Look at this."), makeUser(makeImage()), makeUser(makeImage())];
    expect(answer({ messages, kept: [0] })).toBe("2 messages without text.");
  });
});

const filler = (name: string) =>
  Array.from({ length: 40 }, (_, index) => (index === 20 ? `export const ${name} = 1;` : `plain words ${index}`)).join(
    "\n",
  );

const session: readonly Message[] = [
  makeUser("Rename the helper, and keep src/api.ts as it is."),
  makeAssistant(["I look for it.", makeToolCall("a", { input: { path: "src/helper.ts" } })]),
  makeUser(makeToolResult("a", filler("theHelper"))),
  makeAssistant(
    makeToolCall("b", { name: "edit_file", input: { path: "src/helper.ts", new_string: filler("aHelper") } }),
  ),
  makeUser(makeToolResult("b", "Edited.")),
  makeAssistant("It is renamed to aHelper."),
];

describe("digest", () => {
  it("labels lines with their author, or with the tool and its subject", () => {
    const text = digest(session, 150, counter);
    expect(text).toContain("User: Rename the helper, and keep src/api.ts as it is.");
    expect(text).toMatch(/^read_file src\/helper\.ts:/m);
    expect(text).toContain("export const theHelper = 1;");
    expect(text).toContain("Assistant: It is renamed to aHelper.");
    expect(text).toMatch(/^\.\.\.$/m);
  });

  it("quotes only the latest to-do list, with a box for each item", () => {
    const list = (id: string, statuses: readonly string[]) => [
      makeAssistant(
        makeToolCall(id, {
          name: "TodoWrite",
          input: { todos: statuses.map((status, index) => ({ content: `Write part ${index}`, status })) },
        }),
      ),
      makeUser(makeToolResult(id, "Todos have been modified")),
    ];
    const messages = [
      ...list("a", ["in_progress", "pending", "pending"]),
      ...list("b", ["completed", "in_progress", "pending"]),
    ];
    const boxes = "[x] Write part 0\n[ ] Write part 1 (in progress)\n[ ] Write part 2";
    expect(digest(messages, 1_000, counter)).toBe(`TodoWrite:\n${boxes}`);
    expect(answer({ messages, maxTokens: 1_000, hasLaterList: true })).not.toContain("Write part");
  });

  it("quotes next steps only from the end of the conversation", () => {
    const messages = [...session, makeAssistant("The parser is done.\n\nNext steps:\n- Write the reader")];
    expect(answer({ messages, maxTokens: 1_000 })).toContain("Write the reader");
    expect(answer({ messages, maxTokens: 1_000, hasLaterAnswer: true })).not.toContain("Write the reader");
  });

  it("quotes what the assistant said it did before lines of files", () => {
    const said = ["I look at the parser first.", "Now the reader.", "The lock was never released."];
    const steps = said.flatMap((text, index) => [
      makeAssistant([text, makeToolCall(`c${index}`, { input: { path: `src/${index}.ts` } })]),
      makeUser(makeToolResult(`c${index}`, filler(`theHelper${index}`))),
    ]);
    const text = digest([makeUser("Find the fault."), ...steps], 140, counter);
    expect(said.filter((words) => text.includes(words))).toEqual(said);
  });

  it("keeps everything if it fits", () => {
    expect(digest([makeUser("One thing."), makeAssistant("Another.")], 100, counter)).toBe(
      "User: One thing.\nAssistant: Another.",
    );
  });

  it("stays within the limit, is deterministic, and is not empty if there is any text", () => {
    fc.assert(
      fc.property(anyMessages({ maxTurns: 4 }), fc.integer({ min: 4, max: 300 }), (messages, maxTokens) => {
        const text = digest(messages, maxTokens, counter);
        expect(counter.countText(text)).toBeLessThanOrEqual(maxTokens);
        expect(digest(messages, maxTokens, counter)).toBe(text);
        const isSaid = messages.some(({ blocks }) =>
          blocks.some((block) => block.type === "text" && /^\w/.test(block.text)),
        );
        if (isSaid) expect(text).not.toBe("");
      }),
    );
  });
});

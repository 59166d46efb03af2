import type { JsonObject } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { factsIn, latestLists, openTodos, withLatestLists } from "./fact.ts";

type Messages = ReturnType<typeof makeUser>[];

function facts(messages: Messages, previous?: string) {
  return factsIn({ contents: decompose(messages).contents, previous, todos: [] });
}

const words = (messages: Messages, previous?: string) => facts(messages, previous).map((fact) => fact.words);
const weightOf = (word: string, messages: Messages) => facts(messages).find((fact) => fact.words === word)?.weight ?? 0;

describe("factsIn", () => {
  it("finds the user's constraints and named terms", () => {
    expect(
      words([
        makeUser("Never touch src/api.ts in this work."),
        makeAssistant([
          "I look at the function filterReports first.",
          makeToolCall("a", { input: { path: "src/filter.ts" } }),
        ]),
      ]),
    ).toEqual(["Never touch src/api.ts in this work.", "src/api.ts", "filterReports", "src/filter.ts"]);
  });

  it("takes no terms from the middle of a long text of the user, which is pasted, but constraints", () => {
    const pasted = Array.from(
      { length: 20 },
      (_, index) => `  ${index} | import { part${index}Of } from "./lib/part.ts";`,
    );
    const text = [
      "Why does src/build.ts fail?",
      "",
      "",
      ...pasted,
      "Never touch src/api.ts.",
      "",
      "",
      "",
      "That was src/ci.ts on the server.",
    ];
    const longer = text.toSpliced(3, 0, ...Array(60).fill("Syncing the repository of src/runner.ts with a long line."));
    expect(words([makeUser(longer.join("\n"))])).toEqual(["Never touch src/api.ts.", "src/build.ts", "src/ci.ts"]);
    expect(words([makeUser(text.join("\n"))])).toEqual(["Never touch src/api.ts.", "src/build.ts", "src/ci.ts"]);
  });

  it("finds a constraint in a specification of any length, but not in the lines of a log", () => {
    const step =
      "The page shows the list of all reports that the server has written since the last visit of the reader.";
    const spec = Array.from({ length: 40 }, (_, index) => `${index + 1}. ${step}`);
    const rules = ["- You must never touch migrations/0007.sql.", "Error handling must stay in one place."];
    expect(words([makeUser(spec.toSpliced(20, 0, ...rules).join("\n"))])).toEqual([
      "You must never touch migrations/0007.sql.",
      "Error handling must stay in one place.",
    ]);
    const log = [
      "2026-01-31T10:00:00Z You must never run this as root",
      "npm warn deprecated: you should not use this package",
      "ERROR the runner cannot find the folder",
      "src/lib/part.ts:12:3: a name must not begin with a digit",
      "hint: make sure that the branch exists",
    ];
    expect(words([makeUser(spec.toSpliced(20, 0, ...log).join("\n"))])).toEqual([]);
  });

  it("takes the user's own words as they are, whatever an assistant would mean by them", () => {
    const task = ["## Next steps", "- You must keep src/a.ts.", "Now update src/b.ts to match.", "x".repeat(3_000)];
    expect(words([makeUser(task.join("\n"))])).toEqual(["You must keep src/a.ts.", "src/a.ts", "src/b.ts"]);
  });

  it("takes a failed edit for repaired only if a later change of the file succeeded", () => {
    const call = (id: string, name: string, isError: boolean) => [
      makeAssistant(makeToolCall(id, { name, input: { file_path: "src/a.ts" } })),
      makeUser(makeToolResult(id, isError ? "Cannot find the text in src/gone.ts at all." : "ok", { isError })),
    ];
    const failed = call("a", "Edit", true);
    expect(words([...failed, ...call("b", "Read", false)])).toContain("src/gone.ts");
    expect(words([...failed, ...call("b", "Edit", false)])).not.toContain("src/gone.ts");
    expect(words([...call("a", "Read", true), ...call("b", "Read", false)])).not.toContain("src/gone.ts");
  });

  it("quotes an error without terminal codes", () => {
    const messages = [
      makeAssistant(makeToolCall("a", { name: "bash", input: { command: "npm test" } })),
      makeUser(makeToolResult("a", "\u001b[31mCannot find src/gone.ts\u001b[0m at all.", { isError: true })),
    ];
    expect(facts(messages).map(({ line }) => line)).toContain("Cannot find src/gone.ts at all.");
  });

  it("ignores errors that a later run of the same command repaired", () => {
    const run = (id: string, text: string, isError: boolean) => [
      makeAssistant(makeToolCall(id, { name: "bash", input: { command: "npm test -- --run" } })),
      makeUser(makeToolResult(id, text, { isError })),
    ];
    const failed = run("a", "Cannot find src/gone.ts (ENOENT).", true);
    expect(words(failed)).toContain("src/gone.ts");
    expect(words([...failed, ...run("b", "All passed.", false)])).toEqual([]);
  });

  it("ignores terms only in tool results, but not in errors", () => {
    const result = (isError: boolean) => [
      makeAssistant(makeToolCall("a", { input: { command: "ls" } })),
      makeUser(makeToolResult("a", "The file src/gone.ts is not there after 1234 ms, ENOENT it says.", { isError })),
    ];
    expect(words(result(false))).toEqual([]);
    expect(words(result(true))).toEqual(["src/gone.ts", "ENOENT"]);
  });

  it("ignores what the assistant announces or offers", () => {
    const said =
      "Now update src/a.ts to match.\nNext is src/b.ts then.\nWant me to start with src/c.ts?\nI fixed src/d.ts too.";
    expect(words([makeAssistant(said)])).toEqual(["src/d.ts"]);
  });

  it("keeps the shortest sentence of the most important source for each fact", () => {
    const found = facts([
      makeAssistant("Now src/a.ts it is, then."),
      makeUser("The date is lost somewhere in src/a.ts I think."),
      makeUser("Look into src/a.ts once more."),
    ]);
    expect(found).toMatchObject([{ line: "Look into src/a.ts once more." }]);
  });

  it("gives more weight to the user's, frequent and recent terms", () => {
    const once = makeAssistant("It is in src/a.ts somewhere.");
    const other = makeAssistant("Something else was looked at here.");
    expect(weightOf("src/a.ts", [makeUser("It is in src/a.ts somewhere.")])).toBeGreaterThan(
      weightOf("src/a.ts", [once]),
    );
    expect(weightOf("src/a.ts", [once, once])).toBeGreaterThan(weightOf("src/a.ts", [once]));
    expect(weightOf("src/a.ts", [other, once])).toBeGreaterThan(weightOf("src/a.ts", [once, other]));
  });

  it("gives the terms of a long text of a few lines no more weight than those of the assistant", () => {
    const paste = "It is in src/a.ts somewhere. ".repeat(120);
    expect(weightOf("src/a.ts", [makeUser(paste)])).toBe(weightOf("src/a.ts", [makeAssistant(paste)]));
  });

  it("keeps the facts of an earlier summary", () => {
    expect(words([], "The bug was in src/old.ts all along.")).toEqual(["src/old.ts"]);
  });
});

const open = (...messages: ReturnType<typeof makeUser>[]) =>
  openTodos(decompose(makeConversation(messages).messages).contents);
const plan = (id: string, ...todos: { content: string; status: string }[]) =>
  makeAssistant(makeToolCall(id, { name: "TodoWrite", input: { todos } }));

/** In two parts, because the word itself marks unfinished work. */
const MARK = ["TO", "DO"].join("");

describe("openTodos", () => {
  it('finds unchecked boxes and lines that start with "to-do"', () => {
    expect(
      open(makeUser(`- [ ] write tests\n- [x] fix the bug\n1. [ ] release\n${MARK}: ask Ada\nno ${MARK} here`)),
    ).toEqual([
      { item: "write tests", message: 0 },
      { item: "release", message: 0 },
      { item: "ask Ada", message: 0 },
    ]);
  });

  it("takes no file or name that starts with the word for a to-do", () => {
    expect(
      open(makeUser(`${MARK}.md lists the plan\n${MARK} API returns 404\n${MARK}(Ada): call\n- ${MARK} - ask`)),
    ).toEqual([
      { item: "call", message: 0 },
      { item: "ask", message: 0 },
    ]);
  });

  it("respects boxes checked later", () => {
    expect(open(makeUser("- [ ] write tests\n- [ ] release"), makeAssistant("- [x] write tests"))).toEqual([
      { item: "release", message: 0 },
    ]);
  });

  it("uses the latest list of a tool", () => {
    const first = plan("a", { content: "read", status: "in_progress" }, { content: "write", status: "pending" });
    const second = plan("b", { content: "read", status: "completed" }, { content: "write", status: "in_progress" });
    expect(open(first)).toEqual([
      { item: "read", message: 0 },
      { item: "write", message: 0 },
    ]);
    expect(open(first, second)).toEqual([{ item: "write", message: 1 }]);
  });

  it("uses the latest list with boxes that a tool sets", () => {
    const set = (id: string, todos: string) =>
      makeAssistant(makeToolCall(id, { name: "update_todo_list", input: { todos } }));
    expect(open(set("a", "[ ] read\n[ ] dropped later"), set("b", "[x] read\n[-] write\n[ ] test"))).toEqual([
      { item: "write", message: 1 },
      { item: "test", message: 1 },
    ]);
  });

  it("closes a list that a later call empties, unless that call failed", () => {
    const list = [plan("a", { content: "read", status: "pending" }), makeUser(makeToolResult("a", "ok"))];
    const empty = (isError: boolean) => [plan("b"), makeUser(makeToolResult("b", "ok", { isError }))];
    expect(open(...list, ...empty(false))).toEqual([]);
    expect(open(...list, ...empty(true))).toEqual([{ item: "read", message: 0 }]);
    const { contents } = decompose([...list, ...empty(false)]);
    expect([...latestLists(contents)]).toEqual([]);
    expect(withLatestLists(contents, false).filter(({ level }) => level === "parameters")).toEqual([]);
    const text = makeAssistant(makeToolCall("b", { name: "update_todo_list", input: { todos: "\n" } }));
    expect(open(...list, text, makeUser(makeToolResult("b", "ok")))).toEqual([]);
  });

  it("uses nothing but the latest list once a tool sets one", () => {
    const done = plan("a", { content: "read", status: "completed" });
    expect(open(makeUser("- [ ] write tests"), done, makeAssistant("- [ ] release"))).toEqual([]);
  });

  it("reads boxes from a plan file until it is deleted, but not from commands and other arguments", () => {
    const call = (id: string, name: string, input: JsonObject) => makeAssistant(makeToolCall(id, { name, input }));
    const write = call("a", "Write", { file_path: "/app/plan.md", content: "- [ ] one\n- [ ] two\n- [ ] three" });
    const edit = call("b", "Edit", { file_path: "/app/plan.md", old_string: "- [ ] one", new_string: "- [x] one" });
    const drop = call("c", "Edit", { file_path: "/app/plan.md", old_string: "- [ ] two", new_string: "" });
    expect(open(write, edit, drop)).toEqual([{ item: "three", message: 0 }]);
    expect(open(write, call("d", "Bash", { command: "cd /app && rm plan.md" }))).toEqual([]);
    expect(open(write, call("d", "Bash", { command: "mv /app/plan.md /app/old.md; rm /app/old.md" }))).toEqual([]);
    expect(open(call("a", "Bash", { command: "gh pr create --body-file - <<EOF\n- [ ] checked\nEOF" }))).toEqual([]);
    expect(open(call("a", "create_pull_request", { body: "- [ ] I ran the tests" }))).toEqual([]);
  });

  it("returns the newest boxes first", () => {
    expect(open(makeUser("- [ ] one\n- [ ] two"), makeAssistant("- [ ] three")).map(({ item }) => item)).toEqual([
      "three",
      "one",
      "two",
    ]);
  });

  it("ignores tool results and lists without a status", () => {
    const call = makeToolCall("a", { input: { files: [{ path: "a.ts" }] } });
    expect(open(makeAssistant(call), makeUser(makeToolResult("a", "- [ ] an issue template")))).toEqual([]);
  });
});

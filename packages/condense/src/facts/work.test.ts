import type { JsonObject, Message } from "@longhaul/conversation";
import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { makeCounter } from "../testing/context.ts";
import { workFacts } from "./work.ts";

const counter = makeCounter();
let calls = 0;

function use(name: string, input: JsonObject, result: string, isError = false): Message[] {
  const id = `c${calls++}`;
  return [makeAssistant(makeToolCall(id, { name, input })), makeUser(makeToolResult(id, result, { isError }))];
}

function facts(messages: readonly Message[], { keptText = "", maxTokens = 500 } = {}): string[] {
  return workFacts({ contents: decompose(messages).contents, keptText, maxTokens, counter });
}

describe("workFacts", () => {
  it("lists the open items of the latest to-do list", () => {
    const list = (items: readonly (readonly [string, string])[]) =>
      use("TodoWrite", { todos: items.map(([content, status]) => ({ content, status })) }, "ok");
    const messages = [
      ...list([
        ["Write the parser", "in_progress"],
        ["Old idea", "pending"],
      ]),
      ...list([
        ["Write the parser", "completed"],
        ["Test the parser", "in_progress"],
        ["Publish", "pending"],
      ]),
    ];
    expect(facts(messages)).toEqual(["Open to-dos: Test the parser; Publish."]);
    expect(facts(messages, { keptText: "- Test the parser\n- Publish" })).toEqual([]);
    expect(facts([...messages, ...list([])])).toEqual([]);
  });

  it("reads plans and lists with boxes", () => {
    const plan = use(
      "update_plan",
      {
        plan: [
          { step: "Read", status: "completed" },
          { step: "Fix", status: "pending" },
        ],
      },
      "ok",
    );
    expect(facts(plan)).toEqual(["Open to-dos: Fix."]);
    const boxes = [
      ...use("update_todo_list", { todos: "[ ] One\n[ ] Gone" }, "ok"),
      ...use("update_todo_list", { todos: "[x] One\n[-] Two\n[ ] Three" }, "ok"),
    ];
    expect(facts(boxes)).toEqual(["Open to-dos: Two; Three."]);
    expect(facts([makeAssistant("- [x] first\n- [ ] second")])).toEqual(["Open to-dos: second."]);
  });

  it("lists deleted files first, then changed files with their changes, the latest first", () => {
    const messages = [
      ...use("Write", { file_path: "a.ts", content: "1" }, "ok"),
      ...use("Read", { file_path: "b.ts" }, "text"),
      ...use("Edit", { file_path: "b.ts", old_string: "1", new_string: "2" }, "ok"),
      ...use("Edit", { file_path: "b.ts", old_string: "2", new_string: "3" }, "ok"),
      ...use("Edit", { file_path: "a.ts", old_string: "1", new_string: "2" }, "ok"),
      ...use("Edit", { file_path: "d.ts", old_string: "1", new_string: "2" }, "no such file", true),
      ...use("Bash", { command: "rm c.ts" }, ""),
      ...use("Edit", { file_path: "d.ts", old_string: "1", new_string: "2" }, "ok"),
    ];
    expect(facts(messages)).toEqual([
      "Files deleted: c.ts.",
      "Files changed: d.ts (edited); a.ts (created, edited); b.ts (edited 2 times).",
    ]);
  });

  it("lists a moved file with its edits under its new name", () => {
    const bash = (command: string) => use("Bash", { command }, "");
    const edit = (path: string) => use("Edit", { file_path: path, old_string: "1", new_string: "2" }, "ok");
    const read = (path: string) => use("Read", { file_path: path }, "text");
    const messages = [
      ...read("/app/src/main.ts"),
      ...read("/app/src/tui/list.ts"),
      ...bash("cp /app/src/main.ts /app/src/main-new.ts"),
      ...edit("/app/src/main-new.ts"),
      ...edit("/app/src/shell.ts"),
      ...edit("/app/src/config.ts"),
      ...bash("cd /app/src && mv config.ts shell.ts utils/"),
      ...bash("cd /app/src && rm main.ts 2>/dev/null; mv main-new.ts main.ts && mv tui core/ && mv utils/config.ts ."),
    ];
    expect(facts(messages)).toEqual([
      "Files changed in /app/src/: config.ts (edited); core/tui (moved from src/); main.ts (edited 2 times); utils/shell.ts (moved from src/, edited).",
      "Other files read: /app/src/core/tui/list.ts.",
    ]);
  });

  it("does not list a file as deleted that exists again, nor its folder", () => {
    const bash = (command: string) => use("Bash", { command }, "");
    const messages = [
      ...use("Read", { file_path: "/app/gone.ts" }, "text"),
      ...use("Read", { file_path: "/home/someone" }, "a b"),
      ...use("Read", { file_path: "/app" }, "a b"),
      ...bash("rm -rf dist old/parts lib; rm a.ts b.ts /app/gone.ts pi-session-*.html"),
      ...bash("cp c.ts a.ts; mkdir -p lib"),
      ...use("Write", { file_path: "dist/new.js", content: "" }, "ok"),
      ...bash('for f in *.ts; do mv "$f" old/parts/; done'),
    ];
    expect(facts(messages)).toEqual([
      "Files deleted: /app/gone.ts; b.ts.",
      "Files changed: dist/new.js (created); a.ts (edited).",
    ]);
  });

  it("does not count a patch or an edit that was rejected", () => {
    const patch = (file: string) => ({ command: `apply_patch <<'EOF'\n*** Update File: ${file}\n@@\nEOF` });
    const messages = [
      ...use("shell", patch("a.ts"), '{"output":"Failed to find context","metadata":{"exit_code":1}}'),
      ...use("shell", patch("e.ts"), 'error: Failed to find expected lines ["let a"] in /home/user/e.ts'),
      ...use("shell", patch("f.ts"), '{"output":"error: Failed to find expected lines in f.ts"}'),
      ...use("shell", patch("b.ts"), '{"output":"Success","metadata":{"exit_code":0}}'),
      ...use("edit", { path: "c.ts" }, "Error: could not find the text to replace"),
      ...use("Bash", { command: "cat > d.py <<EOF\n1\nEOF\npython d.py" }, "Traceback (most recent call last)"),
    ];
    expect(facts(messages)[0]).toBe("Files changed: d.py (created); b.ts (edited).");
  });

  it("lists the other files that were read, by a tool or by a command", () => {
    const messages = [
      ...use("Read", { file_path: "src/a.ts" }, "text"),
      ...use("Bash", { command: "cd x && sed -n '1,20p' src/b.ts | head -5; cat package.json" }, "text"),
      ...use("Read", { file_path: "src/c.ts" }, "text"),
      ...use("Edit", { file_path: "src/c.ts", old_string: "1", new_string: "2" }, "ok"),
      ...use("Read", { file_path: "gone.ts" }, "no such file", true),
    ];
    expect(facts(messages)).toEqual([
      "Files changed: src/c.ts (edited).",
      "Other files read: src/b.ts; package.json; src/a.ts.",
    ]);
  });

  it("lists files that a shell prints or searches", () => {
    const shell = (command: string) => use("shell", { command: ["bash", "-lc", command] }, "text");
    const messages = [
      ...shell("sed -n '1,120p' src/a.ts"),
      ...shell("nl -ba src/b.ts | sed -n '5,9p'"),
      ...shell('rg -n "one|two" src/c.ts'),
      ...shell("rg -n three src"),
    ];
    expect(facts(messages)).toEqual(["Files read: src/c.ts; src/b.ts; src/a.ts."]);
  });

  it("lists findings of the assistant that the text lacks, but no plans, questions or offers", () => {
    const messages = [
      makeAssistant("The root cause is a missing await in save(). Let me fix what I found there."),
      makeAssistant("All 12 tests pass now that the lock is released.\n\nLet me know if anything fails."),
    ];
    const [pass, cause] = [
      "All 12 tests pass now that the lock is released",
      "The root cause is a missing await in save()",
    ];
    expect(facts(messages)).toEqual([`Findings, latest first: ${pass}; ${cause}.`]);
    expect(facts(messages, { keptText: `Done. ${pass}.` })).toEqual([`Findings, latest first: ${cause}.`]);
  });

  it("names the latest additions to a changed file if there is room", () => {
    const patch =
      "*** Begin Patch\n*** Update File: c.ts\n-const oldName = 1;\n+const newName = oldName;\n*** End Patch";
    const messages = [
      ...use("Write", { file_path: "a.ts", content: "export function parseLine() {}\nclass Reader {}" }, "ok"),
      ...use("Edit", { file_path: "b.ts", old_string: "call(oneName)", new_string: "call(oneName, twoNames)" }, "ok"),
      ...use("apply_patch", { input: patch }, "ok"),
      ...use("Bash", { command: "cat > d.py <<EOF\ndef read_all():\n  pass\nEOF\npython d.py" }, "ok"),
    ];
    expect(facts(messages)).toEqual([
      "Files changed: d.py (created: read_all); c.ts (edited: newName); b.ts (edited: twoNames); a.ts (created: parseLine, Reader).",
    ]);
    expect(facts(messages, { maxTokens: 45 })).toEqual([
      "Files changed: d.py (created); c.ts (edited); b.ts (edited); a.ts (created).",
    ]);
  });

  it("lists no names of the language for a changed file", () => {
    const edit = { file_path: "a.ts", old_string: "x", new_string: "console.error(Object.keys(lockTable))" };
    expect(facts(use("Edit", edit, "ok"))).toEqual(["Files changed: a.ts (edited: lockTable)."]);
  });

  it("lists no name that a later edit removed", () => {
    const edit = (from: string, to: string) =>
      use("Edit", { file_path: "a.ts", old_string: from, new_string: to }, "ok");
    const messages = [...edit("x", "on(agentEnd);\non(agentStart);"), ...edit("on(agentEnd);", "flushQueue();")];
    expect(facts(messages)).toEqual(["Files changed: a.ts (edited 2 times: flushQueue, agentStart)."]);
  });

  it("gives a file one name, whatever path a tool used", () => {
    const messages = [
      ...use("Read", { file_path: "/home/project/src/a.ts" }, "text"),
      ...use("Bash", { command: "cat src/a.ts; head -5 ./src/b.ts; cat /home/project" }, "text"),
      ...use("Edit", { file_path: "/home/project/src/b.ts", old_string: "1", new_string: "2" }, "ok"),
    ];
    expect(facts(messages)).toEqual([
      "Files changed: /home/project/src/b.ts (edited).",
      "Other files read: /home/project/src/a.ts.",
    ]);
  });

  it("writes the common folder of files once, and then by folder, if they do not fit", () => {
    const read = ["one/a", "one/b", "one/c", "two/d"].map((name) =>
      use("Read", { file_path: `/home/project/packages/${name}.ts` }, "text"),
    );
    expect(facts(read.flat(), { maxTokens: 60 })).toEqual([
      "Files read in /home/project/packages/: two/d.ts; one/c.ts; one/b.ts; one/a.ts.",
    ]);
    expect(facts(read.flat(), { maxTokens: 19 })).toEqual([
      "Files read in /home/project/packages/: two/d.ts; one/{c.ts, b.ts, a.ts}.",
    ]);
  });

  it("lists files with the same change together if they do not fit otherwise", () => {
    const messages = [
      ...use("Write", { file_path: "/app/src/core/new.ts", content: "" }, "ok"),
      ...use("Bash", { command: "cd /app/src && mv shell.ts fuzzy.ts tools core/ && mv old.ts renamed.ts" }, ""),
    ];
    expect(facts(messages, { maxTokens: 84 })).toEqual([
      "Files changed in /app/src/: renamed.ts (moved from old.ts); core/{tools, fuzzy.ts, shell.ts (moved from src/); new.ts (created)}.",
    ]);
  });

  it("lists the commits that were made, the latest first", () => {
    const commit = (output: string) => use("Bash", { command: "git add -A && git commit -m x" }, output);
    const messages = [
      ...commit("[main (root-commit) 1a2b3c4] Add the parser\n 1 file changed"),
      ...commit("nothing to commit, working tree clean"),
      ...commit("[detached HEAD 3c4d5e6] Add the tests\n 1 file changed"),
      ...commit("Checked 3 files.\n[main 5d6e7f8] fix: read empty lines.\n 2 files changed"),
      ...use("Bash", { command: "git log -1 | cat notes.txt" }, "[main 9999999] is what it printed"),
    ];
    expect(facts(messages)[0]).toBe(
      "Commits, latest first: 5d6e7f8 fix: read empty lines; 3c4d5e6 Add the tests; 1a2b3c4 Add the parser.",
    );
    const rebased = [...messages, ...use("Bash", { command: "git rebase main" }, "Successfully rebased")];
    expect(facts(rebased)[0]).toContain("latest first: 5d6e7f8 (before a rebase) fix: read empty lines;");
    const keptText = "[main 5d6e7f8] fix\n[detached HEAD 3c4d5e6] Add\n[main 1a2b3c4] Add";
    expect(facts(messages, { keptText })[0]).not.toContain("Commits");
  });

  it("reports no failure that a call of the same kind repaired", () => {
    const failed = use("Bash", { command: "kubectl apply -f export.yaml" }, "error: no such host\nexit code 1");
    const passed = use("Bash", { command: "kubectl apply -k ." }, "configured");
    expect(facts([...failed, ...passed])).toEqual([]);
    expect(facts([...passed, ...failed])).toEqual(["Failed last: Bash kubectl apply -f: error: no such host."]);
    const misread = use("Read", { file_path: "src" }, "Error: EISDIR", true);
    expect(facts([...passed, ...misread])).toEqual([]);
    const edit = (isError: boolean) => use("Edit", { file_path: "a.ts" }, isError ? "Error: not found" : "ok", isError);
    expect(facts([...edit(true), ...edit(false)])).toEqual(["Files changed: a.ts (edited)."]);
  });

  it("reports what the end of the output says, not what a hook prints before", () => {
    const push = (output: string) => use("Bash", { command: "git push" }, output);
    const hook = "FAIL src/old.test.ts\nhook: command failed, ignored";
    expect(facts(push(`${hook}\nTo github.com:a/b\n   1a2b3c4..5d6e7f8  main -> main`))).toEqual([]);
    expect(facts(push("Enumerating objects: 5\nfatal: unable to access the remote"))).toEqual([
      "Failed last: Bash git push: fatal: unable to access the remote.",
    ]);
    expect(facts(use("Bash", { command: "cat logs/app.log" }, "error: yesterday"))).toEqual([
      "Files read: logs/app.log.",
    ]);
    const edit = use("Edit", { file_path: "a.ts", old_string: "1" }, "String to replace not found in file.", true);
    expect(facts(edit)).toEqual(["Failed last: Edit a.ts: String to replace not found in file."]);
  });

  it("reports the latest failure unless the same call succeeded later", () => {
    const failed = use("Bash", { command: "npm start" }, "3 found\nTypeError: x is undefined\nexit code 1");
    expect(facts(failed)).toEqual(["Failed last: Bash npm start: TypeError: x is undefined."]);
    expect(facts(failed, { keptText: "TypeError: x is undefined" })).toEqual([]);
    expect(facts([...failed, ...use("Bash", { command: "npm start" }, "listening")])).toEqual([]);
    const edit = use("Edit", { file_path: "a.ts", old_string: "1", new_string: "2" }, "ok");
    expect(facts([...failed, ...edit])[1]).toBe(
      "Failed last: Bash npm start (before the last changes): TypeError: x is undefined.",
    );
    const remote = use("Bash", { command: "powershell -c git pull" }, "fatal: no such ref");
    const other = use("Bash", { command: "powershell -c 'dir'" }, "a.ts");
    expect(facts([...remote, ...other])).toEqual(["Failed last: Bash git pull: fatal: no such ref."]);
  });

  it("names the commands that may have failed", () => {
    const run = use("Bash", { command: "cd app && git status; echo '==='; git pull 2>&1" }, "fatal: no such ref\n===");
    expect(facts(run)).toEqual(["Failed last: Bash git status; git pull: fatal: no such ref."]);
  });

  it("reports the last run of a check that the text lacks, whether it failed or passed", () => {
    const failed = use("Bash", { command: "npm test" }, "Tests: 1 failed, 3 passed\nexit code 1");
    const passed = use("Bash", { command: "npm test" }, "Tests: 4 passed");
    expect(facts([...passed, ...failed])).toEqual(["Last checks: `npm test`: failed (Tests: 1 failed, 3 passed)."]);
    expect(facts([...failed, ...passed])).toEqual(["Last checks: `npm test`: passed (Tests: 4 passed)."]);
    expect(facts([...failed, ...passed], { keptText: "Tests: 4 passed" })).toEqual([]);
    const lint = use("Bash", { command: "npm run lint" }, "2 errors\nexit code 1");
    expect(facts([...lint, ...passed], { keptText: "Tests: 4 passed" })).toEqual([
      "Last checks: `npm test`: passed (Tests: 4 passed); `npm run lint`: failed (2 errors).",
    ]);
  });

  it("shortens each line to its limit", () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      use("Write", { file_path: `src/part-${index}.ts`, content: "" }, "ok"),
    ).flat();
    const [line = ""] = facts(many, { maxTokens: 60 });
    expect(line).toMatch(/^Files changed: src\/\{part-59\.ts, .* \(created\)\}; and \d+ more\.$/);
    expect(counter.countText(line)).toBeLessThanOrEqual(60);
    expect(facts(many, { maxTokens: 2 })).toEqual([]);
  });
});

import type { JsonValue } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { fileChangesOf, isRemovedText } from "./file-changes.ts";

function changes(name: string, input: JsonValue): string[] {
  const use = { name, input, callMessage: 0, resultMessage: 1, isError: false };
  return fileChangesOf(use).map(({ kind, path, to }) => `${kind} ${path}${to === undefined ? "" : ` to ${to}`}`);
}

describe("fileChangesOf", () => {
  it("reads the file from the arguments of writing and editing tools", () => {
    expect(changes("Write", { file_path: "src/a.ts", content: "x" })).toEqual(["write src/a.ts"]);
    expect(changes("str_replace_editor", { command: "str_replace", path: "b.py" })).toEqual(["edit b.py"]);
    expect(changes("Read", { file_path: "src/a.ts" })).toEqual([]);
  });

  it("reads the files from the headers of a patch, also inside a command", () => {
    const patch = [
      "*** Begin Patch",
      "*** Add File: docs/new page.md",
      "+text",
      "*** Update File: src/a.ts",
      "*** Delete File: old.ts",
      "*** End Patch",
    ].join("\n");
    const expected = ["write docs/new page.md", "edit src/a.ts", "delete old.ts"];
    expect(changes("apply_patch", { input: patch })).toEqual(expected);
    expect(changes("shell", { command: ["apply_patch", patch] })).toEqual(expected);
  });

  it("reads the files that a shell command writes from a here document or removes", () => {
    expect(changes("bash", { command: "cat > src/a.py <<'EOF'\nx = 1\nEOF" })).toEqual(["write src/a.py"]);
    expect(changes("bash", { command: "cat <<EOF > /app/b.sh\necho\nEOF" })).toEqual(["write /app/b.sh"]);
    expect(changes("bash", { command: "npm test && rm -rf dist build/x.js" })).toEqual([
      "delete dist",
      "delete build/x.js",
    ]);
    expect(changes("bash", { command: "grep -rn rm src | cat" })).toEqual([]);
  });

  it("reads the files that a shell command edits in place or an inline Python program opens for writing", () => {
    expect(changes("bash", { command: "sed -i 's/a b/c/' src/a.py && sed -n -i.bak '5d' b.ts" })).toEqual([
      "edit src/a.py",
      "edit b.ts",
    ]);
    expect(changes("bash", { command: "sed -n 's/x-mini/y/p' src/a.py" })).toEqual([]);
    const program = "text = open('src/a.py').read()\nopen('src/a.py', 'w').write(text)";
    expect(changes("bash", { command: `python3 - <<'EOF'\n${program}\nEOF` })).toEqual(["edit src/a.py"]);
    expect(changes("bash", { command: `cat > b.py <<'EOF'\n${program}\nEOF` })).toEqual(["write b.py"]);
  });

  it("reads the files that a shell command moves or copies, in the order of its commands", () => {
    expect(changes("bash", { command: "cd /app/src && rm a.ts 2>/dev/null && mv b.ts a.ts; cp a.ts ../c.ts" })).toEqual(
      ["delete /app/src/a.ts", "move /app/src/b.ts to /app/src/a.ts", "write /app/c.ts"],
    );
    expect(
      changes("execute_command", { command: "Remove-Item -Force a.ts; move-item -Path b.ts -Destination c.ts" }),
    ).toEqual(["delete a.ts", "move b.ts to c.ts"]);
    expect(changes("bash", { command: "git mv one.ts 'two.ts' lib/ && mv theme/* ui/theme/" })).toEqual([
      "move one.ts to lib/one.ts",
      "move two.ts to lib/two.ts",
      "move theme to ui/theme",
    ]);
    expect(changes("bash", { command: "cat > a.sh <<'EOF'\nrm b.sh\nEOF\nrm a.sh" })).toEqual([
      "write a.sh",
      "delete a.sh",
    ]);
  });

  it("takes no redirection, pattern, variable or quoted text for a file", () => {
    expect(changes("bash", { command: "rm out-*.html $FILE 2>/dev/null >log 2>&1" })).toEqual([]);
    expect(changes("bash", { command: 'git commit -m "first; rm b.ts\nrm c.ts"' })).toEqual([]);
    expect(changes("bash", { command: "mv *.ts src" })).toEqual(["restore src"]);
  });

  it("takes a path that git checks out for one that exists again", () => {
    const command = "rm a.ts b.ts && git checkout -- a.ts; git restore b.ts";
    expect(changes("bash", { command })).toEqual(["delete a.ts", "delete b.ts", "restore a.ts", "restore b.ts"]);
  });

  it("reads the new name of a file from a patch", () => {
    expect(changes("apply_patch", { input: "*** Update File: a.ts\n*** Move to: b.ts\n@@" })).toEqual([
      "edit a.ts",
      "move a.ts to b.ts",
    ]);
  });

  it("ignores commands in other tools", () => {
    expect(changes("web_search", { query: "rm -rf dist" })).toEqual([]);
  });
});

describe("isRemovedText", () => {
  const isRemoved = (key: string) => isRemovedText({ at: { message: 0, block: 0, path: ["edits", key] } });

  it("knows an argument by a word of its name", () => {
    expect(
      ["old_string", "oldText", "old", "search", "textToFind", "OLD", "SEARCH_TEXT"].filter(isRemoved),
    ).toHaveLength(7);
    expect(
      ["threshold", "placeholder", "folder", "bold", "research", "findings", "new_string"].filter(isRemoved),
    ).toEqual([]);
  });
});

import type { JsonValue } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { fileChangesOf } from "./file-changes.ts";

function changes(name: string, input: JsonValue): string[] {
  const use = { name, input, callMessage: 0, resultMessage: 1, isError: false };
  return fileChangesOf(use).map(({ kind, path }) => `${kind} ${path}`);
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

  it("ignores commands in other tools", () => {
    expect(changes("web_search", { query: "rm -rf dist" })).toEqual([]);
  });
});

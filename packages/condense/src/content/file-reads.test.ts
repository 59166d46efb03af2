import type { JsonValue } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { filesReadBy } from "./file-reads.ts";

function files(name: string, input: JsonValue): readonly string[] {
  return filesReadBy({ name, input, callMessage: 0, resultMessage: 1, isError: false });
}

describe("filesReadBy", () => {
  it("reads the file from the arguments of a reading tool", () => {
    expect(files("Read", { file_path: "src/a.ts" })).toEqual(["src/a.ts"]);
    expect(files("Edit", { file_path: "src/a.ts" })).toEqual([]);
  });

  it("reads the files that a shell command prints or searches, but no folders", () => {
    expect(files("bash", { command: "cd app && sed -n '1,20p' src/a.ts | head -5; cat lib/Makefile" })).toEqual([
      "src/a.ts",
      "lib/Makefile",
    ]);
    expect(files("shell", { command: ["bash", "-lc", 'rg -n "one|two" src/c.ts'] })).toEqual(["src/c.ts"]);
    expect(files("bash", { command: "cat /home/someone/project; cat /dev/null; rg -n one src" })).toEqual([]);
  });
});

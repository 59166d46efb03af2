import type { JsonValue } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import type { Content, Level } from "../content/content.ts";
import {
  consolidatedMarker,
  describe as describeContent,
  obsoleteMarker,
  referenceMarker,
  repeatedReadMarker,
} from "./marker.ts";

function content(
  name: string,
  input: JsonValue,
  level: Level = "result",
  path: readonly (string | number)[] = [0],
): Content {
  const use = { name, input, callMessage: 0, resultMessage: 1, isError: false };
  return { at: { message: 1, block: 0, path }, from: 0, to: 1, text: "x", level, role: "user", use };
}

const read = content("Read", { file_path: "/home/dev/project/src/core/main.ts" });
const pointer = {
  message: 14,
  block: 0,
  name: describeContent(read),
  lines: { first: 12, last: 57 },
  isNamed: false,
  isContinued: false,
};

describe("referenceMarker", () => {
  it("names the position of the lines and that they are unchanged", () => {
    expect(referenceMarker(pointer)).toBe("⟨ See message #14 for Read core/main.ts lines 12-57, unchanged ⟩");
    expect(referenceMarker({ ...pointer, block: 2, lines: { first: 3, last: 3 } })).toBe(
      "⟨ See message #14.3 for Read core/main.ts line 3, unchanged ⟩",
    );
  });

  it("names the line numbers here if they differ", () => {
    expect(referenceMarker({ ...pointer, here: { first: 30, last: 75 } })).toContain(
      "lines 12-57 (here 30-75), unchanged",
    );
    expect(referenceMarker({ ...pointer, here: null })).toContain("lines 12-57 (here without numbers), unchanged");
  });

  it("omits a known name, and is brief after another marker", () => {
    expect(referenceMarker({ ...pointer, isNamed: true })).toBe("⟨ See message #14 lines 12-57, unchanged ⟩");
    expect(referenceMarker({ ...pointer, isNamed: true, isContinued: true })).toBe("⟨ see #14 lines 12-57 ⟩");
    expect(referenceMarker({ ...pointer, isContinued: true })).toBe(referenceMarker(pointer));
  });
});

describe("the other markers", () => {
  it("keep their established wording", () => {
    expect(repeatedReadMarker(pointer)).toBe(
      "⟨ File content already provided above: see message #14 for Read core/main.ts, unchanged ⟩",
    );
    expect(
      consolidatedMarker(3, { ...pointer, name: describeContent(content("Bash", { command: "cd /x && npm test" })) }),
    ).toBe("⟨ Consolidated 3 operations: Bash npm test gave the same result as in message #14 ⟩");
    expect(obsoleteMarker(31, "the current environment")).toBe("⟨ Obsolete: message #31 has the current environment ⟩");
  });
});

describe("describe", () => {
  it.each<[string, Content, string]>([
    ["a parameter", content("Edit", { file_path: "a/b.ts" }, "parameters", ["new_string"]), "Edit new_string a/b.ts"],
    ["a parameter in XML", content("write_to_file", { path: "b.ts" }, "parameters", []), "write_to_file b.ts"],
    ["a tool without a file", content("TodoRead", {}), "TodoRead"],
    ["a long command", content("bash", { command: "git log --oneline --graph --all" }), "bash git log --oneline"],
    ["a file on Windows", content("read_file", { path: "c:\\dev\\src\\a.ts" }), "read_file src/a.ts"],
  ])("names %s", (_, given, words) => {
    expect(describeContent(given)).toBe(words);
  });

  it.each([
    ["cd /home/dev && npm run check 2>&1 | tail -5", "npm run check"],
    ['git commit -m "a secret"', "git commit -m"],
    ["API_KEY=abc123 curl https://x", "curl"],
    ["export TOKEN=abc123", "export"],
    ["echo s3cret", "echo"],
    ["", ""],
  ])("includes only the public part of the command %j", (command, words) => {
    expect(describeContent(content("bash", { command }))).toBe(`bash ${words}`.trim());
  });

  it("names the author of a text", () => {
    const { use: _, ...text } = { ...read, level: "text" as const };
    expect(describeContent(text)).toBe("the user's text");
    expect(describeContent({ ...text, role: "assistant" })).toBe("the assistant's text");
  });

  it("removes characters that would end the marker", () => {
    expect(describeContent(content("Read", { path: "a⟩b\n⟨c.ts" }))).toBe("Read a b c.ts");
  });
});

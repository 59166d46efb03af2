import type { JsonValue } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import type { Content } from "../content/content.ts";
import { GivenResults, operationKey, subjectKey } from "./same-operation.ts";

function result(name: string, input: JsonValue, isError = false): Content {
  const use = { name, input, callMessage: 1, resultMessage: 2, isError };
  return { at: { message: 2, block: 0, path: [0] }, from: 0, to: 1, text: "x", level: "result", role: "user", use };
}

describe("operationKey", () => {
  it("is the same for the same tool and input, however that is written", () => {
    const key = operationKey(result("Grep", { pattern: "a", path: "src" }));
    expect(operationKey(result("Grep", { path: "src", pattern: "a" }))).toBe(key);
    expect(operationKey(result("Grep", { pattern: "a", path: "src" }, true))).not.toBe(key);
    expect(operationKey(result("Grep", { pattern: "b", path: "src" }))).not.toBe(key);
  });

  it("is nothing for reads, arguments and what clients add", () => {
    expect(operationKey(result("Read", { file_path: "a" }))).toBeUndefined();
    expect(operationKey({ ...result("Bash", { command: "ls" }), level: "parameters" })).toBeUndefined();
    const note = result("environment_details", null);
    expect(
      operationKey({
        ...note,
        use: { name: "environment_details", input: null, callMessage: -1, resultMessage: 2, isError: false },
      }),
    ).toBeUndefined();
  });
});

describe("subjectKey", () => {
  it("does not ask for the rest of the input", () => {
    const key = subjectKey(result("Bash", { command: "ls", description: "Lists" }));
    expect(subjectKey(result("Bash", { command: "ls", description: "Lists again" }))).toBe(key);
    expect(subjectKey(result("Bash", { command: "ls -l" }))).not.toBe(key);
    expect(subjectKey(result("TodoRead", { list: 1 }))).not.toBe(subjectKey(result("TodoRead", { list: 2 })));
  });
});

describe("GivenResults", () => {
  const texts = ["x", "y", "x", "x", "y", "x"];
  const at = (message: number) => ({ message, block: 0, path: [0] });
  const open = (): GivenResults => {
    const results = new GivenResults(({ message }) => texts[message]);
    for (const message of texts.keys()) results.add("ls", at(message));
    return results;
  };

  it("counts equal results of equal operations up to a place", () => {
    const results = open();
    results.add("pwd", at(0));
    const times = [5, 0, 1, 2, 3, 4].map((message) => results.times("ls", at(message)));
    expect(times).toEqual([4, 1, 1, 2, 3, 2]);
    expect([results.times("pwd", at(0)), results.times("ls", at(99)), results.times("cd", at(0))]).toEqual([1, 1, 1]);
  });

  it("takes a text of several stretches for one result", () => {
    const results = open();
    results.add("ls", at(5));
    expect(results.count).toBe(texts.length);
  });

  it("forgets the last ones", () => {
    const results = open();
    results.cut(3);
    results.add("ls", at(5));
    expect([results.count, results.times("ls", at(5))]).toEqual([4, 3]);
  });
});

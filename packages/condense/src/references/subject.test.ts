import { pureHash as hash, type JsonValue } from "@longhaul/conversation/advanced";
import { describe, expect, it } from "vitest";
import type { Content } from "../content/content.ts";
import { eagerSubjects, operationKey, ResultCounter, subjectKey, subjectOf } from "./subject.ts";

function makeResult(name: string, input: JsonValue, isError = false): Content {
  const use = { name, input, callMessage: 1, resultMessage: 2, isError };
  return { at: { message: 2, block: 0, path: [0] }, from: 0, to: 1, text: "x", level: "result", role: "user", use };
}

describe("operationKey", () => {
  it("is the same for the same tool and input, whatever the key order", () => {
    const key = operationKey(makeResult("Grep", { pattern: "a", path: "src" }));
    expect(operationKey(makeResult("Grep", { path: "src", pattern: "a" }))).toBe(key);
    expect(operationKey(makeResult("Grep", { pattern: "a", path: "src" }, true))).not.toBe(key);
    expect(operationKey(makeResult("Grep", { pattern: "b", path: "src" }))).not.toBe(key);
  });

  it("is undefined for reads, arguments and additions by the client", () => {
    expect(operationKey(makeResult("Read", { file_path: "a" }))).toBeUndefined();
    expect(operationKey({ ...makeResult("Bash", { command: "ls" }), level: "parameters" })).toBeUndefined();
    const note = makeResult("environment_details", null);
    expect(
      operationKey({
        ...note,
        use: { name: "environment_details", input: null, callMessage: -1, resultMessage: 2, isError: false },
      }),
    ).toBeUndefined();
  });
});

describe("subjectKey", () => {
  it("ignores the rest of the input", () => {
    const key = subjectKey(makeResult("Bash", { command: "ls", description: "Lists" }));
    expect(subjectKey(makeResult("Bash", { command: "ls", description: "Lists again" }))).toBe(key);
    expect(subjectKey(makeResult("Bash", { command: "ls -l" }))).not.toBe(key);
    expect(subjectKey(makeResult("TodoRead", { list: 1 }))).not.toBe(subjectKey(makeResult("TodoRead", { list: 2 })));
  });
});

describe("GivenResults", () => {
  const texts = ["x", "y", "x", "x", "y", "x"];
  const at = (message: number) => ({ message, block: 0, path: [0] });
  const open = (): ResultCounter => {
    const results = new ResultCounter(({ message }) => texts[message]);
    for (const message of texts.keys()) results.add("ls", at(message));
    return results;
  };

  it("counts equal results of equal operations up to a position", () => {
    const results = open();
    results.add("pwd", at(0));
    const times = [5, 0, 1, 2, 3, 4].map((message) => results.timesReturned("ls", at(message)));
    expect(times).toEqual([4, 1, 1, 2, 3, 2]);
    expect([
      results.timesReturned("pwd", at(0)),
      results.timesReturned("ls", at(99)),
      results.timesReturned("cd", at(0)),
    ]).toEqual([1, 1, 1]);
  });

  it("counts several spans of one text as one result", () => {
    const results = open();
    results.add("ls", at(5));
    expect(results.count).toBe(texts.length);
  });

  it("removes the last results", () => {
    const results = open();
    results.truncate(3);
    results.add("ls", at(5));
    expect([results.count, results.timesReturned("ls", at(5))]).toEqual([4, 3]);
  });
});

const result = makeResult("Bash", { command: "npm test" });
const read = makeResult("Read", { file_path: "/src/a.ts" });

describe("subjectOf", () => {
  it("names a text, whether it was read, and its operation", () => {
    const { name, isRead, operation } = subjectOf(result);
    expect([name, isRead, operation]).toEqual([
      { short: "`npm test`", long: "`npm test`" },
      false,
      operationKey(result),
    ]);
    expect(subjectOf(read)).toMatchObject({
      name: { short: "src/a.ts", long: "/src/a.ts" },
      isRead: true,
      operation: undefined,
    });
  });
});

describe("settledSubjects", () => {
  it("returns the same subject for every span of a result, with its operation hashed", () => {
    const settled = eagerSubjects(hash);
    const { operation } = subjectOf(result);
    expect(settled(result)).toEqual({
      name: { short: "`npm test`", long: "`npm test`" },
      isRead: false,
      operation: hash(operation ?? ""),
    });
    expect(settled({ ...result, from: 1 })).toBe(settled(result));
    expect(settled(read)).toEqual({
      name: { short: "src/a.ts", long: "/src/a.ts" },
      isRead: true,
      operation: undefined,
    });
    expect(settled({ ...result, level: "parameters", at: { ...result.at, path: ["command"] } })).toEqual({
      name: { short: "the command `npm test`", long: "the command `npm test`" },
      isRead: false,
      operation: undefined,
    });
  });
});

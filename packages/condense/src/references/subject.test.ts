import { pureHash as hash } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import type { Content } from "../content/content.ts";
import { operationKey } from "./same-operation.ts";
import { settledSubjects, subjectOf } from "./subject.ts";

const use = { name: "Bash", input: { command: "npm test" }, callMessage: 1, resultMessage: 2, isError: false };
const result: Content = {
  at: { message: 2, block: 0, path: [0] },
  from: 0,
  to: 1,
  text: "x",
  level: "result",
  role: "user",
  use,
};
const read: Content = { ...result, use: { ...use, name: "Read", input: { file_path: "/src/a.ts" } } };

describe("subjectOf", () => {
  it("tells what a text is, whether it was read, and which operation gave it", () => {
    const { name, isRead, operation } = subjectOf(result);
    expect([name, isRead, operation]).toEqual(["Bash npm test", false, operationKey(result)]);
    expect(subjectOf(read)).toMatchObject({ name: "Read src/a.ts", isRead: true, operation: undefined });
  });
});

describe("settledSubjects", () => {
  it("says the same of every stretch of a result, with its operation as a hash", () => {
    const settled = settledSubjects(hash);
    const { operation } = subjectOf(result);
    expect(settled(result)).toEqual({ name: "Bash npm test", isRead: false, operation: hash(operation ?? "") });
    expect(settled({ ...result, from: 1 })).toBe(settled(result));
    expect(settled(read)).toEqual({ name: "Read src/a.ts", isRead: true, operation: undefined });
    expect(settled({ ...result, level: "parameters", at: { ...result.at, path: ["command"] } })).toEqual({
      name: "Bash command npm test",
      isRead: false,
      operation: undefined,
    });
  });
});

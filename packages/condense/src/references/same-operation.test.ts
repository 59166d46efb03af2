import type { JsonValue } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Content } from "../content.ts";
import { makeTestView } from "../testing/context.ts";
import { countResults, operationKey, subjectKey } from "./same-operation.ts";

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

describe("countResults", () => {
  it("counts equal results of equal operations up to a content", () => {
    const call = (id: string) => makeAssistant(makeToolCall(id, { name: "bash", input: { command: "ls" } }));
    const steps = ["x", "y", "x", "x"].flatMap((text, index) => [
      call(`c${index}`),
      makeUser(makeToolResult(`c${index}`, text)),
    ]);
    const view = makeTestView(makeConversation([makeUser("Go."), ...steps]), 1000);
    const timesGiven = countResults(view);
    const results = view.contents().contents.filter((content) => content.level === "result");
    expect(results.map(timesGiven)).toEqual([1, 1, 2, 3]);
    expect(timesGiven({ ...result("x", {}), at: { message: 99, block: 0, path: [] } })).toBe(1);
  });
});

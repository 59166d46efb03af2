import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { factsIn } from "./fact.ts";

type Messages = ReturnType<typeof makeUser>[];

function facts(messages: Messages, previous?: string) {
  return factsIn({ contents: decompose(messages).contents, previous, todos: [] });
}

const words = (messages: Messages, previous?: string) => facts(messages, previous).map((fact) => fact.words);
const weightOf = (word: string, messages: Messages) => facts(messages).find((fact) => fact.words === word)?.weight ?? 0;

describe("factsIn", () => {
  it("finds the user's constraints and what everybody named", () => {
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

  it("passes over what only a tool answered, but not over the names in its errors", () => {
    const result = (isError: boolean) => [
      makeAssistant(makeToolCall("a", { input: { command: "ls" } })),
      makeUser(makeToolResult("a", "The file src/gone.ts is not there after 1234 ms, ENOENT it says.", { isError })),
    ];
    expect(words(result(false))).toEqual([]);
    expect(words(result(true))).toEqual(["src/gone.ts", "ENOENT"]);
  });

  it("tells each fact by the shortest sentence of whoever matters most", () => {
    const found = facts([
      makeAssistant("Now src/a.ts it is, then."),
      makeUser("The date is lost somewhere in src/a.ts I think."),
      makeUser("Look into src/a.ts once more."),
    ]);
    expect(found).toMatchObject([{ line: "Look into src/a.ts once more." }]);
  });

  it("weighs what the user said, what was said often and what was said late the most", () => {
    const once = makeAssistant("It stands in src/a.ts somewhere.");
    const other = makeAssistant("Something else was looked at here.");
    expect(weightOf("src/a.ts", [makeUser("It stands in src/a.ts somewhere.")])).toBeGreaterThan(
      weightOf("src/a.ts", [once]),
    );
    expect(weightOf("src/a.ts", [once, once])).toBeGreaterThan(weightOf("src/a.ts", [once]));
    expect(weightOf("src/a.ts", [other, once])).toBeGreaterThan(weightOf("src/a.ts", [once, other]));
  });

  it("takes a long text of the user for a paste", () => {
    const paste = "You must never touch this file, says the log. ".repeat(100);
    expect(facts([makeUser(paste)])).toEqual([]);
  });

  it("carries on what an earlier summary says", () => {
    expect(words([], "The bug was in src/old.ts all along.")).toEqual(["src/old.ts"]);
  });
});

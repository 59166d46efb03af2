import { type Conversation, textBlock } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeTool,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import type { Answer, Ask } from "../edits/edit.ts";

const FILTER = `import { addDays, startOfDay } from "../dates.ts";
import type { Report, ReportQuery } from "./report.ts";

/** Reports whose day lies in the range of the query. */
export function filterReports(reports: readonly Report[], query: ReportQuery): Report[] {
  const from = startOfDay(query.from);
  const to = startOfDay(query.to);
  return reports.filter((report) => report.day >= from && report.day < to);
}

/** The range that the form shows when it opens: the last seven days. */
export function defaultRange(today: Date): ReportQuery {
  return { from: addDays(today, -7), to: today };
}`;

const FAILING = `> test
> vitest run reports

 ✓ src/reports/report.test.ts (6 tests) 12ms
 ❯ src/reports/filter.test.ts (8 tests | 1 failed) 19ms
   × leaves out the last day of the range
     → expected [ 'mon', 'tue', 'wed' ] to deeply equal [ 'mon', 'tue' ]

 Test Files  1 failed | 1 passed (2)
      Tests  1 failed | 13 passed (14)
   Duration  1.42s`;

const PASSING = `> test
> vitest run reports

 ✓ src/reports/report.test.ts (6 tests) 11ms
 ✓ src/reports/filter.test.ts (8 tests) 17ms

 Test Files  2 passed (2)
      Tests  14 passed (14)
   Duration  1.38s`;

/** The session that the strategy pages condense: a bug, its fix, a test that expected the bug, and the next task. */
export const EXAMPLE_SESSION: Conversation = makeConversation(
  [
    makeUser("The date filter of the reports page loses the last day. Fix it, and do not touch the public API."),
    makeAssistant([
      "Let me find the filter first.",
      makeToolCall("1", { name: "search_code", input: { query: "filterReports" } }),
    ]),
    makeUser(
      makeToolResult(
        "1",
        "src/reports/filter.ts:5: export function filterReports(\nsrc/reports/page.tsx:31:   const shown = filterReports(all, query);\nsrc/jobs/export.ts:18:   for (const report of filterReports(all, job.query)) {",
      ),
    ),
    makeAssistant(["It is in one file.", makeToolCall("2", { input: { path: "src/reports/filter.ts" } })]),
    makeUser(makeToolResult("2", FILTER)),
    makeAssistant([
      "The end of the range is exclusive, but the form sends the last day itself. I'll make the end inclusive.",
      makeToolCall("3", {
        name: "edit_file",
        input: {
          path: "src/reports/filter.ts",
          find: "  const to = startOfDay(query.to);",
          replace:
            "  // The form sends the last day itself, so the range ends where the next day begins.\n  const to = startOfDay(addDays(query.to, 1));",
        },
      }),
    ]),
    makeUser(makeToolResult("3", "Edited src/reports/filter.ts: 1 replacement.")),
    makeAssistant([
      "Now the tests.",
      makeToolCall("4", { name: "run_command", input: { command: "npm test -- reports" } }),
    ]),
    makeUser(makeToolResult("4", FAILING, { isError: true })),
    makeAssistant(
      "The fix works, but the test `leaves out the last day of the range` expects the old behavior. Either the test or my reading of the form is wrong: the form's label says “through”, which means that the last day belongs to the range. I would change the test. Should I?",
    ),
    makeUser("Yes, that test was written for the bug. Change it, but keep its file where it is."),
    makeAssistant([
      "I'll invert the test.",
      makeToolCall("5", {
        name: "edit_file",
        input: { path: "src/reports/filter.test.ts", find: "leaves out the last day", replace: "keeps the last day" },
      }),
    ]),
    makeUser(makeToolResult("5", "Edited src/reports/filter.test.ts: 1 replacement.")),
    makeAssistant([
      "Running the tests again.",
      makeToolCall("6", { name: "run_command", input: { command: "npm test -- reports" } }),
    ]),
    makeUser(makeToolResult("6", PASSING)),
    makeAssistant("All 14 tests pass. The range now includes its last day; `filterReports` keeps its signature."),
    makeUser("Good. Does src/jobs/export.ts need the same change?"),
  ],
  {
    system: [textBlock("You are a careful engineer.")],
    tools: ["search_code", "read_file", "edit_file", "run_command"].map((name) => makeTool(name, ["path"])),
  },
);

const FIXED = FILTER.replace(
  "  const to = startOfDay(query.to);",
  "  // The form sends the last day itself, so the range ends where the next day begins.\n  const to = startOfDay(addDays(query.to, 1));",
);

/** The same session, continued: the assistant reads the file and runs the tests again. */
export const REPEATING_SESSION: Conversation = {
  ...EXAMPLE_SESSION,
  messages: [
    ...EXAMPLE_SESSION.messages,
    makeAssistant([
      "Let me look at the filter again.",
      makeToolCall("7", { input: { path: "src/reports/filter.ts" } }),
    ]),
    makeUser(makeToolResult("7", numbered(FIXED))),
    makeAssistant([
      "Now the tests again.",
      makeToolCall("8", { name: "run_command", input: { command: "npm test -- reports" } }),
    ]),
    makeUser(makeToolResult("8", PASSING)),
    makeAssistant("No: the job takes its range from the same function, and its test passes too."),
  ],
};

function numbered(text: string): string {
  return text
    .split("\n")
    .map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
    .join("\n");
}

const FINDING =
  "The end of the range in src/reports/filter.ts was exclusive, but the form sends the last day itself; it is inclusive now: startOfDay(addDays(query.to, 1)).";
const DECISION =
  "The test in src/reports/filter.test.ts that expected the bug was inverted, as the user asked; its file stays where it is.";

/** A plausible summary of a part of it. */
export function exampleAnswer({ messages, previous = "" }: Ask): Answer {
  const asked = `${previous}${JSON.stringify(messages)}`;
  const sentences = [
    ...(asked.includes("addDays(query.to, 1)") ? [FINDING] : []),
    ...(asked.includes("filter.test.ts: 1 replacement") || asked.includes(DECISION) ? [DECISION] : []),
  ];
  return { kind: "text", text: sentences.join(" ") || "The filter was looked for." };
}

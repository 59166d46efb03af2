import { expect, it } from "vitest";
import { isRealName } from "./real-name.ts";

const isReal = (word: string) => isRealName(word, (known) => known === "parseLine");

it.each([
  "src/app/main.ts",
  "package.json",
  "parseLine",
  "MAX_BUFFER_SIZE",
  "streamingService.createSession",
  "this.session.abort",
  "session.model",
  "agent-session",
  "biome-ignore",
  "sentry/cli",
  "invoice_4711",
  "HAT136",
  "gpt-4",
  "non-refundable",
  "größeÄndern",
])("takes %j for a name", (word) => {
  expect(isReal(word)).toBe(true);
});

it.each([
  ["decorations", ["····console.setup", "nparseLine", "31mChecked"]],
  ["fragments", ["t.exports", "I/O", "s/const", "i.e", "IAClC", "iBAAiB"]],
  ["prose", ["high-level", "in-progress", "file-based", "SEARCH/REPLACE", "Image/file"]],
  [
    "languages and standard libraries",
    ["console.log", "text.slice", "Object.entries", "useState", "RegExp", "__dirname"],
  ],
  ["parameters of common tools", ["old_string", "replace_all", "tool_use_error"]],
  ["numbers", ["v6.0", "0.28s", "12:00:00.993Z"]],
])("takes no %s for names", (_, listed) => {
  expect(listed.filter(isReal)).toEqual([]);
});

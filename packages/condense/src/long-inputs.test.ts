import type { JsonObject } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { expect, it } from "vitest";
import { condense } from "./condense.ts";
import { makeCounter } from "./testing/context.ts";

const counter = makeCounter();

/** Quadratic work on these inputs takes from tens of seconds to minutes. */
const MOST_MS = 12_000;

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");
const written = (index: number) =>
  index % 10 === 0 ? `const someName${index} = otherName${index}();` : `a plain line that is left out, number ${index}`;
const todo = (index: number) => ({ content: `Write part ${index} of src/part${index}.ts`, status: "pending" });
const removed = lines(20_000, (index) => `const oldName${index} = someCall${index}(value${index});`);
const added = lines(20_000, (index) => `let newName${index} = otherCall${index}(value${index});`);

it.each<[string, string, JsonObject]>([
  ["a file of 50,000 lines, some of them with names", "Write", { path: "a.ts", content: lines(50_000, written) }],
  ["an edit of 20,000 lines", "Edit", { path: "a.ts", old_string: removed, new_string: added }],
  ["a list of 3,000 to-dos", "TodoWrite", { todos: Array.from({ length: 3_000 }, (_, index) => todo(index)) }],
  ["a command that moves 20,000 files", "Bash", { command: lines(20_000, (index) => `mv src/f${index}.ts lib/`) }],
])(
  "condenses a call with %s in time that grows with its length",
  async (_, name, input) => {
    const call = makeToolCall("a", { name, input });
    const conversation = makeConversation([
      makeUser("Fix the parser."),
      makeAssistant(call),
      makeUser(makeToolResult("a", "ok")),
      makeAssistant("I read it."),
      makeUser("Go on."),
    ]);
    const windowTokens = Math.floor(counter.countConversation(conversation) / 4);
    const result = await condense(conversation, {
      counter,
      strategy: "smart",
      budget: { windowTokens, reservedTokens: 0 },
    });
    expect(result.fits).toBe(true);
  },
  MOST_MS,
);

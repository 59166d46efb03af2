import type { Message } from "@longhaul/conversation";
import {
  anyConversation,
  anyMessyConversation,
  makeAssistant,
  makeImage,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Content } from "./content.ts";
import { decompose } from "./contents.ts";
import { assistantParts, locatedCalls, readComposed, userParts } from "./xml-tools.ts";

const SNAPSHOT = "<environment_details>\n# Current Mode\ncode\n</environment_details>";
const ROO: readonly Message[] = [
  makeUser(["<task>\nFix the build.\n</task>", SNAPSHOT]),
  makeAssistant("I read it.\n\n<read_file>\n<args>\n<file>\n<path>a.ts</path>\n</file>\n</args>\n</read_file>"),
  makeUser(["[read_file for 'a.ts'. Reading multiple files at once is more efficient.] Result:", "1 | one", SNAPSHOT]),
  makeAssistant("<execute_command>\n<command>npm test</command>\n</execute_command>"),
  makeUser([
    "[execute_command for 'npm test'] Result:",
    "The tool execution failed with the following error:\nno",
    SNAPSHOT,
  ]),
  makeAssistant("Done.\n<attempt_completion>\n<result>All green.</result>\n</attempt_completion>"),
  makeUser([
    "[attempt_completion] Result:",
    "The user has provided feedback on the results.\n<feedback>\nNot on my machine.\n</feedback>",
    SNAPSHOT,
  ]),
  makeAssistant("I look again."),
];

const shown = ({ at, level, text, use }: Content) => [at.message, level, use?.name ?? "", text];

describe("a history with XML tools", () => {
  it("is split into text, parameters and results", () => {
    expect(
      decompose(ROO)
        .contents.filter(({ use }) => use?.name !== "environment_details")
        .map(shown),
    ).toEqual([
      [0, "text", "", "Fix the build."],
      [1, "text", "", "I read it."],
      [1, "parameters", "read_file", "a.ts"],
      [2, "result", "read_file", "1 | one"],
      [3, "parameters", "execute_command", "npm test"],
      [4, "result", "execute_command", "The tool execution failed with the following error:\nno"],
      [5, "text", "", "Done."],
      [5, "parameters", "attempt_completion", "All green."],
      [6, "text", "", "Not on my machine."],
      [7, "text", "", "I look again."],
    ]);
  });

  it("joins each call with its result in one use", () => {
    const uses = new Set(
      decompose(ROO).contents.flatMap(({ use }) => (use === undefined || use.input === null ? [] : [use])),
    );
    expect([...uses]).toEqual([
      {
        name: "read_file",
        input: { args: { file: { path: "a.ts" } } },
        callMessage: 1,
        resultMessage: 2,
        isError: false,
      },
      { name: "execute_command", input: { command: "npm test" }, callMessage: 3, resultMessage: 4, isError: true },
      { name: "attempt_completion", input: { result: "All green." }, callMessage: 5, resultMessage: 6, isError: false },
    ]);
  });

  it("links calls and results, so that no cut separates them", () => {
    expect(decompose(ROO).links).toEqual([
      { from: 1, to: 2 },
      { from: 3, to: 4 },
      { from: 5, to: 6 },
    ]);
  });

  it("gives environment snapshots their own use", () => {
    const snapshots = decompose(ROO).contents.filter(({ use }) => use?.name === "environment_details");
    expect(snapshots.map(({ at, text, use }) => [at.message, text, use?.resultMessage])).toEqual(
      [0, 2, 4, 6].map((message) => [message, "# Current Mode\ncode", message]),
    );
  });

  it("marks exactly the messages that the user wrote", () => {
    expect(decompose(ROO).userAuthored).toEqual([true, false, false, false, false, false, true, false]);
  });

  it("assigns an image after an announcement to the tool, and any other to the user", () => {
    const messages = [
      ...ROO.slice(0, 1),
      makeAssistant("<browser_action>\n<action>launch</action>\n</browser_action>"),
      makeUser(["[browser_action for 'launch'] Result:", "Here.", makeImage()]),
      makeAssistant("I see."),
      makeUser([makeImage(), SNAPSHOT]),
    ];
    expect(decompose(messages).userAuthored).toEqual([true, false, false, false, true]);
  });

  it("names a result whose call is missing, and links it to the previous message", () => {
    const messages = [...ROO.slice(0, 1), makeAssistant("I read it."), makeUser("[read_file for 'a.ts'] Result:\none")];
    const { contents, links } = decompose(messages);
    expect(contents.at(-1)?.use).toEqual({
      name: "read_file",
      input: null,
      callMessage: -1,
      resultMessage: 2,
      isError: false,
    });
    expect(links).toEqual([{ from: 1, to: 2 }]);
  });

  it("leaves tool blocks beside the XML unchanged", () => {
    const messages = [
      ...ROO.slice(0, 1),
      makeAssistant([makeToolCall("c")]),
      makeUser([makeToolResult("c", "<read_file><path>x</path></read_file>"), SNAPSHOT]),
    ];
    expect(decompose(messages).contents.map(shown)).toEqual([
      [0, "text", "", "Fix the build."],
      [0, "result", "environment_details", "# Current Mode\ncode"],
      [1, "parameters", "read_file", "src/main.ts"],
      [2, "result", "read_file", "<read_file><path>x</path></read_file>"],
      [2, "result", "environment_details", "# Current Mode\ncode"],
    ]);
  });
});

it("does not search the history of another client for XML", () => {
  const messages = [makeUser("How do I call it?"), makeAssistant("So: <read_file><path>a</path></read_file>")];
  expect(decompose(messages).contents.map(shown)).toEqual([
    [0, "text", "", "How do I call it?"],
    [1, "text", "", "So: <read_file><path>a</path></read_file>"],
  ]);
});

it("does not search messages before the first composed text", () => {
  const before = [makeUser("How do I call it?\n"), makeAssistant("So: <read_file><path>a</path></read_file>")];
  expect(decompose([...before, ...ROO]).contents.slice(0, 2)).toEqual(decompose(before).contents);
});

it("splits a message independently of later messages", () => {
  fc.assert(
    fc.property(anyConversation(), fc.double({ min: 0, max: 1, noNaN: true }), ({ messages }, share) => {
      const count = Math.floor(messages.length * share);
      const split = (of: readonly Message[]) =>
        decompose(of)
          .contents.filter(({ at }) => at.message < count)
          .map(({ at, from, to, level }) => ({ at, from, to, level }));
      expect(split(messages.slice(0, count))).toEqual(split(messages));
    }),
  );
});

it("returns contents in reading order, without overlap, equal to the text at their position", () => {
  fc.assert(
    fc.property(fc.oneof(anyConversation(), anyMessyConversation()), ({ messages }) => {
      const { contents, links, userAuthored } = decompose(messages);
      const ends = new Map<string, number>();
      for (const { at, from, to, text } of contents) {
        const key = JSON.stringify(at);
        expect(from).toBeGreaterThanOrEqual(ends.get(key) ?? 0);
        expect(to - from).toBe(text.length);
        ends.set(key, to);
      }
      expect(contents.map(({ at }) => at.message)).toEqual(contents.map(({ at }) => at.message).sort((a, b) => a - b));
      expect(links.every(({ from, to }) => to === from + 1)).toBe(true);
      expect(userAuthored).toHaveLength(messages.length);
    }),
  );
});

const USE = { name: "read_file", input: { path: "a.ts" }, callMessage: 1, resultMessage: 2, isError: false };

it("assistantParts returns text, parameter values, and text again", () => {
  const text = "First.\n<read_file>\n<path>a.ts</path>\n</read_file>\nLast.";
  const calls = locatedCalls(makeUser(text)).map((call) => ({ call, use: USE }));
  expect(assistantParts(text, calls)).toEqual([
    { from: 0, to: 6, level: "text" },
    { from: 25, to: 29, level: "parameters", use: USE },
    { from: 50, to: 55, level: "text" },
  ]);
});

describe("readComposed", () => {
  it("assigns the next text block to an announcement, skipping an image", () => {
    const composed = readComposed(makeUser(["[browser_action for 'launch'] Result:", makeImage(), "Launched."]));
    expect(composed.announcements).toEqual([{ name: "browser_action", isError: false }]);
    expect(composed.texts.map(({ block, announcement }) => [block, announcement])).toEqual([
      [0, 0],
      [2, 0],
    ]);
  });

  it("treats a repeated announcement after a remark as the same one", () => {
    const remark =
      "The user approved this operation and provided the following context:\n<feedback>\nYes.\n</feedback>";
    const composed = readComposed(
      makeUser(["[list_files for '.'] Result:", remark, "[list_files for '.'] Result:", "a.ts"]),
    );
    expect(composed.announcements).toEqual([{ name: "list_files", isError: false }]);
    expect(composed.texts.map(({ announcement }) => announcement)).toEqual([0, 0, 0, 0]);
  });

  it("distinguishes results of the same tool, and failures from successes", () => {
    const failure = "The tool execution failed with the following error:\n<error>\nNo such file\n</error>";
    const composed = readComposed(
      makeUser(["[read_file for 'a'] Result:", "one", "[read_file for 'b'] Result:", failure]),
    );
    expect(composed.announcements).toEqual([
      { name: "read_file", isError: false },
      { name: "read_file", isError: true },
    ]);
  });

  it("treats text after a result as the user's", () => {
    const { texts } = readComposed(makeUser(["[read_file for 'a'] Result:\none", "And now stop."]));
    expect(texts.map(({ announcement, read }) => [announcement, read.own.length])).toEqual([
      [0, 0],
      [-1, 1],
    ]);
  });
});

it("userParts returns the parts in reading order, each with its use", () => {
  const text = "[read_file for 'a.ts'] Result:\none\n\n<environment_details>\nx\n</environment_details>";
  const [block] = readComposed(makeUser(text)).texts;
  expect(block && userParts(block, USE, 2)).toEqual([
    { from: 31, to: 34, level: "result", use: USE },
    {
      from: 58,
      to: 59,
      level: "result",
      use: { name: "environment_details", input: null, callMessage: -1, resultMessage: 2, isError: false },
    },
  ]);
});

import { makeImage, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { assistantParts, placedCalls, readComposed, userParts } from "./xml-parts.ts";

const USE = { name: "read_file", input: { path: "a.ts" }, callMessage: 1, resultMessage: 2, isError: false };

it("assistantParts gives words, values and words again", () => {
  const text = "First.\n<read_file>\n<path>a.ts</path>\n</read_file>\nLast.";
  const calls = placedCalls(makeUser(text)).map((call) => ({ call, use: USE }));
  expect(assistantParts(text, calls)).toEqual([
    { from: 0, to: 6, level: "text" },
    { from: 25, to: 29, level: "parameters", use: USE },
    { from: 50, to: 55, level: "text" },
  ]);
});

describe("readComposed", () => {
  it("gives an announcement the next text block, past a picture", () => {
    const composed = readComposed(makeUser(["[browser_action for 'launch'] Result:", makeImage(), "Launched."]));
    expect(composed.announcements).toEqual([{ name: "browser_action", isError: false }]);
    expect(composed.texts.map(({ block, announcement }) => [block, announcement])).toEqual([
      [0, 0],
      [2, 0],
    ]);
  });

  it("knows a second announcement, which follows a remark, for the same one", () => {
    const remark =
      "The user approved this operation and provided the following context:\n<feedback>\nYes.\n</feedback>";
    const composed = readComposed(
      makeUser(["[list_files for '.'] Result:", remark, "[list_files for '.'] Result:", "a.ts"]),
    );
    expect(composed.announcements).toEqual([{ name: "list_files", isError: false }]);
    expect(composed.texts.map(({ announcement }) => announcement)).toEqual([0, 0, 0, 0]);
  });

  it("tells answers of the same tool apart, and failures from successes", () => {
    const failure = "The tool execution failed with the following error:\n<error>\nNo such file\n</error>";
    const composed = readComposed(
      makeUser(["[read_file for 'a'] Result:", "one", "[read_file for 'b'] Result:", failure]),
    );
    expect(composed.announcements).toEqual([
      { name: "read_file", isError: false },
      { name: "read_file", isError: true },
    ]);
  });

  it("gives what follows an answer back to the user", () => {
    const { texts } = readComposed(makeUser(["[read_file for 'a'] Result:\none", "And now stop."]));
    expect(texts.map(({ announcement, read }) => [announcement, read.own.length])).toEqual([
      [0, 0],
      [-1, 1],
    ]);
  });
});

it("userParts gives the parts in reading order, each with its use", () => {
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

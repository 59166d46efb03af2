import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "./contents.ts";

const PROMPT = "\n(Open file: n/a)\n(Current directory: /app)\nbash-$";
const run = makeAssistant("I list the files.\n```\nls -F\n```");

/** Returns the use that a user message after a command is read as, or undefined if it is the user's own. */
function useOf(text: string, before = run) {
  const { contents, userAuthored } = decompose([makeUser(`Fix it.\n${PROMPT}`), before, makeUser(text)]);
  const content = contents.at(-1);
  expect(userAuthored).toEqual([true, false, content?.level === "text"]);
  return content?.level === "result" ? content.use : undefined;
}

describe("readObservations", () => {
  it.each([
    ["SWE-agent", `README.md\nsrc/\n${PROMPT}`],
    ["a ReAct agent", "OBSERVATION:\nREADME.md"],
    ["mini-SWE-agent", "<returncode>0</returncode>\n<output>\nREADME.md\n</output>"],
    ["mini-SWE-agent after a timeout", "The last command <command>ls -F</command> timed out.\n<output>\nREADME.md"],
    ["OpenHands", "EXECUTION RESULT of [execute_bash]:\nREADME.md"],
  ])("reads a command's output from %s as its result", (_, text) => {
    const input = { command: "ls -F" };
    expect(useOf(text)).toEqual({ name: "bash", input, callMessage: 1, resultMessage: 2, isError: false });
  });

  it("finds the command in a code block, a parameter or an action", () => {
    const commandOf = (text: string) => useOf("Observation: 3", makeAssistant(text))?.input;
    expect(commandOf("```bash\nwc -l a\n\nwc -l b")).toEqual({ command: "wc -l a\n\nwc -l b" });
    expect(commandOf("```python\na = 1\n```\nSo:\n```bash\nwc -l\n```")).toEqual({ command: "wc -l" });
    expect(commandOf("<function=run>\n<parameter=command>wc</parameter>")).toEqual({ command: "wc" });
    expect(commandOf("Thought: count.\nAction: wc -l\n")).toEqual({ command: "wc -l" });
    expect(commandOf("I see nothing to run.")).toBeUndefined();
  });

  it("names the file and the lines that a window shows", () => {
    const window = `[File: /app/a.py (90 lines total)]\n(39 more lines above)\n40:import os\n41:\n42:x = 1\n${PROMPT}`;
    expect(useOf(window)).toMatchObject({
      name: "open",
      input: { path: "/app/a.py", start_line: 40, end_line: 42 },
    });
  });

  it.each([
    ["pi", "Ran `find .`\n```\na.ts\nb.ts\n```\n\nCommand exited with code 1"],
    ["pi", "Ran `find .`\n```\na.ts\nb.ts\n```\n\n[Output truncated. Full output: /tmp/x]"],
    [
      "Gemini CLI",
      "I ran the following shell command:\n```sh\nfind .\n```\n\nThis produced the following result:\n```\na.ts\nb.ts\n```",
    ],
    [
      "Codex",
      "<user_shell_command>\n<command>\nfind .\n</command>\n<result>\na.ts\nb.ts\n</result>\n</user_shell_command>",
    ],
  ])("reads the output of a command that the user ran in %s, without its frame", (_, text) => {
    const { contents, userAuthored, links } = decompose([makeUser("Look."), makeUser(text)]);
    expect(userAuthored).toEqual([true, false]);
    expect(links).toEqual([{ from: 1, to: 1 }]);
    const use = { name: "bash", input: { command: "find ." }, callMessage: 1, resultMessage: 1, isError: false };
    const from = text.indexOf("a.ts");
    expect(contents[1]).toMatchObject({ level: "result", text: "a.ts\nb.ts", from, to: from + 9, use });
  });

  it("leaves what the user says about a command", () => {
    const text = "Ran `find .`\n```\na.ts\n```\nWhy is b.ts missing?";
    expect(decompose([makeUser(text)])).toMatchObject({ userAuthored: [true], contents: [{ level: "text", text }] });
  });

  it("leaves the user's own words", () => {
    expect(useOf("Observation is not the problem.")).toBeUndefined();
    expect(useOf("What does bash-$ mean?")).toBeUndefined();
    const first = decompose([makeUser(`Fix it.\n${PROMPT}`)]);
    expect(first).toMatchObject({ userAuthored: [true], contents: [{ level: "text" }] });
  });

  it("keeps a command with its output, and leaves tool blocks", () => {
    const messages = [
      makeUser("Fix it."),
      run,
      makeUser(`src/\n${PROMPT}`),
      makeAssistant(["```\nls\n```", makeToolCall("a")]),
      makeUser(makeToolResult("a", `src/\n${PROMPT}`)),
    ];
    const { links, contents } = decompose(messages);
    expect(links).toEqual([{ from: 1, to: 2 }]);
    expect(contents.at(-1)?.use?.callMessage).toBe(3);
    expect(contents.at(-1)?.use?.name).not.toBe("bash");
  });
});

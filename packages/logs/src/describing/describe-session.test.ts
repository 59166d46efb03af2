import { type Message, textBlock, textMessage } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { describeSession, isClientsOwn, titleOf } from "./describe-session.ts";

const said = (...texts: readonly string[]): Message => ({ role: "user", blocks: texts.map(textBlock) });

describe("titleOf", () => {
  it.each<[string, readonly Message[], string]>([
    ["plain words", [said("Fix the  login\nbutton")], "Fix the login button"],
    [
      "words after Claude Code's reminders",
      [said("<system-reminder>\nAs you answer, use <b>this</b>.\n</system-reminder>", "Why is the build red?")],
      "Why is the build red?",
    ],
    [
      "a slash command with its arguments",
      [
        said(
          "<command-message>review is running…</command-message>\n<command-name>/review</command-name>\n<command-args>#12</command-args>",
        ),
      ],
      "/review #12",
    ],
    [
      "words after Codex's preludes in messages of their own",
      [
        said("# AGENTS.md instructions for /home/me/shop\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"),
        said("<environment_context>\n  <cwd>/home/me/shop</cwd>\n</environment_context>"),
        said("<user_instructions>\nBe brief.\n</user_instructions>"),
        said("Add a dark theme"),
      ],
      "Add a dark theme",
    ],
    [
      "the task that Cline wraps",
      [
        said(
          "<task>\nRename the package\n</task>",
          "<environment_details>\n# VSCode Visible Files\n</environment_details>",
        ),
      ],
      "Rename the package",
    ],
    [
      "words after Gemini CLI's setup",
      [
        said("This is the Gemini CLI. We are setting up the context for our chat."),
        textMessage("assistant", "Got it. Thanks for the context!"),
        said("List the tests"),
      ],
      "List the tests",
    ],
    [
      "Copilot's request",
      [said("<context>\nToday is Monday.\n</context>\n<userRequest>\nExplain this\n</userRequest>")],
      "Explain this",
    ],
    ["the user's own markup", [said("Make <Button> red")], "Make <Button> red"],
    ["words before an element that is not closed", [said("Go on <system-reminder> and the rest is cut")], "Go on"],
    [
      "the words in a request for a title",
      [said("<session>\nExplain total.js\n</session>\n\nWrite the title in the predominant language.")],
      "Explain total.js",
    ],
    ["no title for a probe of the quota", [said("quota")], ""],
    ["the first message after a probe", [said("Warmup"), said("Ship it")], "Ship it"],
    [
      "no title for a continued session alone",
      [said("This session is being continued from a previous conversation that ran out.")],
      "",
    ],
    ["no title without user messages", [textMessage("assistant", "Hello")], ""],
    ["a message without its image marker", [said("[Image #1] Explain this")], "Explain this"],
    ["words in any script", [said("修复登录按钮")], "修复登录按钮"],
  ])("returns %s", (_, messages, title) => {
    expect(titleOf(messages)).toBe(title);
  });

  it("cuts a long text between words", () => {
    const title = titleOf([said("word ".repeat(60))]);
    expect(title).toMatch(/^(word )+word…$/);
    expect(title.length).toBeLessThanOrEqual(101);
    expect(titleOf([said("漢".repeat(300))])).toBe(`${"漢".repeat(100)}…`);
  });

  it("reads a hostile text in linear time", () => {
    const startedMs = performance.now();
    titleOf([
      said("<system-reminder><".repeat(20_000)),
      said(`${"<context ".repeat(30_000)}`),
      said(" ".repeat(200_000)),
    ]);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });
});

describe("isClientsOwn", () => {
  it.each<[string, string, readonly Message[], boolean]>([
    ["a request for a title", "Generate a concise, sentence-case title (3-7 words).", [said("Fix the login")], true],
    ["a title generator", "You are a title generator. You output ONLY a thread title.", [said("Fix it")], true],
    ["a request behind the session", "", [said("<session>\nFix it\n</session>\n\nWrite the title in English.")], true],
    ["a probe of the quota", "", [said("quota")], true],
    ["a user who asks for a title", "You are helpful.", [said("Write a title for my blog post.")], false],
    ["a conversation", "Generate a title.", [said("Hi"), textMessage("assistant", "Yes?"), said("Go on")], false],
    ["no messages", "Generate a title.", [], false],
  ])("recognizes %s", (_, system, messages, expected) => {
    expect(isClientsOwn({ system: [textBlock(system)], messages })).toBe(expected);
  });
});

describe("describeSession", () => {
  const opening = (system: string, messages: readonly Message[], headers = {}) =>
    describeSession({ system: [textBlock(system)], messages, headers });

  it("reads the environment of Claude Code", () => {
    const system =
      "You are Claude Code.\n<env>\nWorking directory: /home/me/my shop\nIs directory a git repo: Yes\n</env>\ngitStatus: This is the git status.\nCurrent branch: fix/login\n\nMain branch: main";
    expect(opening(system, [said("Hi there")], { "user-agent": "claude-cli/2.1.139 (external, cli)" })).toEqual({
      title: "Hi there",
      project: "/home/me/my shop",
      branch: "fix/login",
      client: "Claude Code",
      clientVersion: "2.1.139",
    });
  });

  it.each<[string, string, string, Readonly<Record<string, string>>]>([
    ["Codex's environment", "<environment_context>\n  <cwd>/srv/app</cwd>\n</environment_context>", "/srv/app", {}],
    [
      "Codex's header",
      "",
      '/srv/my "app"',
      { "x-codex-turn-metadata": String.raw`{"turn_id":"1","workspaces":{"/srv/my \"app\"":{"x":1}}}` },
    ],
    ["Roo Code's details", "# Current Workspace Directory (/srv/app) Files\nREADME.md", "/srv/app", {}],
    ["Gemini CLI's setup", "I'm currently working in the directory: /srv/app", "/srv/app", {}],
    ["Cursor's info", "Workspace Path: C:\\code\\app", "C:\\code\\app", {}],
    ["Copilot's folders", "I am working in a workspace with the following folders:\n- /srv/app", "/srv/app", {}],
  ])("reads the project from %s", (_, text, project, headers) => {
    expect(opening("", [said(text)], headers).project).toBe(project);
  });

  it("leaves unknown labels empty", () => {
    expect(opening("Be brief.", [])).toEqual({ title: "", project: "", branch: "", client: "", clientVersion: "" });
  });

  it("does not take a folder from the model's own words", () => {
    expect(opening("", [textMessage("assistant", "Working directory: /etc")]).project).toBe("");
  });
});

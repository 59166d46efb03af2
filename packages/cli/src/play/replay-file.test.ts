import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { writeSession } from "../testing/logs.ts";
import { makeTerminal } from "../testing/terminal.ts";
import { playable, requestsIn } from "./replay-file.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("replay", () => {
  it("replays a log turn by turn and prints a summary", async () => {
    writeSession(folder, 8);
    const terminal = makeTerminal(folder);
    expect(await run(["replay", "session.jsonl", "--strategy", "middle-out"], terminal)).toBe(0);
    const output = terminal.output();
    expect(output.match(/^ *\d+ {2}.*[│›] +\d+%/gm)).toHaveLength(16);
    expect(output).toContain("result of Read");
    expect(output).toContain("“Please look at src/part0.ts and …");
    expect(output).toMatch(/condensed with middle-out, -\d/);
    expect(output).toMatch(/16 turns, all answered\..*Cost at list prices/s);
  });

  it("prints JSON for the requested number of turns", async () => {
    writeSession(folder, 8);
    const terminal = makeTerminal(folder);
    const args = [
      "replay",
      "session.jsonl",
      "--window",
      "8k",
      "--turns",
      "5",
      "--strategy",
      "sliding-window",
      "--json",
    ];
    expect(await run(args, terminal)).toBe(0);
    const printed = JSON.parse(terminal.output());
    expect(printed).toMatchObject({ model: "claude-sonnet-4-5", strategy: "sliding-window", turns: 5, refused: 0 });
    expect(printed).toMatchObject({ windowTokens: 8_000, refusals: [] });
    expect(printed.perTurn).toHaveLength(5);
    expect(Math.max(...printed.perTurn.map(({ sentTokens }: { sentTokens: number }) => sentTokens))).toBeLessThan(
      8_000,
    );
  });

  it("compares every strategy with the same cost of the untouched session", async () => {
    writeSession(folder, 24);
    const baselines: number[] = [];
    for (const strategy of ["full-history", "sliding-window", "smart", "truncation", "native"]) {
      const terminal = makeTerminal(folder);
      const window = strategy === "full-history" ? "1m" : "20k";
      const args = ["replay", "session.jsonl", "--window", window, "--strategy", strategy, "--json"];
      expect(await run(args, terminal)).toBe(0);
      baselines.push(JSON.parse(terminal.output()).untouchedUsd);
    }
    const [untouched = 0] = baselines;
    for (const baseline of baselines) expect(Math.abs(baseline / untouched - 1)).toBeLessThan(0.02);
  });

  it("ends early when it is stopped and prints a summary so far", async () => {
    writeSession(folder, 60);
    const terminal = makeTerminal(folder);
    const exit = run(["replay", "session.jsonl"], terminal);
    await expect.poll(() => terminal.output()).toMatch(/^ +1 {2}/m);
    terminal.stop();
    expect(await exit).toBe(0);
    const [, printed = ""] = /\n(\d+) turns?, all answered/.exec(terminal.output()) ?? [];
    expect(Number(printed)).toBeGreaterThan(0);
    expect(Number(printed)).toBeLessThan(120);
  });

  it("continues after a rejected turn and prints the reason", async () => {
    writeSession(folder, 6);
    const terminal = makeTerminal(folder);
    expect(await run(["replay", "session.jsonl", "--strategy", "full-history", "--window", "6k"], terminal)).toBe(0);
    expect(terminal.output()).toMatch(/\d turns? answered, \d+ rejected\..*First rejection: the request was rejected/s);
  });

  it("rejects a file without an answer", async () => {
    writeFileSync(join(folder, "short.json"), JSON.stringify({ messages: [{ role: "user", content: "Hello" }] }));
    const terminal = makeTerminal(folder);
    expect(await run(["replay", "short.json"], terminal)).toBe(1);
    expect(terminal.errors()).toContain("short.json contains no request with a reply; choose");
  });

  it("replays an OpenAI chat with an OpenAI model", async () => {
    const messages = [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hello!" },
    ];
    writeFileSync(join(folder, "chat.json"), JSON.stringify({ model: "gpt-4o", messages }));
    const terminal = makeTerminal(folder);
    expect(await run(["replay", "chat.json", "--json"], terminal)).toBe(0);
    expect(JSON.parse(terminal.output())).toMatchObject({ model: "gpt-4o", turns: 1 });
  });
});

describe("playable", () => {
  const thinking = { type: "thinking", text: "Hm.", signature: "s" } as const;
  const conversation = makeConversation([
    makeUser(makeToolResult("lost", "of a call before the log begins")),
    makeUser("Look at a.ts."),
    makeAssistant([thinking, makeToolCall("c1", { name: "read", input: { path: "a.ts" } })]),
    makeUser(makeToolResult("c1", "const a = 1;")),
    makeAssistant([thinking]),
    makeAssistant("Done."),
  ]);

  it("starts with a user message, without thinking, and declares the called tools", () => {
    const { messages, tools, system } = playable({ ...conversation, system: [], tools: [] });
    expect(messages.map(({ role, blocks }) => [role, ...blocks.map(({ type }) => type)])).toEqual([
      ["user", "text"],
      ["assistant", "tool-call"],
      ["user", "tool-result"],
      ["assistant", "text"],
    ]);
    expect(tools.map(({ name }) => name)).toEqual(["read"]);
    expect(system).toHaveLength(1);
  });

  it("keeps the system prompt and the tools of a request", () => {
    const system = [{ type: "text", text: "Be brief." }] as const;
    expect(playable({ ...conversation, system }).system).toBe(system);
  });

  it("returns the positions of the answers", () => {
    expect(requestsIn(playable(conversation))).toEqual([1, 3]);
    expect(requestsIn(playable(makeConversation([makeAssistant("Alone.")])))).toEqual([]);
  });
});

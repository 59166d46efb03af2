import { existsSync, readdirSync, readFileSync } from "node:fs";
import {
  type Block,
  type Message,
  NO_USAGE,
  promptTokens,
  toolPairs,
  type Usage,
} from "@longhaul/conversation/advanced";
import { describe, expect, it } from "vitest";
import { type LogReading, promptMessages, readLog } from "./index.ts";

/** Recorded sessions that are not in the repository; without them the tests are skipped. The totals were counted independently. */
const SESSIONS = new URL("../../../../shared/data/sessions/", import.meta.url);

function read(path: string): LogReading {
  return readLog(readFileSync(new URL(path, SESSIONS), "utf8"));
}

function totalUsage({ calls }: LogReading): Usage {
  return calls.reduce((sum: Usage, { usage = NO_USAGE }) => {
    return {
      inputTokens: sum.inputTokens + usage.inputTokens,
      cacheReadTokens: sum.cacheReadTokens + usage.cacheReadTokens,
      cacheWriteTokens: sum.cacheWriteTokens + usage.cacheWriteTokens,
      outputTokens: sum.outputTokens + usage.outputTokens,
    };
  }, NO_USAGE);
}

function totalCost({ calls }: LogReading): number {
  return calls.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0);
}

function countPairs(messages: readonly Message[]) {
  const { pairs, orphans } = toolPairs(messages);
  return {
    calls: pairs.length,
    unanswered: pairs.filter(({ result }) => result === undefined).length,
    orphans: orphans.length,
  };
}

function countCharacters(block: Block): number {
  if (block.type === "text") return block.text.length;
  if (block.type === "tool-call") return block.name.length + JSON.stringify(block.input).length;
  if (block.type === "tool-result") return block.content.reduce((sum, part) => sum + countCharacters(part), 0);
  return 0;
}

describe.runIf(existsSync(SESSIONS))("real sessions", () => {
  it("reads Claude Code: 350 messages and 170 calls from 458 lines", () => {
    const reading = read("claude-code/large.jsonl");
    const { messages } = reading.conversation;
    expect(reading.format).toBe("claude-code");
    expect(messages).toHaveLength(350);
    expect(messages.filter(({ role }) => role === "assistant")).toHaveLength(170);
    expect(countPairs(messages)).toEqual({ calls: 152, unanswered: 0, orphans: 0 });
    expect(totalUsage(reading)).toEqual({
      inputTokens: 360,
      cacheReadTokens: 66_925_567,
      cacheWriteTokens: 2_395_354,
      outputTokens: 22_976,
    });
    expect(new Set(reading.calls.map(({ model }) => model))).toEqual(new Set(["claude-sonnet-4-20250514"]));
    expect(reading.events.map(({ kind, line }) => [kind, line])).toEqual([
      ["title", 1],
      ["title", 2],
      ["continuation", 3],
    ]);
    expect([reading.sideCalls, reading.warnings]).toEqual([[], []]);
  });

  it("reads pi: 990 messages (13 empty), 484 calls and two compactions", () => {
    const reading = read("pi/refactor-before-compaction.jsonl");
    expect(reading.format).toBe("pi");
    expect(reading.conversation.messages).toHaveLength(977);
    expect(reading.calls).toHaveLength(484);
    expect(reading.calls.filter(({ reply }) => reply === undefined)).toHaveLength(13);
    expect(reading.calls.filter(({ outcome }) => outcome !== "finished")).toHaveLength(19);
    expect(countPairs(reading.conversation.messages)).toEqual({ calls: 454, unanswered: 6, orphans: 0 });
    expect(totalUsage(reading)).toEqual({
      inputTokens: 3_689,
      cacheReadTokens: 54_693_675,
      cacheWriteTokens: 1_685_320,
      outputTokens: 187_895,
    });
    expect(totalCost(reading)).toBeCloseTo(42.5959075, 6);
    expect(reading.events).toMatchObject([
      { kind: "compaction", line: 360, at: 352, keptFrom: 286, tokensBefore: 175_004 },
      { kind: "compaction", line: 629, at: 613, keptFrom: 536, tokensBefore: 185_014 },
    ]);
    expect([reading.sideCalls, reading.warnings]).toEqual([[], []]);
  });

  it("reconstructs pi's prompts: characters are proportional to the billed tokens, across compactions", () => {
    const reading = read("pi/refactor-before-compaction.jsonl");
    const systemAndTools = 2_500; // tokens; the log doesn't hold them, and the first prompt, of 668 characters, had 2775
    const ratios = reading.calls.flatMap((call) => {
      const tokens = promptTokens(call.usage ?? NO_USAGE);
      const blocks = promptMessages(reading, call).flatMap((message) => message.blocks);
      const characters = blocks.reduce((sum, block) => sum + countCharacters(block), 0);
      return tokens > 10_000 ? [characters / (tokens - systemAndTools)] : [];
    });
    expect(ratios.length).toBeGreaterThan(400);
    expect(Math.min(...ratios)).toBeGreaterThan(2.5);
    expect(Math.max(...ratios)).toBeLessThan(3.5);
  });

  it.each([
    ["heavy-uncondensed", 54, "anthropic/claude-sonnet-4", 1.5],
    ["synthetic-2-heavy-read", 32, "anthropic/claude-sonnet-4.5", 1.13],
    ["synthetic-3-tool-dedup", 92, "anthropic/claude-sonnet-4.5", 4.96],
    ["synthetic-4-mixed-ops", 40, "anthropic/claude-sonnet-4.5", 0.47],
  ])("reads Roo's %s: %d messages, half of them replies", (name, count, model, cost) => {
    const reading = read(`roo/${name}.json`);
    expect([reading.format, reading.conversation.messages.length]).toEqual(["roo", count]);
    expect(reading.calls).toHaveLength(count / 2);
    expect(new Set(reading.calls.map((call) => call.model))).toEqual(new Set([model]));
    expect(totalCost(reading)).toBeCloseTo(cost, 6);
    expect(countPairs(reading.conversation.messages)).toEqual({ calls: 0, unanswered: 0, orphans: 0 });
    expect(reading.warnings).toEqual([]);
  });

  it("reads 50 OpenAI conversations: 1334 messages, 642 replies and 282 answered calls", () => {
    const names = readdirSync(new URL("openai-tools/", SESSIONS));
    const readings = names.map((name) => read(`openai-tools/${name}`));
    const sum = (count: (reading: LogReading) => number) =>
      readings.reduce((total, reading) => total + count(reading), 0);
    expect(new Set(readings.map(({ format }) => format))).toEqual(new Set(["openai-chat"]));
    expect(sum(({ conversation }) => conversation.system.length)).toBe(50);
    expect(sum(({ conversation }) => conversation.messages.length)).toBe(1_334);
    expect(sum(({ calls }) => calls.length)).toBe(642);
    expect(sum(({ conversation }) => countPairs(conversation.messages).calls)).toBe(282);
    expect(sum(({ conversation }) => countPairs(conversation.messages).unanswered)).toBe(0);
    expect(sum(({ conversation }) => countPairs(conversation.messages).orphans)).toBe(0);
    expect(sum(({ warnings }) => warnings.length)).toBe(0);
  });
});

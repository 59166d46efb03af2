import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { type FinishedRequest, type LogOptions, openLog } from "./log.ts";
import { makeRedactor } from "./redact.ts";

function makeLog(level: LogOptions["level"] = "info") {
  const lines: string[] = [];
  const log = openLog({ level, redact: makeRedactor(["our-own-key"]), write: (line) => void lines.push(line) });
  return { ...log, lines, logged: () => lines.map((line) => JSON.parse(line)) };
}

const request: FinishedRequest = {
  id: "lh_1",
  wire: "openai-chat",
  action: "generate",
  model: "m",
  upstream: "u",
  sentAs: undefined,
  status: 200,
  ms: 12,
  firstByteMs: 5,
  promptTokens: undefined,
  usage: {
    inputTokens: 1,
    cacheReadTokens: 2,
    cacheWriteTokens: 3,
    outputTokens: 4,
    iterations: [{ inputTokens: 9, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 9 }],
  },
  condensed: undefined,
  observed: undefined,
  isWindowExceeded: undefined,
  copiedMarks: undefined,
  warnings: undefined,
  error: undefined,
  why: undefined,
  isGone: undefined,
};

describe("openLog", () => {
  it("writes a finished request as one line without unknown fields", () => {
    const { finished, logged } = makeLog();
    finished(request);
    const [{ time, ...line }] = logged();
    expect(new Date(time).toISOString()).toBe(time);
    expect(line).toEqual({
      level: 30,
      id: "lh_1",
      wire: "openai-chat",
      action: "generate",
      model: "m",
      upstream: "u",
      status: 200,
      ms: 12,
      firstByteMs: 5,
      inputTokens: 1,
      cacheReadTokens: 2,
      cacheWriteTokens: 3,
      outputTokens: 4,
      msg: "request finished",
    });
  });

  it("logs faults as warnings and nothing below its level", () => {
    const { finished, logged } = makeLog("warn");
    finished(request);
    finished({ ...request, status: 502, error: "upstream.unreachable" });
    expect(logged()).toMatchObject([{ level: 40, status: 502, error: "upstream.unreachable" }]);
  });

  it("logs a bug with its stack and those of its causes only", () => {
    const { bug, logged, lines } = makeLog();
    const cause = Object.assign(new TypeError("inner"), { body: "what the user wrote" });
    bug(new LonghaulError("internal.bug", "outer", { cause }), "lh_1");
    bug("a thrown text", "lh_2");
    expect(logged()).toMatchObject([
      { level: 50, id: "lh_1", stack: expect.stringMatching(/outer\n\s+at .*caused by TypeError: inner\n/s) },
      { id: "lh_2", stack: "a value that is not an error was thrown" },
    ]);
    expect(lines.join("")).not.toContain("what the user wrote");
    expect(lines.join("")).not.toContain("a thrown text");
  });

  it("logs the names of changed settings and those that need a restart", () => {
    const { reloaded, notReloaded, warned, logged } = makeLog();
    reloaded({ changed: ["routes"], needRestart: [] });
    reloaded({ changed: ["server"], needRestart: ["server.host", "server.port"] });
    notReloaded("routes.0.match: bad");
    warned("not watched");
    const lines = logged().map(({ time: _, ...line }) => line);
    expect(lines).toEqual([
      { level: 30, changed: ["routes"], msg: "configuration reloaded" },
      {
        level: 40,
        changed: ["server"],
        needRestart: ["server.host", "server.port"],
        msg: "configuration reloaded; restart to apply server.host and server.port",
      },
      { level: 50, why: "routes.0.match: bad", msg: "configuration not reloaded; the previous one stays active" },
      { level: 40, msg: "not watched" },
    ]);
  });

  it("redacts credentials in every line", () => {
    const { finished, bug, lines } = makeLog();
    finished({ ...request, model: "our-own-key", why: "refused Bearer abc", upstream: "sk-abcdefgh12345" });
    bug(new Error("our-own-key"), "lh_1");
    expect(lines.join("")).not.toMatch(/our-own-key|Bearer abc|sk-abcdefgh/);
  });
});

import { describe, expect, it } from "vitest";
import type { Destination } from "../destinations/destination.ts";
import { makeChat, openFitBench } from "../testing/index.ts";
import { namingOf, scopeOf, sessionOf } from "./scope.ts";

const bench = await openFitBench();
const { destination } = bench;
const withContext = (context: Partial<Destination["context"]>) => ({
  ...destination,
  context: { ...destination.context, ...context },
});

describe("scopeOf", () => {
  it("is the same for the same settings in any spelling", () => {
    const [one, two] = [
      { a: 1, b: { c: 2, d: [{ e: 3, f: 4 }] } },
      { b: { d: [{ f: 4, e: 3 }], c: 2 }, a: 1 },
    ];
    expect(scopeOf(withContext({ config: one }), "t")).toBe(scopeOf(withContext({ config: two }), "t"));
    expect(scopeOf(withContext({ threshold: 50, waitSeconds: 3 }), "t")).toBe(scopeOf(destination, "t"));
  });

  it("differs by tenant, upstream, model, strategy, configuration, prompt and mode", async () => {
    const elsewhere = await openFitBench({ config: { routes: [{ match: "*", upstream: "own" }] } });
    const scopes = [
      scopeOf(destination, "t"),
      scopeOf(destination, "u"),
      scopeOf(elsewhere.destination, "t"),
      scopeOf({ ...destination, model: "claude-opus-4-6" }, "t"),
      scopeOf(withContext({ strategy: "native" }), "t"),
      scopeOf(withContext({ config: { startPercent: 30 } }), "t"),
      scopeOf(withContext({ config: { list: [1, 2] } }), "t"),
      scopeOf(withContext({ config: { list: [2, 1] } }), "t"),
      scopeOf(withContext({ prompt: "Be brief." }), "t"),
      scopeOf(withContext({ mode: "observe" }), "t"),
    ];
    expect(new Set(scopes).size).toBe(scopes.length);
  });
});

describe("sessionOf", () => {
  const sessionFor = async (headers: Readonly<Record<string, string>>, more = {}) => {
    const { call, history } = await bench.fitRequest(makeChat(1, more), headers);
    return sessionOf(call, namingOf(call, history.head), () => "unnamed").session;
  };

  it.each([
    [{ "x-claude-code-session-id": "s1", "session-id": "s2" }, "s1"],
    [{ "x-session-id": "", session_id: "s3" }, "s3"],
    [{ "x-session-affinity": "x".repeat(300) }, "x".repeat(200)],
  ])("uses the client's header: %j", async (headers, session) => {
    expect(await sessionFor(headers)).toBe(session);
  });

  it("uses Claude Code's user id", async () => {
    expect(await sessionFor({}, { metadata: { user_id: '{"session_id":"s4"}' } })).toBe("s4");
  });

  it.each([
    [{ "x-claude-code-session-id": "s", "x-claude-code-agent-id": "" }, "s", ""],
    [{ "x-claude-code-session-id": "x".repeat(300), "x-claude-code-agent-id": "a" }, "x".repeat(200), ""],
    [{ "session-id": "s", "thread-id": "s", "x-openai-subagent": "compact" }, "s", ""],
    [{ "session-id": "s", "thread-id": "r", "x-openai-subagent": "review" }, "r", "s"],
    [{ "session-id": "s", "thread-id": "t" }, "s", ""],
    [{ "x-session-id": "s", "x-parent-session-id": "s" }, "s", ""],
  ])("returns the thread and its parent: %j", async (headers, session, parent) => {
    const { call, history } = await bench.fitRequest(makeChat(1), headers);
    expect(sessionOf(call, namingOf(call, history.head), () => "unnamed")).toEqual({ session, parent });
  });

  it.each([
    ["without what some database refuses", "a\u0000b\ud800", "a\uFFFDb\uFFFD"],
    ["of a bounded length", "x".repeat(300), "x".repeat(200)],
    ["without what looks like a credential", "talk of sk-abcdefgh12345", "talk of [redacted]"],
  ])("is %s, whatever names it", async (_, session_id, session) => {
    expect(await sessionFor({}, { metadata: { user_id: JSON.stringify({ session_id }) } })).toBe(session);
  });

  it("does not parse a user id that is far longer than Claude Code's", async () => {
    const user_id = JSON.stringify({ session_id: "s4", padding: "x".repeat(5_000) });
    expect(await sessionFor({}, { metadata: { user_id } })).toBe(await sessionFor({}));
  });

  it.each(["u1", "{broken", '{"session_id":7}', "[]"])("is named by its messages if the user id is %s", async (id) => {
    expect(await sessionFor({}, { metadata: { user_id: id } })).toBe("unnamed");
  });

  it.each([
    ["user_1a_account_7b1c9a52-6d9f_session_0d9b7f36-5a41", { session: "0d9b7f36-5a41", account: "7b1c9a52-6d9f" }],
    ['{"session_id":"s","account_uuid":"a"}', { session: "s", account: "a" }],
  ])("finds session and account in %s", async (user_id, named) => {
    const { call, history } = await bench.fitRequest(makeChat(1, { metadata: { user_id } }));
    expect(namingOf(call, history.head)).toMatchObject(named);
  });

  it("accepts a prompt_cache_key as a session only if it looks random", () => {
    const sessionBy = (prompt_cache_key: string) => namingOf({ headers: {} }, { extra: { prompt_cache_key } }).session;
    const chance = "7b1c9a52-6d9f-4d0e-8f7e-3f0a4c1d2e90";
    expect([sessionBy(chance), sessionBy("my-app")]).toEqual([chance, undefined]);
  });

  it("separates the threads of sub-agents within a session", () => {
    const headers = { "x-claude-code-session-id": "s", "x-claude-code-agent-id": "a" };
    expect(namingOf({ headers }, {})).toMatchObject({ session: "s", conversation: "s:a" });
  });

  it("has no name if there is nothing to derive one from", async () => {
    const { session } = await bench.fitRequest(makeChat(1, { messages: [] }), {});
    expect(session).toBe("");
  });
});

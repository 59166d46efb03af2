import { json, openUpstream } from "@longhaul/fit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AdminGateway, openAdminGateway } from "./testing/admin.ts";

const REPLY = { id: "m", type: "message", role: "assistant", content: [], usage: {} };

/** The headers of real clients: Claude Code 2.1.139, Codex 0.166 and opencode 1.3, each with a nested sub-agent. */
const CLIENTS = {
  "Claude Code": [
    [{ "x-claude-code-session-id": "s" }, "s", ""],
    [{ "x-claude-code-session-id": "s", "x-claude-code-agent-id": "a1" }, "s:a1", "s"],
    [
      { "x-claude-code-session-id": "s", "x-claude-code-agent-id": "a2", "x-claude-code-parent-agent-id": "a1" },
      "s:a2",
      "s:a1",
    ],
  ],
  Codex: [
    [{ "session-id": "t1", "thread-id": "t1" }, "t1", ""],
    [codexThread("t2", "t1"), "t2", "t1"],
    [codexThread("t3", "t2"), "t3", "t2"],
  ],
  opencode: [
    [{ "x-session-id": "ses_1", "x-session-affinity": "ses_1" }, "ses_1", ""],
    [{ "x-session-id": "ses_2", "x-parent-session-id": "ses_1" }, "ses_2", "ses_1"],
    [{ "x-session-id": "ses_3", "x-parent-session-id": "ses_2" }, "ses_3", "ses_2"],
  ],
} as const;

function codexThread(thread: string, parent: string) {
  return {
    "session-id": "t1",
    "thread-id": thread,
    "x-codex-parent-thread-id": parent,
    "x-openai-subagent": "collab_spawn",
  };
}

describe.each(Object.entries(CLIENTS))("sub-agents of %s", (_, threads) => {
  let opened: AdminGateway;
  let close: () => Promise<void>;
  beforeEach(async () => {
    const upstream = await openUpstream(json(REPLY));
    opened = await openAdminGateway({
      upstreams: { up: { kind: "anthropic", baseUrl: upstream.url, apiKey: "k" } },
      routes: [{ match: "*", upstream: "up" }],
    });
    close = async () => {
      await opened.gateway.close();
      await upstream.close();
    };
    for (const [headers, session] of threads) await post(headers, session);
  });
  afterEach(() => close());

  async function post(headers: Readonly<Record<string, string>>, words: string): Promise<void> {
    const messages = [{ role: "user", content: words }];
    const body = JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 9, messages });
    const response = await fetch(`${opened.gateway.url}/v1/messages`, { method: "POST", headers, body });
    expect([response.status, await response.json()]).toEqual([200, REPLY]);
  }

  const listed = async (query = "") => (await opened.ask("GET", `/sessions${query}`)).body.sessions;
  const namesOf = (sessions: readonly { readonly session: string; readonly parent: string }[]) =>
    sessions.map(({ session, parent }) => [session, parent]).sort();

  it("have their own sessions with a parent", async () => {
    await expect.poll(() => listed()).toHaveLength(3);
    expect(namesOf(await listed())).toEqual(threads.map(([, session, parent]) => [session, parent]));
    const [[, main], [, child], [, nested]] = threads;
    expect(namesOf(await listed("?parent="))).toEqual([[main, ""]]);
    expect(namesOf(await listed(`?parent=${encodeURIComponent(child)}`))).toEqual([[nested, child]]);
  });

  it("are listed with their main thread", async () => {
    await expect.poll(() => listed()).toHaveLength(3);
    const [[, main], [, child]] = threads;
    const ofMain = (await opened.ask("GET", `/session?session=${main}`)).body;
    expect(ofMain).toMatchObject({ parent: "", turns: [{ session: main }], children: [{ session: child }] });
    const ofChild = (await opened.ask("GET", `/session?session=${encodeURIComponent(child)}`)).body;
    expect(ofChild).toMatchObject({ parent: main, turns: [{ session: child }], children: [{}] });
  });

  it("are deleted with their main thread", async () => {
    await expect.poll(() => listed()).toHaveLength(3);
    expect((await opened.ask("DELETE", `/session?session=${threads[0][1]}`)).body).toMatchObject({ events: 3 });
    expect(await listed()).toEqual([]);
  });
});

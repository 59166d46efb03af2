import { makeKey } from "@longhaul/admin";
import type { Message } from "@longhaul/conversation";
import { openStore, type Store } from "@longhaul/store";
import { describe, expect, it, onTestFinished } from "vitest";
import { send } from "./formats.ts";
import { filler, makeStorePath, openRig, type Rig, type RigOptions, SUMMARY_SIGN } from "./rig.ts";

const SECRET = /secret-[a-z]+/g;

/** A gateway whose summaries repeat every secret that the model was shown. */
async function rigOf(options: RigOptions = {}): Promise<Rig> {
  const script = ({ system, turns }: { system: string; turns: readonly { texts: readonly string[] }[] }) => {
    const isAsk = turns.at(-1)?.texts.join("\n").includes(SUMMARY_SIGN) === true;
    const secrets = JSON.stringify([system, turns]).match(SECRET) ?? [];
    return isAsk ? `say They read files and found ${[...new Set(secrets)].join(", ")}.` : "say Noted.";
  };
  const rig = await openRig({ context: { strategy: "native" }, ...options, simulator: { script } });
  onTestFinished(rig.close);
  return rig;
}

interface Reads {
  /** The content of every result. */
  readonly secret: string;
  readonly files?: number;
  /** The id of each call. */
  readonly idOf?: (index: number) => string;
  /** Replaces the results before this one by a clearing text. */
  readonly clearedTo?: number;
  /** Long exchanges after them, so that the request is condensed even if all results are cleared. */
  readonly later?: number;
}

const CLEARED = "[Old tool result content cleared]";

/** A session that reads files, and asks what they hold. */
function reads({ secret, files = 30, idOf = (index) => `call_${index}`, clearedTo = 0, later = 0 }: Reads): Message[] {
  const rounds = Array.from({ length: files }, (_, index): Message[] => {
    const text = index < clearedTo ? CLEARED : `File ${index} holds ${secret} and ${filler(index, 80)}.`;
    const result = {
      type: "tool-result",
      callId: idOf(index),
      content: [{ type: "text", text }],
      isError: false,
    } as const;
    const call = { type: "tool-call", id: idOf(index), name: "read", input: { path: `${index}.txt` } } as const;
    return [
      { role: "assistant", blocks: [call] },
      { role: "user", blocks: [result] },
    ];
  });
  const words = (role: Message["role"], text: string): Message => ({ role, blocks: [{ type: "text", text }] });
  const exchanges = Array.from({ length: later }, (_, index) => [
    words("assistant", `Well ${filler(index, 60)}`),
    words("user", `And ${filler(index + 1_000, 60)}?`),
  ]);
  return [
    words("user", "Report what the files hold."),
    ...rounds.flat(),
    words("assistant", "Read."),
    words("user", "So?"),
    ...exchanges.flat(),
  ];
}

const origin = ({ headers }: { readonly headers: Headers }) => headers.get("x-longhaul-context");
const sentLast = (rig: Rig) => JSON.stringify(rig.turns().at(-1)?.body);
const UUID = "7b1c9a52-6d9f-4d0e-8f7e-3f0a4c1d2e90";
const OTHER_UUID = "0d9b7f36-5a41-4a39-9a0b-c6f3f2e81b77";

/** A client of each kind: with ids that repeat in every session, and without any. */
const CLIENTS = [
  ["openai-chat", "gpt-4o", (index: number) => `call_${index}`],
  ["openai-chat", "gpt-4o", () => "call_0"],
  ["anthropic-messages", "claude-sonnet-4-5", (index: number) => `call_${index}`],
  ["gemini", "gemini-2.5-flash", () => ""],
] as const;

describe("a request whose context was edited", () => {
  const EDITS = {
    context_management: {
      edits: [
        {
          type: "clear_tool_uses_20250919",
          trigger: { type: "tool_uses", value: 5 },
          keep: { type: "tool_uses", value: 36 },
        },
      ],
    },
  };

  async function openKeyed(): Promise<{
    rig: Rig;
    store: Store;
    addKey: (tenant: string) => Promise<{ key: string; id: string }>;
  }> {
    const storePath = makeStorePath();
    const store = await openStore({ path: storePath, nowMs: Date.now });
    onTestFinished(() => store.close());
    const addKey = async (tenant: string) => {
      const { key, stored } = makeKey({ name: tenant, tenant, limits: { usdPerMonth: 100 }, createdAtMs: Date.now() });
      await store.keys.create(stored);
      return { key, id: stored.id };
    };
    await addKey("first");
    return { rig: await rigOf({ storePath }), store, addKey };
  }

  it("stays its tenant's: no other key sees the summary, and limits and events count it", async () => {
    const { rig, store, addKey } = await openKeyed();
    const [alice, bob] = [await addKey("alice"), await addKey("bob")];
    const say = (key: string, secret: string) =>
      send(rig, {
        model: "gpt-4o",
        wire: "anthropic-messages",
        messages: reads({ secret, files: 40 }),
        headers: { "x-longhaul-key": key, "x-session-id": "one" },
        fields: EDITS,
      });
    expect(origin(await say(alice.key, "secret-alice"))).toBe("new");
    expect(sentLast(rig)).toContain("found secret-alice");
    expect(origin(await say(bob.key, "secret-bob"))).toBe("new");
    expect(sentLast(rig)).not.toContain("secret-alice");
    await rig.restart();
    const events = await store.events.condensations({ limit: 10 });
    expect(events.map(({ tenant, keyId }) => [tenant, keyId])).toEqual([
      ["bob", bob.id],
      ["alice", alice.id],
    ]);
    const [, summary] = events;
    const requests = await store.events.requests({ limit: 10, tenant: "alice" });
    expect(requests.map(({ keyId }) => keyId)).toEqual([alice.id]);
    const spent = (summary?.costUsd ?? 0) + (requests[0]?.costUsd ?? 0);
    expect(summary?.costUsd).toBeGreaterThan(0);
    expect((await store.limits.used(alice.id, Date.now())).usdThisMonth).toBeCloseTo(spent, 10);
  });
});

describe.each(CLIENTS)("a nightly job over %s", (wire, model, idOf) => {
  it("never gets the summary of another night's results", async () => {
    const rig = await rigOf();
    const run = (secret: string, files = 30) => send(rig, { model, wire, messages: reads({ secret, files, idOf }) });
    expect(origin(await run("secret-monday"))).toBe("new");
    expect(sentLast(rig)).toContain("found secret-monday");
    expect(origin(await run("secret-tuesday"))).toBe("new");
    expect(sentLast(rig)).toContain("found secret-tuesday");
    expect(sentLast(rig)).not.toContain("secret-monday");
    expect(origin(await run("secret-monday"))).toBe("reused");
    expect(origin(await run("secret-tuesday"))).toBe("reused");
    expect(sentLast(rig)).not.toContain("secret-monday");
  });

  it("never shares a summary that is still being written", async () => {
    const rig = await rigOf();
    const nights = ["secret-monday", "secret-tuesday", "secret-friday"];
    await Promise.all(nights.map((secret) => send(rig, { model, wire, messages: reads({ secret, idOf }) })));
    for (const { body } of rig.turns()) {
      expect(new Set(JSON.stringify(body).match(SECRET)).size).toBe(1);
    }
  });
});

describe("without gateway keys", () => {
  const say = (rig: Rig, headers: Readonly<Record<string, string>>, more: Partial<Reads> = {}) =>
    send(rig, {
      model: "claude-sonnet-4-5",
      wire: "anthropic-messages",
      messages: reads({ secret: "secret-alice", ...more }),
      headers,
    });

  it("two vendor credentials share nothing, whatever session they name", async () => {
    const rig = await rigOf();
    const session = { "x-claude-code-session-id": UUID };
    expect(origin(await say(rig, { ...session, "x-api-key": "sk-ant-api03-alice" }))).toBe("new");
    expect(origin(await say(rig, { ...session, "x-api-key": "sk-ant-api03-bob" }, { clearedTo: 30 }))).not.toBe(
      "reused",
    );
    expect(sentLast(rig)).not.toContain("secret-alice");
    expect(origin(await say(rig, { ...session, "x-api-key": "sk-ant-api03-bob" }))).toBe("new");
    expect(origin(await say(rig, { ...session, "x-api-key": "sk-ant-api03-alice" }))).toBe("reused");
  });

  const jwt = (claims: object, signature: string) =>
    ["eyJhbGciOiJub25lIn0", Buffer.from(JSON.stringify(claims)).toString("base64url"), signature].join(".");
  const bearer = (token: string) => ({ "x-api-key": "", authorization: `Bearer ${token}` });
  const subject = { iss: "https://sso.example", sub: "alice", exp: 1 };

  it.each([
    ["another bearer token beside the same key", { "x-api-key": "same" }, ["Bearer sk-alice", "Bearer sk-bob"]],
    ["a forged token", bearer(""), [`Bearer ${jwt(subject, "real")}`, `Bearer ${jwt(subject, "forged")}`]],
    ["another OAuth token", bearer(""), ["Bearer sk-ant-oat01-alice", "Bearer sk-ant-oat01-bob"]],
  ] as const)("%s gets no summary by a session name that anybody can guess", async (_, common, tokens) => {
    for (const session of ["nightly", "00000000-0000-0000-0000-000000000000", "NightlyReport2026Run"]) {
      const rig = await rigOf();
      const [alice = "", bob = ""] = tokens;
      const headers = { ...common, "x-session-id": session };
      const user = { account_uuid: OTHER_UUID, session_id: session };
      const run = (authorization: string, more: Partial<Reads>) =>
        send(rig, {
          model: "claude-sonnet-4-5",
          wire: "anthropic-messages",
          messages: reads({ secret: "secret-alice", ...more }),
          headers: { ...headers, authorization },
          fields: { metadata: { user_id: JSON.stringify(user) } },
        });
      await run(alice, {});
      await run(alice, { clearedTo: 30, later: 30 });
      expect(sentLast(rig)).toContain("secret-alice");
      await run(bob, { clearedTo: 30, later: 30 });
      expect(sentLast(rig)).not.toContain("secret-alice");
    }
  });

  it("a session goes on with its summary after its token was refreshed, and after a restart", async () => {
    const rig = await rigOf({ storePath: makeStorePath() });
    const token = (name: string) => ({ "x-api-key": "", authorization: `Bearer sk-ant-oat01-${name}` });
    const session = { "x-claude-code-session-id": UUID };
    expect(origin(await say(rig, { ...token("first"), ...session }))).toBe("new");
    expect(origin(await say(rig, { ...token("second"), ...session }, { files: 31 }))).toBe("reused");
    await rig.restart();
    expect(origin(await say(rig, { ...token("third"), ...session }, { clearedTo: 10 }))).toBe("reused");
    expect(origin(await say(rig, { ...token("bobs"), "x-claude-code-session-id": OTHER_UUID }))).toBe("new");
    expect(origin(await say(rig, token("nobodys")))).toBe("new");
  });
});

describe("a client that clears results", () => {
  const say = (rig: Rig, more: Partial<Reads>, session?: string) =>
    send(rig, {
      model: "claude-sonnet-4-5",
      wire: "anthropic-messages",
      messages: reads({ secret: "secret-alice", ...more }),
      headers: session === undefined ? {} : { "x-session-id": session },
    });

  it("reuses its summary in the session that it names, and nowhere else", async () => {
    const rig = await rigOf({ storePath: makeStorePath() });
    expect(origin(await say(rig, {}, "one"))).toBe("new");
    expect(origin(await say(rig, { clearedTo: 8, files: 31 }, "one"))).toBe("reused");
    expect(sentLast(rig)).toContain("secret-alice");
    await rig.restart();
    expect(origin(await say(rig, { clearedTo: 8, files: 31 }, "one"))).toBe("reused");
    for (const [secret, session] of [["secret-bob", "two"], ["secret-carol"]] as const) {
      expect(origin(await say(rig, { clearedTo: 8, secret }, session))).toBe("new");
      expect(sentLast(rig)).not.toContain("secret-alice");
    }
  });

  it("never reuses it for other results, even in the same session", async () => {
    const rig = await rigOf();
    expect(origin(await say(rig, {}, "one"))).toBe("new");
    expect(origin(await say(rig, { secret: "secret-bob" }, "one"))).toBe("new");
    expect(sentLast(rig)).not.toContain("secret-alice");
  });

  it("keeps cleared content out of other sessions after the summary was updated", async () => {
    const rig = await rigOf();
    await say(rig, { files: 30 }, "one");
    for (const files of [40, 50, 60, 70])
      await say(rig, { files, clearedTo: files - 10, secret: "secret-alice" }, "one");
    expect(sentLast(rig)).toContain("secret-alice");
    for (const files of [40, 50, 60, 70]) {
      await say(rig, { files, clearedTo: files - 10, secret: "secret-bob" }, "two");
      expect(sentLast(rig)).not.toContain("secret-alice");
    }
  });
});

it("a system prompt that a summary was made from stays in its session", async () => {
  const rig = await rigOf();
  const say = (system: string, files: number, headers: Readonly<Record<string, string>> = {}) =>
    send(rig, {
      model: "claude-sonnet-4-5",
      wire: "anthropic-messages",
      messages: reads({ secret: "nothing", files }),
      headers,
      fields: { system },
    });
  for (let files = 4; files <= 30; files += 2) await say("You know secret-alice.", files, { "x-session-id": "one" });
  for (let files = 4; files <= 30; files += 2) {
    await say("You know secret-bob.", files);
    expect(sentLast(rig)).not.toContain("secret-alice");
  }
});

it("items that are referred to by id count as what they say", async () => {
  const rig = await rigOf();
  const say = async (secret: string) => {
    const items = Array.from({ length: 60 }, (_, index) => {
      const [role, type] = index % 2 === 0 ? ["user", "input_text"] : ["assistant", "output_text"];
      const text = `${index} ${index === 21 ? secret : ""} ${filler(index, 60)}`;
      return { type: "message", id: `item_${index}`, status: "completed", role, content: [{ type, text }] };
    });
    const respond = (input: readonly object[]) =>
      rig.post("/v1/responses", { model: "claude-sonnet-4-5", input: [...input, { role: "user", content: "So?" }] });
    await respond(items);
    return await respond(items.map(({ id }) => ({ type: "item_reference", id })));
  };
  await say("secret-alice");
  expect(sentLast(rig)).toContain("secret-alice");
  await say("secret-bob");
  expect(sentLast(rig)).toContain("secret-bob");
  expect(sentLast(rig)).not.toContain("secret-alice");
});

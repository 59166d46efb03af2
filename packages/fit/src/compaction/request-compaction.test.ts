import type { Block, CompactionBlock, WireId } from "@longhaul/conversation";
import { makeAssistant, makeCompaction, makeUser } from "@longhaul/conversation/testing";
import { findModel, loadCatalog } from "@longhaul/models";
import { type Config, contextSchema, mergeContext } from "@longhaul/settings";
import type { Outgoing } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import { afterAll, describe, expect, it } from "vitest";
import { destinationAt } from "../destinations/destination.ts";
import { makeEndpoint, makeSetup } from "../testing/index.ts";
import { blockBetas, requestCompaction } from "./request-compaction.ts";

const snapshot = makeSetup({
  upstreams: {
    claude: { kind: "anthropic" },
    plan: { kind: "anthropic", window: 200_000, blockedBetas: ["fast-mode-2026-02-01"] },
    openai: { kind: "openai" },
  },
});
afterAll(() => snapshot.close());

interface Setting {
  readonly body?: object | string;
  readonly client?: WireId;
  readonly headers?: Readonly<Record<string, string>>;
  readonly upstream?: string;
  readonly model?: string;
  readonly blocks?: readonly CompactionBlock[];
  readonly isLongContextRefused?: boolean;
  readonly settings?: Config["compaction"];
}

function open({ body = { messages: [] }, client = "anthropic-messages", headers = {}, ...setting }: Setting) {
  const { upstream = "claude", model = "claude-opus-4-6", blocks = [], ...rest } = setting;
  const endpoint = makeEndpoint(client);
  const context = mergeContext(contextSchema.parse({}));
  const options = { requested: model, wire: endpoint.wire, snapshot, isRenamed: false, context };
  const destination = destinationAt(upstream, options);
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const found = requestCompaction({
    call: { body: bytes, headers, endpoint },
    destination,
    settings: { enabled: true, onDemand: false, triggerTokens: 150_000 },
    windowTokens: 200_000,
    ...rest,
  });
  const line = { wire: destination.wire, action: "generate", method: "POST", model, stream: false } as const;
  const outgoing: Outgoing = { ...line, body: bytes, headers };
  return { ...found, outgoing, prepared: found.prepare(outgoing, blocks) };
}

const bodyOf = ({ body }: Outgoing) => JSON.parse(Buffer.from(body ?? []).toString());

describe("requestCompaction", () => {
  it.each([
    ["anthropic-messages", "claude-opus-4-6", { triggerTokens: 60_000 }, 60_000],
    ["openai-chat", "claude-opus-4-6", {}, 150_000],
    ["openai-chat", "claude-opus-4-6", { triggerTokens: 190_000 }, 150_000],
    ["openai-chat", "claude-opus-4-6", { onDemand: false }, undefined],
    ["openai-chat", "claude-opus-4-6", { enabled: false }, undefined],
    ["openai-chat", "claude-sonnet-4-5", {}, undefined],
  ] as const)("asks on demand for %s with %s and %j from %s tokens on", (client, model, given, expected) => {
    const settings = { enabled: true, onDemand: true, ...given };
    expect(open({ client, model, settings }).askTokens).toBe(expected);
  });

  it("adds edits to a Messages client's request and strips its answer", () => {
    const thinking = { type: "clear_thinking_20251015" };
    const { plan, strips, prepared } = open({
      body: { messages: [], context_management: { edits: [thinking] } },
      headers: { "anthropic-beta": "context-management-2025-06-27" },
    });
    expect([plan.kind, strips]).toEqual(["edit", true]);
    expect(bodyOf(prepared).context_management.edits).toMatchObject([thinking, { type: "compact_20260112" }]);
    expect(prepared.headers["anthropic-beta"]).toBe("context-management-2025-06-27,compact-2026-01-12");
  });

  it("adds edits to the request of a client with another format", () => {
    const { strips, prepared } = open({ client: "openai-chat" });
    expect(strips).toBe(true);
    expect(bodyOf(prepared).context_management.edits).toHaveLength(1);
    expect(prepared.headers["anthropic-beta"]).toBe("compact-2026-01-12");
  });

  it("adds the beta of a client's own edit and leaves its blocks in the answer", () => {
    const body = { messages: [], context_management: { edits: [{ type: "compact_20260112" }] } };
    const { plan, strips, prepared, outgoing } = open({ body });
    expect([plan.kind, strips]).toEqual(["client", false]);
    expect(prepared.body).toBe(outgoing.body);
    expect(prepared.headers["anthropic-beta"]).toBe("compact-2026-01-12");
  });

  it("leaves a client unchanged that compacts on demand", () => {
    const { plan, strips, prepared, outgoing } = open({ headers: { "anthropic-beta": "compact-2026-09-04" } });
    expect([plan, strips]).toEqual([{ kind: "none", reason: "client-compacts" }, false]);
    expect(prepared).toBe(outgoing);
  });

  it("adds the betas of the blocks that are sent, even without further compaction", () => {
    const signed: CompactionBlock = { ...makeCompaction(), extra: { signature: "s" } };
    const { plan, prepared } = open({ model: "claude-opus-5-5", blocks: [signed] });
    expect(plan).toEqual({ kind: "none", reason: "unsupported-model" });
    expect(prepared.headers["anthropic-beta"]).toBe("compact-2026-09-04");
  });

  it("removes betas that the upstream must not get", () => {
    const headers = { "anthropic-beta": "context-1m-2025-08-07,fast-mode-2026-02-01,x" };
    const body = { messages: [], speed: "fast" };
    const { prepared } = open({ upstream: "plan", model: "claude-haiku-4-5", headers, body });
    expect([bodyOf(prepared), prepared.headers["anthropic-beta"]]).toEqual([{ messages: [] }, "x"]);
    const refused = open({ model: "claude-haiku-4-5", headers, isLongContextRefused: true });
    expect(refused.prepared.headers["anthropic-beta"]).toBe("fast-mode-2026-02-01,x");
    const untouched = open({ model: "claude-haiku-4-5", headers });
    expect(untouched.prepared).toBe(untouched.outgoing);
  });

  it("does nothing for other formats", () => {
    const { plan, strips, prepared, outgoing } = open({ upstream: "openai", model: "gpt-5.2" });
    expect([plan, strips]).toEqual([{ kind: "none", reason: "other-format" }, false]);
    expect(prepared).toBe(outgoing);
  });

  it.each(["not json", '{"messages":[],"context_management":nonsense}'])("ignores edits in %s", (body) => {
    expect(open({ body, model: "claude-haiku-4-5" }).plan).toEqual({ kind: "none", reason: "unsupported-model" });
  });
});

const catalog = loadCatalog({});
const claude = findModel(catalog, "claude-opus-4-6", "anthropic").model;
const signed: Block = { ...makeCompaction(), extra: { signature: "s", tool_changes: [] } };

it.each([
  ["no blocks", [makeUser(), makeAssistant()], []],
  ["a block of the threshold", [makeAssistant(makeCompaction()), makeUser()], ["compact-2026-01-12"]],
  ["a signed block", [makeAssistant([signed, "yes"]), makeUser()], ["compact-2026-09-04"]],
])("returns the betas that %s need", (_, messages, expected) => {
  expect(blockBetas(messages, claude)).toEqual(expected);
});

it("recognises a signed block from the API", () => {
  const content = [{ type: "compaction", content: "x", encrypted_content: null, signature: "s", tool_changes: [] }];
  const { blocks } = codecOf("anthropic-messages").decodeReply({ id: "m", content, model: "c" });
  expect(blockBetas([{ role: "assistant", blocks }], claude)).toEqual(["compact-2026-09-04"]);
});

it("returns none if the vendor has no betas", () => {
  const { model } = findModel(catalog, "gpt-5.2", "openai");
  expect(blockBetas([makeAssistant(makeCompaction())], model)).toEqual([]);
});

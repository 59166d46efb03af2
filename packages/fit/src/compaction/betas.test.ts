import { type JsonObject, LonghaulError } from "@longhaul/conversation";
import type { Outgoing } from "@longhaul/upstream";
import { codecOf } from "@longhaul/wire";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BlockClient,
  betaHeader,
  betasIn,
  editsIn,
  handlesBlocks,
  isLongContextRefusal,
  removedBetas,
  withBetas,
  withoutBetaFields,
} from "./betas.ts";

function makeOutgoing(text: string, beta?: string): Outgoing {
  const headers = { "x-api-key": "k", ...(beta !== undefined && { "anthropic-beta": beta }) };
  const line = { wire: "anthropic-messages", action: "generate", method: "POST", model: "m", stream: false } as const;
  return { ...line, body: Buffer.from(text), headers };
}

const textOf = ({ body }: Outgoing) => Buffer.from(body ?? []).toString();
const edits = [{ type: "compact_20260112" }];
const NOTHING = { add: [], remove: [] };

describe("withBetas", () => {
  it("returns the identical request if nothing changes", () => {
    const outgoing = makeOutgoing('{"messages":[], "speed":"fast"}', "a, b");
    expect(withBetas(outgoing, NOTHING)).toBe(outgoing);
    expect(withBetas(outgoing, { add: ["a"], remove: ["context-1m-2025-08-07"] })).toBe(outgoing);
    const { body: _, ...bodiless } = outgoing;
    expect(withBetas(bodiless, { ...NOTHING, edits })).toBe(bodiless);
  });

  it("changes only the header if the body is not affected", () => {
    const outgoing = makeOutgoing('{"messages":[]}', "a,context-1m-2025-08-07");
    const changed = withBetas(outgoing, { add: ["b"], remove: ["context-1m-2025-08-07"] });
    expect(changed).toEqual({ ...outgoing, headers: { "x-api-key": "k", "anthropic-beta": "a,b" } });
    expect(changed.body).toBe(outgoing.body);
    expect(withBetas(makeOutgoing("{}", "a"), { add: [], remove: ["a"] }).headers).toEqual({ "x-api-key": "k" });
  });

  it("inserts edits at the start and keeps every other byte", () => {
    const changed = withBetas(makeOutgoing('{ "model":"m", "messages":[ ] }'), { ...NOTHING, edits });
    expect(textOf(changed)).toBe(
      '{"context_management":{"edits":[{"type":"compact_20260112"}]}, "model":"m", "messages":[ ] }',
    );
  });

  it("replaces the client's edits and keeps the other fields of context_management", () => {
    const given = '{"messages":[], "context_management": {"edits":[],"later":1} ,"z":1}';
    expect(textOf(withBetas(makeOutgoing(given), { ...NOTHING, edits }))).toBe(
      '{"messages":[], "context_management": {"edits":[{"type":"compact_20260112"}],"later":1} ,"z":1}',
    );
    expect(textOf(withBetas(makeOutgoing('{"messages":[],"context_management":null}'), { ...NOTHING, edits }))).toBe(
      '{"messages":[],"context_management":{"edits":[{"type":"compact_20260112"}]}}',
    );
  });

  it("parses the whole body if its fields cannot be located", () => {
    const twice = '{"messages":[],"context_management":{"edits":[1]},"context_management":{"edits":[2]}}';
    expect(JSON.parse(textOf(withBetas(makeOutgoing(twice), { ...NOTHING, edits })))).toEqual({
      messages: [],
      context_management: { edits },
    });
  });

  it("removes a beta with its fields", () => {
    const given = '{"messages":[],"speed":"fast","context_management":{"edits":[{"type":"clear_thinking_20251015"}]}}';
    const remove = ["fast-mode-2026-02-01", "context-management-2025-06-27"];
    const changed = withBetas(makeOutgoing(given, `x,${remove.join(",")}`), { add: [], remove });
    expect([textOf(changed), changed.headers["anthropic-beta"]]).toEqual(['{"messages":[]}', "x"]);
  });
});

it.each([
  ["adds to nothing", undefined, ["a"], [], "a"],
  ["adds behind the client's own", "x,y", ["a"], [], "x,y,a"],
  ["adds nothing twice", " a , x ", ["a"], [], "a,x"],
  ["removes", "x,context-1m-2025-08-07,y", [], ["context-1m-2025-08-07"], "x,y"],
  ["never adds a value that is removed", "x", ["a"], ["a"], "x"],
  ["says nothing where nothing is left", "a,", [], ["a"], undefined],
  ["says nothing where nothing was", undefined, [], [], undefined],
])("%s", (_, client, add, remove, expected) => {
  expect(betaHeader(client, add, remove)).toBe(expected);
});

it("keeps the client's order and each value once", () => {
  const beta = fc.constantFrom("a", "b", "c", "d", "e");
  fc.assert(
    fc.property(fc.array(beta), fc.array(beta), fc.array(beta), (client, add, remove) => {
      const kept = betasIn(betaHeader(client.join(","), add, remove));
      expect(new Set(kept)).toEqual(new Set([...client, ...add].filter((value) => !remove.includes(value))));
      expect(kept).toEqual([...new Set([...client, ...add])].filter((value) => !remove.includes(value)));
    }),
  );
});

const clearThinking = { type: "clear_thinking_20251015", keep: "all" };
const clearToolUses = { type: "clear_tool_uses_20250919" };
const compact = { type: "compact_20260112" };
const managed = { model: "m", context_management: { edits: [clearThinking, clearToolUses, compact] } };

describe("withoutBetaFields", () => {
  it("removes the edits of one beta and keeps those of the other", () => {
    expect(withoutBetaFields(managed, ["context-management-2025-06-27"])).toEqual({
      model: "m",
      context_management: { edits: [compact] },
    });
    expect(withoutBetaFields(managed, ["compact-2026-01-12"])).toEqual({
      model: "m",
      context_management: { edits: [clearThinking, clearToolUses] },
    });
    const both = ["compact-2026-01-12", "context-management-2025-06-27"];
    expect(withoutBetaFields(managed, both)).toEqual({ model: "m" });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["compact-2026-09-04", { model: "m", compaction: { type: "summarize" } }, { model: "m" }],
    [
      "thinking-binding-controls-2026-08-01",
      { thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } } },
      { thinking: { type: "adaptive" } },
    ],
    ["effort-2025-11-24", { model: "m", output_config: { effort: "high" } }, { model: "m" }],
    [
      "effort-2025-11-24",
      { output_config: { effort: "high", format: { type: "json_schema" } } },
      { output_config: { format: { type: "json_schema" } } },
    ],
    [
      "task-budgets-2026-03-13",
      { output_config: { effort: "low", task_budget: {} } },
      { output_config: { effort: "low" } },
    ],
    ["mcp-client-2025-04-04", { model: "m", mcp_servers: [{}] }, { model: "m" }],
    ["skills-2025-10-02", { container: { id: "c", skills: [] } }, { container: { id: "c" } }],
    ["fast-mode-2026-02-01", { model: "m", speed: "fast" }, { model: "m" }],
    ["server-side-fallback-2026-07-01", { model: "m", fallbacks: [] }, { model: "m" }],
    [
      "advanced-tool-use-2025-11-20",
      { tools: [{ name: "a", defer_loading: true, input_examples: [] }, { name: "b" }] },
      { tools: [{ name: "a" }, { name: "b" }] },
    ],
    [
      "prompt-caching-scope-2026-01-05",
      {
        system: [{ type: "text", text: "s", cache_control: { type: "ephemeral", scope: "global" } }],
        messages: [{ role: "user", content: "hi" }],
      },
      {
        system: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }],
        messages: [{ role: "user", content: "hi" }],
      },
    ],
  ])("removes the fields of %s", (beta, body, expected) => {
    expect(withoutBetaFields(body, [beta])).toEqual(expected);
  });

  it.each(["context-1m-2025-08-07", "interleaved-thinking-2025-05-14", "unheard-of-2099-01-01", "constructor"])(
    "returns the identical body for %s, which has no fields",
    (beta) => {
      expect(withoutBetaFields(managed, [beta])).toBe(managed);
    },
  );

  it("returns the identical body if it has no field of the beta", () => {
    const betas = ["context-management-2025-06-27", "fast-mode-2026-02-01", "advanced-tool-use-2025-11-20"];
    const value = fc.jsonValue({ maxDepth: 3 });
    const body = fc.record({ model: value, tools: value, messages: value, context_management: value });
    fc.assert(
      fc.property(body, (given) => {
        expect(withoutBetaFields(given as JsonObject, betas)).toBe(given);
      }),
    );
  });
});

const LONG = "context-1m-2025-08-07";

it.each([
  ["nothing by default", {}, false, []],
  ["what the credential cannot use", { blockedBetas: ["a"] }, false, ["a"]],
  ["the long window where a short one is set", { windowTokens: 200_000 }, false, [LONG]],
  ["nothing where a longer one is set", { windowTokens: 200_001 }, false, []],
  ["the long window after it was refused", { blockedBetas: ["a"], windowTokens: 1_000_000 }, true, ["a", LONG]],
  ["nothing twice", { blockedBetas: [LONG], windowTokens: 1 }, true, [LONG]],
])("removes %s", (_, upstream, isRefused, expected) => {
  expect(removedBetas(upstream, isRefused)).toEqual(expected);
});

describe("isLongContextRefusal", () => {
  const refusal = (status: number, type: string, message: string) =>
    codecOf("anthropic-messages").decodeError(status, { type: "error", error: { type, message } });

  it("recognises the API's messages", () => {
    const subscription = "The long context beta is not yet available for this subscription.";
    expect(isLongContextRefusal(refusal(400, "invalid_request_error", subscription))).toBe(true);
    const usage = "Extra usage is required for long context requests.";
    expect(isLongContextRefusal(refusal(429, "rate_limit_error", usage))).toBe(true);
  });

  it.each([
    [400, "prompt is too long: 204826 tokens > 200000 maximum"],
    [400, "context_management: Extra inputs are not permitted"],
    [429, "This request would exceed your account's rate limit. Please try again later."],
    [500, "The long context beta is not yet available for this subscription."],
  ])("ignores %i %s", (status, message) => {
    expect(isLongContextRefusal(refusal(status, "invalid_request_error", message))).toBe(false);
    expect(isLongContextRefusal(new LonghaulError("internal.bug", message))).toBe(false);
  });
});

it("returns the edits of a body, whatever the field contains", () => {
  const edit = { type: "compact_20260112" };
  expect(editsIn({ context_management: { edits: [edit, "x", null] } })).toEqual([edit]);
  // The Responses API has a list in this field.
  expect(editsIn({ context_management: [{ type: "compaction" }] })).toEqual([]);
  expect(editsIn({ context_management: { edits: "all" } })).toEqual([]);
  expect(editsIn({})).toEqual([]);
});

const messages: BlockClient = { wire: "anthropic-messages", headers: {}, edits: [] };

it.each<[string, BlockClient, boolean]>([
  ["a Messages client that says nothing of compaction", messages, false],
  ["one with its own edit", { ...messages, edits: [{ type: "compact_20260112" }] }, true],
  ["one that clears thinking only", { ...messages, edits: [{ type: "clear_thinking_20251015" }] }, false],
  ["one with the beta of the threshold", clientWith("x-1, compact-2026-01-12"), true],
  ["one with the beta of compaction on demand", clientWith("compact-2026-09-04"), true],
  ["one with other betas", clientWith("context-management-2025-06-27,context-1m-2025-08-07"), false],
  ["a client of another format", { ...clientWith("compact-2026-01-12"), wire: "openai-chat" }, false],
])("decides for %s whether it handles blocks", (_, client, expected) => {
  expect(handlesBlocks(client)).toBe(expected);
});

function clientWith(betas: string) {
  return { ...messages, headers: { "anthropic-beta": betas } };
}

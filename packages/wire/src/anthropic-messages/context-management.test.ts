import { type ContextEdit, type JsonValue, LonghaulError, type Request } from "@longhaul/conversation/advanced";
import { makeUsage } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decodeRequest as decodeResponses } from "../openai-responses/request.ts";
import {
  decodeContextEdits,
  encodeContextManagement,
  fieldAt,
  refuseOthers,
  strictBoolean,
  strictInteger,
  strictList,
  strictObject,
  strictString,
  strictStrings,
  strictTag,
  withoutContextEdits,
} from "./context-management.ts";
import { encodeError } from "./error.ts";
import { openingBlocks, withRounds } from "./reply.ts";
import { decodeRequest, encodeRequest } from "./request.ts";

const BODY = { model: "claude", max_tokens: 9, messages: [{ role: "user", content: "Hi." }] };
const requestWith = (field: JsonValue): Request => decodeRequest({ ...BODY, context_management: field });
const read = (...edits: JsonValue[]) => decodeContextEdits(requestWith({ edits }));

const THINKING = "clear_thinking_20251015";
const TOOLS = "clear_tool_uses_20250919";
const COMPACT = "compact_20260112";

const CLEAR_TOOLS: ContextEdit = {
  kind: "clear-tool-uses",
  trigger: { unit: "tokens", over: 100_000 },
  keepToolUses: 3,
  clearAtLeastTokens: 0,
  excludeTools: [],
  clearInputs: false,
};

describe("decodeContextEdits", () => {
  it.each<[string, JsonValue, ContextEdit]>([
    ["the defaults of tool uses", { type: TOOLS }, CLEAR_TOOLS],
    [
      "a trigger by tokens",
      { type: TOOLS, trigger: { type: "input_tokens", value: 30_000 } },
      { ...CLEAR_TOOLS, trigger: { unit: "tokens", over: 30_000 } },
    ],
    [
      "a trigger by tool uses",
      { type: TOOLS, trigger: { type: "tool_uses", value: 20 } },
      { ...CLEAR_TOOLS, trigger: { unit: "tool-uses", over: 20 } },
    ],
    ["keep", { type: TOOLS, keep: { type: "tool_uses", value: 0 } }, { ...CLEAR_TOOLS, keepToolUses: 0 }],
    [
      "clear_at_least",
      { type: TOOLS, clear_at_least: { type: "input_tokens", value: 5_000 } },
      { ...CLEAR_TOOLS, clearAtLeastTokens: 5_000 },
    ],
    ["exclude_tools", { type: TOOLS, exclude_tools: ["memory"] }, { ...CLEAR_TOOLS, excludeTools: ["memory"] }],
    ["clear_tool_inputs", { type: TOOLS, clear_tool_inputs: true }, { ...CLEAR_TOOLS, clearInputs: true }],
    ["some inputs", { type: TOOLS, clear_tool_inputs: ["bash"] }, { ...CLEAR_TOOLS, clearInputs: ["bash"] }],
    [
      "nulls as absent",
      { type: TOOLS, clear_at_least: null, exclude_tools: null, clear_tool_inputs: null },
      CLEAR_TOOLS,
    ],
    ["the default of thinking", { type: THINKING }, { kind: "clear-thinking", keepTurns: 1 }],
    ["all thinking", { type: THINKING, keep: "all" }, { kind: "clear-thinking", keepTurns: "all" }],
    [
      "all thinking, as an object",
      { type: THINKING, keep: { type: "all" } },
      { kind: "clear-thinking", keepTurns: "all" },
    ],
    [
      "the thinking of some turns",
      { type: THINKING, keep: { type: "thinking_turns", value: 2 } },
      { kind: "clear-thinking", keepTurns: 2 },
    ],
    ["the defaults of compaction", { type: COMPACT }, { kind: "compact", overTokens: 150_000, pausesAfter: false }],
    [
      "every field of a compaction",
      {
        type: COMPACT,
        trigger: { type: "input_tokens", value: 50_000 },
        instructions: "Names only.",
        pause_after_compaction: true,
      },
      { kind: "compact", overTokens: 50_000, instructions: "Names only.", pausesAfter: true },
    ],
    [
      "blank instructions as none",
      { type: COMPACT, trigger: null, instructions: "  ", pause_after_compaction: null },
      { kind: "compact", overTokens: 150_000, pausesAfter: false },
    ],
  ])("decodes %s", (_, edit, expected) => {
    expect(read(edit)).toEqual([expected]);
  });

  it("decodes edits in order", () => {
    const all = read({ type: THINKING }, { type: TOOLS }, { type: COMPACT });
    expect(all?.map(({ kind }) => kind)).toEqual(["clear-thinking", "clear-tool-uses", "compact"]);
  });

  it("distinguishes an empty list from no edits", () => {
    expect(decodeContextEdits(requestWith({ edits: [] }))).toEqual([]);
    expect(decodeContextEdits(requestWith({}))).toEqual([]);
    expect(decodeContextEdits(requestWith(null))).toBeUndefined();
    expect(decodeContextEdits(decodeRequest(BODY))).toBeUndefined();
  });

  it("ignores another format's field of the same name", () => {
    const field = [{ type: "compaction", compact_threshold: 1_000 }];
    expect(
      decodeContextEdits(decodeResponses({ model: "m", input: "Hi.", context_management: field })),
    ).toBeUndefined();
  });

  it.each<[JsonValue, string]>([
    ["on", "context_management: Input should be an object"],
    [{ edits: null }, "context_management.edits: Input should be a valid array"],
    [{ edit: [] }, "context_management.edit: Extra inputs are not permitted"],
    [{ edits: ["x"] }, "context_management.edits.0: Input should be an object"],
    [{ edits: [{}] }, "context_management.edits.0: Unable to extract tag using discriminator 'type'"],
    [
      { edits: [{ type: "forget" }] },
      `context_management.edits.0: Input tag 'forget' found using 'type' does not match any of the expected tags: '${THINKING}', '${TOOLS}', '${COMPACT}'`,
    ],
    [
      { edits: [{ type: TOOLS }, { type: THINKING }] },
      `context_management: \`${THINKING}\` must be the first strategy in \`context_management.edits\` when provided`,
    ],
    [
      { edits: [{ type: COMPACT }, { type: TOOLS }] },
      `context_management: \`${COMPACT}\` must be the last strategy in \`context_management.edits\` when provided`,
    ],
    [
      { edits: [{ type: COMPACT, trigger: { type: "input_tokens", value: 49_999 } }] },
      `context_management.edits.0.${COMPACT}: trigger.value must be at least 50000`,
    ],
    [
      { edits: [{ type: COMPACT, trigger: { type: "tool_uses", value: 60_000 } }] },
      `context_management.edits.0.${COMPACT}.trigger.type: Input should be 'input_tokens'`,
    ],
    [
      { edits: [{ type: COMPACT, keep: 3 }] },
      `context_management.edits.0.${COMPACT}.keep: Extra inputs are not permitted`,
    ],
    [
      { edits: [{ type: COMPACT, instructions: 3 }] },
      `context_management.edits.0.${COMPACT}.instructions: Input should be a valid string`,
    ],
    [
      { edits: [{ type: COMPACT, pause_after_compaction: "yes" }] },
      `context_management.edits.0.${COMPACT}.pause_after_compaction: Input should be a valid boolean`,
    ],
    [
      { edits: [{ type: THINKING }, { type: TOOLS, keep: { type: "tool_uses", value: -1 } }] },
      `context_management.edits.1.${TOOLS}.keep.value: Input should be greater than or equal to 0`,
    ],
    [
      { edits: [{ type: TOOLS, keep: { type: "tool_uses" } }] },
      `context_management.edits.0.${TOOLS}.keep.value: Field required`,
    ],
    [
      { edits: [{ type: TOOLS, keep: { type: "tool_uses", value: 1.5 } }] },
      `context_management.edits.0.${TOOLS}.keep.value: Input should be a valid integer`,
    ],
    [
      { edits: [{ type: TOOLS, trigger: { type: "tool_uses", value: 0 } }] },
      `context_management.edits.0.${TOOLS}.trigger.tool_uses.value: Input should be greater than or equal to 1`,
    ],
    [
      { edits: [{ type: TOOLS, trigger: { type: "days", value: 1 } }] },
      `context_management.edits.0.${TOOLS}.trigger: Input tag 'days' found using 'type' does not match any of the expected tags: 'input_tokens', 'tool_uses'`,
    ],
    [
      { edits: [{ type: TOOLS, clear_at_least: { type: "input_tokens", value: -5 } }] },
      `context_management.edits.0.${TOOLS}.clear_at_least.value: Input should be greater than or equal to 0`,
    ],
    [
      { edits: [{ type: TOOLS, exclude_tools: "memory" }] },
      `context_management.edits.0.${TOOLS}.exclude_tools: Input should be a valid array`,
    ],
    [
      { edits: [{ type: TOOLS, exclude_tools: ["a", 2] }] },
      `context_management.edits.0.${TOOLS}.exclude_tools.1: Input should be a valid string`,
    ],
    [
      { edits: [{ type: TOOLS, clear_tool_inputs: "all" }] },
      `context_management.edits.0.${TOOLS}.clear_tool_inputs: Input should be a valid array`,
    ],
    [
      { edits: [{ type: THINKING, keep: { type: "thinking_turns", value: 0 } }] },
      `context_management.edits.0.${THINKING}.keep.thinking_turns.value: Input should be greater than or equal to 1`,
    ],
    [
      { edits: [{ type: THINKING, keep: "some" }] },
      `context_management.edits.0.${THINKING}.keep: Input should be an object`,
    ],
  ])("rejects %j with the API's message", (field, message) => {
    const failing = () => decodeContextEdits(requestWith(field));
    expect(failing).toThrow(expect.objectContaining({ code: "request.malformed", message }));
  });

  it("names the field and reaches the client as the API's own error", () => {
    const message = `context_management.edits.0.${TOOLS}.keep.value: Input should be greater than or equal to 0`;
    const error = failureOf(() => read({ type: TOOLS, keep: { type: "tool_uses", value: -1 } }));
    expect(error.param).toBe(`context_management.edits.0.${TOOLS}.keep.value`);
    expect(encodeError(error)).toEqual({
      status: 400,
      body: { type: "error", error: { type: "invalid_request_error", message } },
    });
  });
});

function failureOf(act: () => unknown): LonghaulError {
  try {
    act();
  } catch (error) {
    if (error instanceof LonghaulError) return error;
  }
  throw new Error("nothing was refused");
}

describe("withoutContextEdits", () => {
  it("removes only the field", () => {
    const request = decodeRequest({ ...BODY, service_tier: "auto", context_management: { edits: [{ type: TOOLS }] } });
    const { body, warnings } = encodeRequest(withoutContextEdits(request), { model: "claude" });
    expect(body).toEqual({ ...BODY, service_tier: "auto" });
    expect(warnings).toEqual([]);
  });

  it("returns the identical request without the field", () => {
    const request = decodeRequest(BODY);
    expect(withoutContextEdits(request)).toBe(request);
  });
});

describe("encodeContextManagement", () => {
  it("reports cleared edits like the API, and omits compactions", () => {
    const report = {
      applied: [
        { kind: "clear-thinking", clearedTurns: 3, clearedTokens: 15_000 },
        { kind: "clear-tool-uses", clearedToolUses: 8, clearedTokens: 50_000 },
      ],
      compaction: { block: { type: "compaction", text: "s" }, pausesAfter: false },
    } as const;
    expect(encodeContextManagement(report)).toEqual({
      applied_edits: [
        { type: THINKING, cleared_thinking_turns: 3, cleared_input_tokens: 15_000 },
        { type: TOOLS, cleared_tool_uses: 8, cleared_input_tokens: 50_000 },
      ],
    });
    expect(encodeContextManagement({ applied: [] })).toEqual({ applied_edits: [] });
  });
});

describe("a compaction", () => {
  const block = { type: "compaction", text: "So far." } as const;
  const FIGURES = { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const ROUND = { type: "compaction", input_tokens: 60_000, ...FIGURES, output_tokens: 900 };
  const usage = makeUsage({ inputTokens: 60_000, outputTokens: 900 });
  const encoded = { input_tokens: 612, ...FIGURES, output_tokens: 20 };

  it("is the first block of the reply", () => {
    expect(openingBlocks({ applied: [], compaction: { block, pausesAfter: false } })).toEqual([
      { type: "compaction", content: "So far." },
    ]);
    expect(openingBlocks({ applied: [] })).toEqual([]);
    expect(openingBlocks(undefined)).toEqual([]);
  });

  it("is an iteration beside the message", () => {
    const report = { applied: [], compaction: { block, usage, pausesAfter: false } };
    expect(withRounds(encoded, report)).toEqual({ ...encoded, iterations: [ROUND, { type: "message", ...encoded }] });
  });

  it("precedes the iterations that the upstream reports", () => {
    const report = { applied: [], compaction: { block, usage, pausesAfter: false } };
    const rounds = [
      { type: "advisor", ...encoded },
      { type: "message", ...encoded },
    ];
    expect(withRounds({ ...encoded, iterations: rounds }, report).iterations).toEqual([ROUND, ...rounds]);
  });

  it("is the only iteration of a reply that pauses after it", () => {
    const report = { applied: [], compaction: { block, usage, pausesAfter: true } };
    expect(withRounds(encoded, report).iterations).toEqual([ROUND]);
  });

  it("adds no iteration if its usage is unknown", () => {
    expect(withRounds(encoded, { applied: [], compaction: { block, pausesAfter: false } })).toBe(encoded);
    expect(withRounds(encoded, undefined)).toBe(encoded);
  });
});

describe("strict values", () => {
  it("are returned if they have the right type", () => {
    expect(strictObject({ value: { a: 1 }, path: "x" })).toEqual({ a: 1 });
    expect(strictList({ value: [1], path: "x" })).toEqual([1]);
    expect(strictStrings({ value: ["a"], path: "x" })).toEqual(["a"]);
    expect(strictString({ value: "", path: "x" })).toBe("");
    expect(strictBoolean({ value: false, path: "x" })).toBe(false);
    expect(strictInteger({ value: 0, path: "x" }, 0)).toBe(0);
    expect(strictTag({ type: "b" }, "x", ["a", "b"])).toBe("b");
    expect(() => refuseOthers({ a: 1 }, "x", ["a", "b"])).not.toThrow();
  });

  it("are returned with their path, and null counts as absent", () => {
    expect(fieldAt({ a: 0 }, "x", "a")).toEqual({ value: 0, path: "x.a" });
    expect(fieldAt({ a: null }, "x", "a")).toEqual({ value: undefined, path: "x.a" });
  });

  it.each<[() => unknown, string]>([
    [() => strictObject({ value: [], path: "x" }), "x: Input should be an object"],
    [() => strictList({ value: {}, path: "x" }), "x: Input should be a valid array"],
    [() => strictList({ value: undefined, path: "x" }), "x: Input should be a valid array"],
    [() => strictStrings({ value: ["a", 1], path: "x" }), "x.1: Input should be a valid string"],
    [() => strictBoolean({ value: 1, path: "x" }), "x: Input should be a valid boolean"],
    [() => strictInteger({ value: undefined, path: "x" }, 0), "x: Field required"],
    [() => strictInteger({ value: "1", path: "x" }, 0), "x: Input should be a valid integer"],
    [() => strictInteger({ value: 0.5, path: "x" }, 0), "x: Input should be a valid integer"],
    [() => strictInteger({ value: 6, path: "x" }, 7), "x: Input should be greater than or equal to 7"],
    [() => strictTag({}, "x", ["a"]), "x: Unable to extract tag using discriminator 'type'"],
    [
      () => strictTag({ type: "c" }, "x", ["a", "b"]),
      "x: Input tag 'c' found using 'type' does not match any of the expected tags: 'a', 'b'",
    ],
    [() => refuseOthers({ a: 1, c: 2 }, "x", ["a"]), "x.c: Extra inputs are not permitted"],
  ])("are rejected with the API's message: %s", (act, message) => {
    expect(act).toThrow(expect.objectContaining({ code: "request.malformed", message, param: message.split(":")[0] }));
  });
});

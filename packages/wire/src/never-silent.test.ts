import type { Block, Conversation, Reasoning, Request } from "@longhaul/conversation/advanced";
import { anyConversation, makeConversation, makeTool, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Warning } from "./codec/rules.ts";
import { sameValue } from "./fields/json.ts";
import { type Settings, settingsOf } from "./fields/settings.ts";
import { makeRequest } from "./testing/describe-codec.ts";
import { FORMATS } from "./testing/formats.ts";
import { normalConversation, withoutMarks } from "./testing/normal-form.ts";

/** The warning feature of each setting. */
const FEATURES: Readonly<Record<string, RegExp>> = {
  temperature: /^sampling\.temperature$/,
  topP: /^sampling\.topP$/,
  topK: /^sampling\.topK$/,
  frequencyPenalty: /^sampling\.frequencyPenalty$/,
  presencePenalty: /^sampling\.presencePenalty$/,
  seed: /^sampling\.seed$/,
  stopSequences: /^sampling\.stopSequences$/,
  toolChoice: /^toolChoice$/,
  parallelToolCalls: /^parallelToolCalls$/,
  reasoning: /^reasoning$/,
  outputFormat: /^outputFormat/,
  user: /^user$/,
  maxOutputTokens: /^maxOutputTokens$/,
};

describe.each(FORMATS)("$codec.id, given the settings of any other format,", ({ codec, destination, line }) => {
  it("drops none of them without a warning", () => {
    fc.assert(
      fc.property(anySettings(), (fields) => {
        const request: Request = { model: "m", stream: false, sampling: {}, conversation: CONVERSATION, ...fields };
        const { body, warnings } = codec.encodeRequest(request, destination);
        const read = codec.decodeRequest(JSON.parse(JSON.stringify(body)), line);
        expect(lostSilently(settingsOf(request), settingsOf(read), warnings)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("warns whenever it removes something from a conversation", () => {
    fc.assert(
      fc.property(anyConversation(), (conversation) => {
        const request = { ...makeRequest(codec, conversation), native: { wire: "another", value: {} } };
        const attempt = () => codec.encodeRequest(request, destination);
        const written = tryOr(attempt);
        if (written === undefined) return;
        const before = countBlocks(conversation);
        const after = countBlocks(codec.decodeRequest(JSON.parse(JSON.stringify(written.body)), line).conversation);
        const lost = Object.keys(before).filter((type) => (after[type] ?? 0) < (before[type] ?? 0));
        expect(lost.filter((type) => !isReported(type, written.warnings))).toEqual([]);
      }),
    );
  });
});

const CONVERSATION = makeConversation([makeUser()], { tools: [makeTool("read_file")] });

function anySettings(): fc.Arbitrary<Partial<Request>> {
  const sampling = fc.record(
    {
      temperature: fc.constantFrom(0, 0.7, 1, 1.9),
      topP: fc.constantFrom(0.5, 1),
      topK: fc.constantFrom(1, 40),
      frequencyPenalty: fc.constantFrom(-1, 0.5),
      presencePenalty: fc.constantFrom(-1, 0.5),
      seed: fc.nat(99),
      stopSequences: fc.array(fc.constantFrom("END", "\n", "a", "b", "c", "d"), { minLength: 1, maxLength: 6 }),
    },
    { requiredKeys: [] },
  );
  return fc.record(
    {
      sampling,
      maxOutputTokens: fc.constantFrom(1_000, 32_000, 200_000),
      toolChoice: fc.constantFrom<NonNullable<Request["toolChoice"]>>(
        { kind: "auto" },
        { kind: "none" },
        { kind: "required" },
        { kind: "tool", name: "read_file" },
        { kind: "tool", name: "absent" },
      ),
      parallelToolCalls: fc.boolean(),
      reasoning: fc.constantFrom<Reasoning>(
        { mode: "off" },
        { mode: "adaptive" },
        { mode: "effort", effort: "minimal" },
        { mode: "effort", effort: "max", exclude: true },
        { mode: "budget", budgetTokens: 100 },
        { mode: "budget", budgetTokens: 20_000 },
      ),
      outputFormat: fc.constantFrom<NonNullable<Request["outputFormat"]>>(
        { kind: "json" },
        { kind: "json-schema", schema: { type: "object" } },
      ),
      user: fc.constantFrom("u", "x".repeat(300)),
    },
    { requiredKeys: [] },
  );
}

function lostSilently(asked: Settings, read: Settings, warnings: readonly Warning[]): string[] {
  return Object.entries(FEATURES).flatMap(([name, feature]) => {
    const wanted = meaningOf(name, asked);
    const isWarned = warnings.some((warning) => feature.test(warning.feature));
    return wanted === undefined || isWarned || sameValue(wanted, meaningOf(name, read)) ? [] : [name];
  });
}

/** The meaning of a setting in any format. Effort means the same with and without adaptive reasoning. */
function meaningOf(name: string, settings: Settings): unknown {
  const { reasoning, outputFormat, parallelToolCalls, toolChoice } = settings;
  if (name === "reasoning") return reasoning && meaningOfReasoning(reasoning);
  if (name === "outputFormat") return outputFormat?.kind === "json-schema" ? outputFormat.schema : outputFormat;
  // Parallel calls are every format's default, and without tools the setting has no meaning.
  if (name === "parallelToolCalls")
    return parallelToolCalls === false && toolChoice?.kind !== "none" ? false : undefined;
  const value = Object.entries(settings).find(([key]) => key === name);
  return value?.[1];
}

/** Ignores whether reasoning is shown: OpenAI's formats never show it. */
function meaningOfReasoning({ mode, effort, budgetTokens }: Reasoning): unknown {
  return { mode: mode === "effort" ? "adaptive" : mode, effort, budgetTokens };
}

function tryOr<T>(attempt: () => T): T | undefined {
  try {
    return attempt();
  } catch {
    return undefined;
  }
}

function countBlocks(conversation: Conversation): Record<string, number> {
  const blocks = withoutMarks(normalConversation(conversation)).messages.flatMap((message) => message.blocks);
  const all = blocks.flatMap((block): Block[] => (block.type === "tool-result" ? [block, ...block.content] : [block]));
  const counts: Record<string, number> = {};
  for (const { type } of all) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

/** Text and documents may change form, which is not a loss: a result's texts joined, a document as text. */
const SAID_OTHERWISE: ReadonlySet<string> = new Set(["text", "document"]);

function isReported(type: string, warnings: readonly Warning[]): boolean {
  if (SAID_OTHERWISE.has(type)) return true;
  const kinds =
    type === "opaque"
      ? ["block.search_result", "block.container_upload", "block.hologram"]
      : [`block.${type}`, `${type}.`];
  return warnings.some(({ feature }) => kinds.some((kind) => feature.startsWith(kind)));
}

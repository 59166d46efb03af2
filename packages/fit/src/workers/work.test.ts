import { type Projection, project } from "@longhaul/condense";
import type { JsonObject, JsonValue, WireId } from "@longhaul/conversation";
import { makeTokenCounters } from "@longhaul/models";
import { codecNamed } from "@longhaul/wire";
import { FORMATS } from "@longhaul/wire/testing";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { withoutMarks } from "../history/cache-mark.ts";
import { sha256 } from "../history/known-messages.ts";
import type { Rendering } from "../history/parts.ts";
import { makeChat } from "../testing/index.ts";
import { anyProjected, conversationIn, makePlan, makePrompt, saidIn } from "../testing/projections.ts";
import { type CondenseWork, condenseWork, renderWork } from "./work.ts";

const counter = await makeTokenCounters({ hash: sha256 }).counterFor("o200k");

/** The entries that a rendering makes of a body's messages, without the leading system prompt. */
function entriesOf(text: string, wire: WireId, { parts, messages }: Rendering): JsonValue[] {
  const list: JsonValue[] = JSON.parse(text)[codecNamed(wire).messagesField];
  const raw = list.slice(list.length - conversationIn(text, wire).messages.length);
  return [
    ...parts.flatMap((part): JsonValue[] =>
      part.kind === "kept" ? raw.slice(part.from, part.to) : JSON.parse(`[${part.json}]`),
    ),
    ...raw.slice(messages),
  ];
}

const decoded = (entries: readonly JsonValue[], wire: WireId) =>
  entries.map((entry) => codecNamed(wire).decodeMessage(entry));

const FAMILIAR = FORMATS.map((format) => [format.codec.id, format] as const);

/** The same body with other call ids. */
function renamedCalls(body: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(body).replaceAll(/"((?:call|toolu)_)(\d+)"/g, '"$1later_$2"'));
}

/** Content without spelling. */
function plain(messages: ReturnType<typeof decoded>) {
  return saidIn(messages.map(withoutMarks)).map(({ role, blocks }) => ({
    role,
    blocks: blocks.map((block) => {
      const { native: _, extra: _extra, ...rest } = { native: undefined, extra: undefined, ...block };
      return rest;
    }),
  }));
}

const workOf = (body: object, fields: Partial<CondenseWork> = {}): CondenseWork => ({
  prompt: makePrompt(JSON.stringify(body), "anthropic-messages"),
  plan: makePlan("middle-out"),
  isOffline: true,
  ...fields,
});

const condensed = (work: CondenseWork) =>
  condenseWork(work, counter, () => Promise.reject(new Error("unexpected ask")));

describe("renderWork", () => {
  it.each(FAMILIAR)("writes the projected conversation: %s", (wire, format) => {
    const isList = (text: string) => Array.isArray(JSON.parse(text)[format.codec.messagesField]);
    fc.assert(
      fc.property(
        anyProjected(format).filter(({ text }) => isList(text)),
        ({ text, projection }) => {
          const rendering = renderWork(makePrompt(text, wire, { vendor: format.vendor }), projection, counter);
          const { conversation } = project(conversationIn(text, wire), projection, sha256);
          expect(plain(decoded(entriesOf(text, wire, rendering), wire))).toEqual(plain([...conversation.messages]));
          expect(rendering.messages).toBe(projection.messages);
          expect(rendering.prints).toHaveLength(projection.messages);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("writes a system message of ours as the user's if the model accepts none in mid-conversation", () => {
    const body = JSON.stringify(makeChat(2));
    const message = { role: "system", blocks: [{ type: "text", text: "Note." }] } as const;
    const projection: Projection = { version: 2, messages: 2, entries: [{ kind: "made", from: 0, to: 2, message }] };
    const roleFor = (takesSystemMessages: boolean) => {
      const prompt = makePrompt(body, "anthropic-messages", { takesSystemMessages });
      return entriesOf(body, "anthropic-messages", renderWork(prompt, projection, counter))[0];
    };
    expect(roleFor(true)).toMatchObject({ role: "system" });
    expect(roleFor(false)).toMatchObject({ role: "user" });
  });
});

describe("condenseWork", () => {
  it("leaves unchanged messages at the end out of the projection", async () => {
    const body = makeChat(20);
    const { projection, rendering, report } = await condensed(workOf(body));
    expect(report.tokensAfter).toBeLessThan(report.tokensBefore);
    expect(projection.messages).toBeLessThan(body.messages.length);
    const sentOf = (messages: readonly object[]) => {
      const text = JSON.stringify({ ...body, messages });
      const again = renderWork(makePrompt(text, "anthropic-messages"), projection, counter);
      expect(again.parts).toEqual(rendering.parts);
      return entriesOf(text, "anthropic-messages", again);
    };
    const sent = sentOf(body.messages);
    expect(sent.at(-1)).toEqual(body.messages.at(-1));
    for (let count = projection.messages; count < body.messages.length; count++) {
      expect(sentOf(body.messages.slice(0, count))).toEqual(sent.slice(0, sent.length - body.messages.length + count));
    }
    const more = [{ role: "assistant", content: "Nothing." }, ...makeChat(3).messages];
    expect(sentOf([...body.messages, ...more])).toEqual([...sent, ...more]);
  });

  it.each(FAMILIAR)("is valid for any longer conversation: %s", async (wire, { codec, vendor, anyBody }) => {
    const { messagesField: field } = codec;
    await fc.assert(
      fc.asyncProperty(anyBody(), anyBody(), async (body, more) => {
        const [list, rest] = [body[field], renamedCalls(more)[field]];
        if (!Array.isArray(list) || !Array.isArray(rest)) return;
        const promptOf = (value: JsonObject) => makePrompt(value, wire, { vendor });
        const total = counter.countConversation(conversationIn(JSON.stringify(body), wire));
        const sizes = { windowTokens: total, targetTokens: Math.ceil(total / 3), budgetTokens: Math.ceil(total / 2) };
        const plan = makePlan("middle-out", sizes);
        const { projection, rendering } = await condensed({ ...workOf({}), prompt: promptOf(body), plan });
        const grown = { ...body, [field]: [...list, ...rest] };
        const again = renderWork(promptOf(grown), projection, counter);
        const before = entriesOf(JSON.stringify(body), wire, rendering);
        expect(entriesOf(JSON.stringify(grown), wire, again)).toEqual([...before, ...rest]);
      }),
      { numRuns: 40 },
    );
  });

  it("asks for a summary and uses the answer", async () => {
    const answer = vi.fn(async () => [{ kind: "text", text: "They spoke of harbours and lanterns." }] as const);
    const work = workOf(makeChat(20), { plan: makePlan("native"), isOffline: false });
    const { projection, report } = await condenseWork(work, counter, answer);
    expect(answer.mock.calls).toEqual([[[expect.objectContaining({ kind: "ask" })]]]);
    expect(report).toMatchObject({ strategy: "native", fallbacks: [] });
    expect(JSON.stringify(projection)).toContain("They spoke of harbours and lanterns.");
  });

  it("continues an earlier condensation", async () => {
    const { projection: continues } = await condensed(workOf(makeChat(20)));
    const second = await condensed(workOf(makeChat(40), { continues }));
    expect(second.projection.messages).toBeGreaterThan(continues.messages);
    expect(second.report.tokensAfter).toBeLessThanOrEqual(1_500);
  });

  it("reports what does not fit", async () => {
    const plan = makePlan("middle-out", { windowTokens: 100, targetTokens: 20, budgetTokens: 30 });
    const { misfits } = await condensed(workOf(makeChat(1, { system: "Be brief. ".repeat(100) }), { plan }));
    expect(misfits).toMatchObject([{ what: "tokens", limit: 30 }]);
  });
});

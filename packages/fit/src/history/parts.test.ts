import { project } from "@longhaul/condense";
import type { WireId } from "@longhaul/conversation";
import { makeTokenCounters } from "@longhaul/models";
import { FORMATS } from "@longhaul/wire/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spliceBytes } from "../request/body-bytes.ts";
import { makeCall } from "../testing/index.ts";
import { anyProjected, makePrompt } from "../testing/projections.ts";
import { renderWork } from "../workers/work.ts";
import { makeHistories } from "./history.ts";
import { sha256 } from "./known-messages.ts";
import { makeKnownMessages } from "./message-memory.ts";
import { isMadeFor, partsEdit, type Rendering, renderedTokens, tokensFrom } from "./parts.ts";

const counters = makeTokenCounters({ hash: sha256 });
const counter = await counters.counterFor("o200k");
const histories = makeHistories(makeKnownMessages());

async function read(text: string, wire: WireId) {
  const call = makeCall(text, { wire });
  const history = await histories.read(call, counter);
  if (history.layout === undefined) throw new Error(`the body cannot be taken apart: ${text}`);
  return { call, history, layout: history.layout, bytes: Buffer.from(text) };
}

describe("an empty rendering", () => {
  const cut = async (text: string) => {
    const { bytes, layout } = await read(text, "openai-chat");
    const messages = layout.spans.length;
    const edit = partsEdit(bytes, layout, { messages, parts: [], prints: [], ratio: 1 });
    return Buffer.from(spliceBytes(bytes, [edit])).toString();
  };

  it("leaves an empty list, with or without the system prompt", async () => {
    const [system, user] = ['{"role":"system","content":"Be brief."}', '{"role":"user","content":"Hi."}'];
    expect(await cut(`{"model":"m","messages":[${system} , ${user},${user}]}`)).toBe(
      `{"model":"m","messages":[${system} ]}`,
    );
    expect(await cut(`{"model":"m","messages":[ ${user} ]}`)).toBe('{"model":"m","messages":[  ]}');
  });
});

describe.each(FORMATS.map((format) => [format.codec.id, format] as const))("a rendering in %s", (wire, format) => {
  const isList = (text: string) => Array.isArray(JSON.parse(text)[format.codec.messagesField]);

  it("is spliced into the body without changing any other byte", async () => {
    const any = anyProjected(format).filter(({ text }) => isList(text));
    await fc.assert(
      fc.asyncProperty(any, async ({ text, projection }) => {
        const { bytes, layout } = await read(text, wire);
        const rendering = renderWork(makePrompt(text, wire, { vendor: format.vendor }), projection, counter);
        const edit = partsEdit(bytes, layout, rendering);
        const sent = Buffer.from(spliceBytes(bytes, [edit])).toString();
        const raw = layout.spans.map(({ from, to }) => JSON.parse(bytes.subarray(from, to).toString()));
        const expected = [
          ...rendering.parts.flatMap((part) =>
            part.kind === "kept" ? raw.slice(part.from, part.to) : JSON.parse(`[${part.json}]`),
          ),
          ...raw.slice(projection.messages),
        ];
        const { messagesField } = format.codec;
        const body = JSON.parse(text);
        const opening = body[messagesField].slice(0, body[messagesField].length - raw.length);
        expect(JSON.parse(sent)).toEqual({ ...body, [messagesField]: [...opening, ...expected] });
        const before = bytes.subarray(0, layout.start).toString();
        // If nothing is left after the system prompt, the comma between them is removed too.
        expect(sent.startsWith(expected.length > 0 ? before : before.replace(/,\s*$/, ""))).toBe(true);
        expect(sent.endsWith(bytes.subarray(layout.spans.at(-1)?.to).toString())).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("counts the sent tokens", async () => {
    await fc.assert(
      fc.asyncProperty(anyProjected(format), async ({ text, projection }) => {
        const { history, call } = await read(text, wire).catch(async () => {
          const parsed = makeCall(text, { wire });
          return { call: parsed, history: await histories.read(parsed, counter) };
        });
        const rendering = renderWork(makePrompt(text, wire, { vendor: format.vendor }), projection, counter);
        const { conversation } = project(call.request().conversation, projection, sha256);
        expect(renderedTokens(rendering, history, 1)).toBe(counter.countConversation(conversation));
      }),
      { numRuns: 40 },
    );
  });
});

const BODY = JSON.stringify({
  model: "m",
  max_tokens: 5,
  messages: ["One.", "Two.", "Three."].map((content, index) => ({ role: index === 1 ? "assistant" : "user", content })),
});

const rendering: Rendering = {
  messages: 2,
  parts: [
    { kind: "written", json: '{"role":"user","content":[{"type":"text","text":"Both."}]}', tokens: 10, markAt: 55 },
  ],
  prints: [],
  ratio: 1,
};

describe("partsEdit", () => {
  const spliced = async (toWrite: Parameters<typeof partsEdit>[2]) => {
    const { bytes, layout } = await read(BODY, "anthropic-messages");
    return Buffer.from(spliceBytes(bytes, [partsEdit(bytes, layout, toWrite)])).toString();
  };

  it("inserts the mark at its position, and none without a position", async () => {
    const mark = ',"cache_control":{"type":"ephemeral"}';
    expect(await spliced(rendering)).not.toContain("cache_control");
    const [first] = JSON.parse(await spliced({ ...rendering, markOf: () => mark })).messages;
    expect(first.content).toEqual([{ type: "text", text: "Both.", cache_control: { type: "ephemeral" } }]);
  });

  it("leaves no comma for a message that is written as nothing", async () => {
    const nothing = { kind: "written", json: "", tokens: 0 } as const;
    const sent = await spliced({ ...rendering, parts: [nothing, ...rendering.parts, nothing] });
    expect(JSON.parse(sent).messages).toHaveLength(2);
    expect(JSON.parse(await spliced({ ...rendering, parts: [nothing], messages: 3 })).messages).toEqual([]);
  });
});

describe("renderedTokens", () => {
  it("converts old counts to the current ratio", async () => {
    const { history } = await read(BODY, "anthropic-messages");
    const last = history.messageTokens[2] ?? 0;
    expect(renderedTokens(rendering, history, 1)).toBe(10 + last + history.headTokens);
    expect(renderedTokens(rendering, history, 1.5)).toBe(15 + last + history.headTokens);
  });
});

describe("isMadeFor", () => {
  it("returns whether the first messages are exactly those", async () => {
    const { history } = await read(BODY, "anthropic-messages");
    const prints = history.messages.map(({ fingerprint }) => fingerprint);
    expect(isMadeFor({ ...rendering, prints: prints.slice(0, 2) }, history)).toBe(true);
    expect(isMadeFor({ ...rendering, prints: prints.slice(0, 2).toReversed() }, history)).toBe(false);
    expect(isMadeFor({ ...rendering, prints: [...prints, "more"] }, history)).toBe(false);
  });
});

describe("tokensFrom", () => {
  const message = (at: number) => `{"role":"user","content":"${"word ".repeat(at + 1)}"}`;
  const text = `{"model":"m","messages":[${Array.from({ length: 6 }, (_, at) => message(at)).join(",")}]}`;
  const written = { kind: "written", json: message(0), tokens: 40 } as const;

  it("counts unchanged messages from the first one on", async () => {
    const { history } = await read(text, "openai-chat");
    const raw = { messages: 0, parts: [], prints: [], ratio: 1 };
    const counted = history.messageTokens.map((_, first) => tokensFrom(first, raw, { history, ratio: 1 }));
    const expected = history.messageTokens.map((_, first) => history.messageTokens.slice(first));
    expect(counted).toEqual(expected.map((tokens) => tokens.reduce((sum, each) => sum + each, 0)));
    expect(tokensFrom(6, raw, { history, ratio: 1 })).toBe(0);
  });

  it("skips replacements of earlier messages, and counts those of later ones at the current ratio", async () => {
    const { history } = await read(text, "openai-chat");
    const [, , , , fifth = 0, sixth = 0] = history.messageTokens;
    const parts = [written, { kind: "kept", from: 2, to: 3 } as const, { ...written, raw: 3 }];
    const rendering: Rendering = { messages: 4, parts, prints: [], ratio: 1 };
    const from = (first: number) => tokensFrom(first, rendering, { history, ratio: 1.5 });
    expect(from(3)).toBe(60 + fifth + sixth);
    expect(from(4)).toBe(fifth + sixth);
    expect(from(5)).toBe(sixth);
    expect(renderedTokens(rendering, history, 1.5)).toBe(history.headTokens + from(0));
  });
});

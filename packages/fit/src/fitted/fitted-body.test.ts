import { project } from "@longhaul/condense";
import { describe, expect, it } from "vitest";
import type { Fitted } from "../fitting/fit.ts";
import { type FitRequest, rawForm } from "../fitting/fit-request.ts";
import { sha256 } from "../history/known-messages.ts";
import { BENCH_MODEL, type FitBenchOptions, makeChat, makeReads, openFitBench } from "../testing/index.ts";
import { changedRequest, fittedBody, knownReferencesIn, sentBody } from "./fitted-body.ts";

const parsed = (bytes: Uint8Array | undefined) => JSON.parse(Buffer.from(bytes ?? []).toString());
const rawly = (fitRequest: FitRequest, more: Partial<Fitted> = {}): Fitted => {
  const form = rawForm(fitRequest);
  return { fitRequest, form, originalTokens: form.tokens, origin: "raw", ...more };
};

describe("fittedBody", () => {
  it("is the client's own bytes if nothing changes", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(1));
    expect(fittedBody(fitRequest.call.body, rawly(fitRequest))).toBe(fitRequest.call.body);
  });

  it("has the fitted messages and the lowered limit, and all other bytes unchanged", async () => {
    const bench = await openFitBench();
    const body = makeChat(60, { system: "Be brief.", temperature: 0.5 });
    const fitted = await bench.fit(body);
    const sent = parsed(fittedBody(fitted.fitRequest.call.body, { ...fitted, maxOutputTokens: 77 }));
    expect({ ...sent, messages: [] }).toEqual({ ...body, max_tokens: 77, messages: [] });
    expect(sent.messages.length).toBeLessThan(body.messages.length);
    const projection = fitted.form.epoch?.projection;
    if (projection === undefined) throw new Error("nothing was condensed");
    const { conversation } = project(fitted.fitRequest.call.request().conversation, projection, sha256);
    const again = bench.call(sent).request().conversation;
    expect(again.messages.map(({ role }) => role)).toEqual(conversation.messages.map(({ role }) => role));
  });

  it("references the last rewritten message for a client that caches", async () => {
    const bench = await openFitBench();
    const { messages } = makeChat(60);
    const last = { role: "user", content: [{ type: "text", text: "Well?", cache_control: { type: "ephemeral" } }] };
    const fitted = await bench.fit(makeChat(60, { messages: [...messages.slice(0, -1), last] }));
    const sent: { messages: object[] } = parsed(fittedBody(fitted.fitRequest.call.body, fitted));
    const marked = sent.messages.filter((message) => JSON.stringify(message).includes("cache_control"));
    expect(marked).toHaveLength(2);
    const { parts = [] } = fitted.form.rendering ?? {};
    const before = parts.slice(
      0,
      parts.findLastIndex(({ kind }) => kind === "written"),
    );
    const place = before.reduce((sum, part) => sum + (part.kind === "kept" ? part.to - part.from : 1), 0);
    expect(sent.messages[place]).toBe(marked[0]);
    expect(marked.at(-1)).toEqual(last);
  });

  const chat = { model: "gpt-4o", messages: [{ role: "user", content: "Hello." }] };
  const contents = [{ role: "user", parts: [{ text: "Hello." }] }];
  it.each<[string, FitBenchOptions, object, object]>([
    ["max_tokens", {}, makeChat(1, { max_tokens: 900 }), { max_tokens: 77 }],
    [
      "max_completion_tokens",
      { wire: "openai-chat" },
      { ...chat, max_completion_tokens: 900 },
      { max_completion_tokens: 77 },
    ],
    ["max_tokens in chat", { wire: "openai-chat" }, { ...chat, max_tokens: 900 }, { max_tokens: 77 }],
    [
      "max_output_tokens",
      { wire: "openai-responses" },
      { model: "gpt-4o", input: chat.messages, max_output_tokens: 900 },
      { max_output_tokens: 77 },
    ],
    [
      "generationConfig",
      { wire: "gemini" },
      { contents, generationConfig: { temperature: 0, maxOutputTokens: 900 } },
      { generationConfig: { temperature: 0, maxOutputTokens: 77 } },
    ],
    [
      "generationConfig, spelled otherwise",
      { wire: "gemini" },
      { contents, generationConfig: { max_output_tokens: 900 } },
      { generationConfig: { max_output_tokens: 77 } },
    ],
    [
      "generation_config",
      { wire: "gemini" },
      { contents, generation_config: { maxOutputTokens: 900 } },
      { generation_config: { maxOutputTokens: 77 } },
    ],
  ])("lowers the output limit in place: %s", async (_, options, body, changed) => {
    const fitRequest = await (await openFitBench(options)).fitRequest(body);
    expect(fitRequest.limits.wantedTokens).toBe(900);
    expect(parsed(fittedBody(fitRequest.call.body, rawly(fitRequest, { maxOutputTokens: 77 })))).toEqual({
      ...body,
      ...changed,
    });
  });

  it("returns undefined if the body could not be split", async () => {
    const fitRequest = await (await openFitBench({ model: "gpt-4o", wire: "openai-responses" })).fitRequest({
      model: "gpt-4o",
      input: "Hello.",
    });
    expect(fittedBody(fitRequest.call.body, rawly(fitRequest, { maxOutputTokens: 77 }))).toBeUndefined();
    expect(sentBody(fitRequest.call.body, rawly(fitRequest), 1)).toBeUndefined();
  });
});

describe("sentBody", () => {
  it("is the prefix of a raw request", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(3));
    const sent = sentBody(fitRequest.call.body, rawly(fitRequest), 5);
    expect(Buffer.from(sent ?? []).toString()).toBe(
      JSON.stringify(makeChat(3, { messages: makeChat(3).messages.slice(0, 5) })),
    );
  });

  it("is the prefix of a request with its epoch", async () => {
    const bench = await openFitBench();
    const fitted = await bench.fit(makeChat(60));
    const whole = parsed(fittedBody(fitted.fitRequest.call.body, fitted));
    const sent = parsed(sentBody(fitted.fitRequest.call.body, fitted, 119));
    expect(sent).toEqual({ ...whole, messages: whole.messages.slice(0, -2) });
  });
});

describe("changedRequest", () => {
  it("is projected and has the lowered limit", async () => {
    const bench = await openFitBench();
    const fitted = await bench.fit(makeChat(60));
    const request = fitted.fitRequest.call.request();
    const changed = changedRequest(request, { ...fitted, maxOutputTokens: 77 });
    expect(changed).toMatchObject({ model: BENCH_MODEL, maxOutputTokens: 77 });
    expect(changed.conversation.messages.length).toBeLessThan(request.conversation.messages.length);
  });

  it("is the same if nothing changes", async () => {
    const fitRequest = await (await openFitBench()).fitRequest(makeChat(1));
    const request = fitRequest.call.request();
    expect(changedRequest(request, rawly(fitRequest))).toEqual(request);
  });
});

const LOSSLESS = { window: 100_000, context: { strategy: "lossless" } };

describe("knownReferencesIn", () => {
  it("returns the sent references and expands them", async () => {
    const bench = await openFitBench(LOSSLESS);
    await bench.fit(makeReads(1));
    const fitted = await bench.fit(makeReads(1, 1));
    const references = knownReferencesIn(fitted);
    const written = fitted.form.rendering?.parts.findLast((part) => part.kind === "written");
    const reference = JSON.parse(`[${written?.kind === "written" ? written.json : ""}]`)[0].content[0].content;
    const text = typeof reference === "string" ? reference : reference[0].text;
    expect(references?.isPrefix(text.slice(0, 5))).toBe(true);
    expect(references?.isPrefix("something else")).toBe(false);
    expect(references?.expand(text)).toContain("line 20 of file 1");
    expect(references?.expand("[forged]")).toBeUndefined();
  });

  it("returns undefined without references", async () => {
    const bench = await openFitBench(LOSSLESS);
    expect(knownReferencesIn(await bench.fit(makeReads(1)))).toBeUndefined();
  });
});

import { expect, it } from "vitest";
import { type JsonObject, objectIn } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { makeCall, makeResponsesRequest } from "../testing/make.ts";
import { openSeal } from "./check-items.ts";
import {
  baseResponse,
  compact,
  compactThreshold,
  finish,
  isTriggered,
  makeCompaction,
  makeContext,
  markOf,
  promptOf,
  sinceCompaction,
} from "./finish.ts";
import { inputItems } from "./request.ts";

const world = makeWorld({ now: () => 5_000 });
function open(body: JsonObject) {
  const request = makeResponsesRequest(body);
  return makeContext({ request, call: makeCall(), world, items: inputItems(request.body.input) });
}
const typesOf = (items: readonly JsonObject[]) => items.map(({ type }) => type);

it("answers and bills", () => {
  const turn = open({ input: "hello" });
  const finished = finish(turn);
  expect([finished.status, typesOf(finished.output)]).toEqual(["completed", ["reasoning", "message"]]);
  expect(turn.call.record.billed?.outputTokens).toBe(objectIn(finished.usage).output_tokens);
});

it("is incomplete if a limit stopped it", () => {
  expect(finish(open({ input: "simulate: endless", max_output_tokens: 50 })).status).toBe("incomplete");
});

it("compacts first at the threshold", () => {
  const context_management = [{ type: "compaction", compact_threshold: 1_000 }];
  const turn = open({ input: "word ".repeat(3_000), context_management });
  const finished = finish(turn);
  expect(typesOf(finished.output)).toEqual(["compaction", "reasoning", "message"]);
  expect(Number(objectIn(finished.usage).input_tokens)).toBeLessThan(1_000);
  expect(turn.call.record).toMatchObject({ compactions: 1 });
  expect(turn.call.record.billed?.inputTokens).toBeGreaterThan(3_000);
  expect(typesOf(finish(open({ input: "short", context_management })).output)).toEqual(["reasoning", "message"]);
});

it("only compacts if nothing else is requested", () => {
  const finished = finish(
    open({ input: [{ role: "user", content: "look at src/a.ts" }, { type: "compaction_trigger" }] }),
  );
  expect(typesOf(finished.output)).toEqual(["compaction"]);
});

it("encrypts the summary", () => {
  const { item } = compact(open({ input: "look at src/a.ts" }));
  expect(openSeal(item, "compaction", world)?.summary).toContain("src/a.ts");
});

it("makes ids from the request alone", () => {
  const turn = open({});
  expect(baseResponse(turn)).toEqual({
    id: expect.stringMatching(/^resp_/),
    created: 5,
    body: { model: "gpt-5" },
    error: null,
  });
  expect(markOf(turn.call)).toBe(markOf(makeCall()));
});

it("drops everything that the last compaction replaces", () => {
  const [a, b, c] = [{ role: "user" }, { type: "compaction" }, { role: "user", content: "x" }];
  expect(sinceCompaction([a, b, a, b, c])).toEqual([b, c]);
  expect(sinceCompaction([a, c])).toEqual([a, c]);
});

it("reads the threshold", () => {
  expect(
    compactThreshold({ context_management: [{ type: "other" }, { type: "compaction", compact_threshold: 9 }] }),
  ).toBe(9);
  expect(compactThreshold({ context_management: [{ type: "compaction", compact_threshold: null }] })).toBeUndefined();
  expect(compactThreshold({})).toBeUndefined();
  expect([isTriggered([{ type: "compaction_trigger" }]), isTriggered([])]).toEqual([true, false]);
});

it("hides the summary from clients", () => {
  const world = makeWorld({});
  const item = makeCompaction("cmp_1", "secret words", world);
  expect(JSON.stringify(item)).not.toContain("secret words");
  expect(openSeal(item, "compaction", world)).toEqual({ summary: "secret words" });
});

it("builds the prompt from texts, calls and results", () => {
  const request = makeResponsesRequest({
    instructions: "be kind",
    tools: [{ type: "function", name: "read", parameters: { type: "object" } }, { type: "web_search" }],
  });
  const items = [
    makeCompaction("cmp_1", "summary", world),
    { role: "developer", content: "rules" },
    { role: "user", content: "go" },
    { type: "reasoning", summary: [] },
    { type: "function_call", call_id: "a", name: "read", arguments: "{}" },
    { type: "function_call_output", call_id: "a", output: "found" },
    { role: "assistant", content: [{ type: "output_text", text: "done" }] },
  ];
  expect(promptOf(request, items, world)).toEqual({
    api: "openai-responses",
    model: "gpt-5",
    system: "be kind",
    tools: [{ name: "read", schema: { type: "object" } }],
    turns: [
      { role: "assistant", texts: ["summary"], calls: [], results: [] },
      { role: "system", texts: ["rules"], calls: [], results: [] },
      { role: "user", texts: ["go"], calls: [], results: [] },
      { role: "assistant", texts: ["{}"], calls: ["a"], results: [] },
      { role: "user", texts: ["found"], calls: [], results: ["a"] },
      { role: "assistant", texts: ["done"], calls: [], results: [] },
    ],
    thinks: true,
    stopSequences: [],
  });
});

it("reads the output format, the tool choice and whether the model reasons", () => {
  const prompt = (body: object) => promptOf(makeResponsesRequest({ ...body }), [], world);
  expect(prompt({ text: { format: { type: "json_schema", schema: { a: 1 } } } }).outputSchema).toEqual({ a: 1 });
  expect(prompt({ text: { format: { type: "json_object" } } }).outputSchema).toEqual({});
  expect(prompt({ tool_choice: "required" }).mustCall).toBe("any");
  expect([prompt({ model: "gpt-4o" }).thinks, prompt({ reasoning: { effort: "none" } }).thinks]).toEqual([
    false,
    false,
  ]);
});

it("includes tools from items and namespaces", () => {
  const inner = { type: "function", name: "find", parameters: { type: "object" } };
  const items = [
    { type: "additional_tools", role: "developer", tools: [{ type: "namespace", name: "notes", tools: [inner] }] },
    { role: "user", content: "go" },
  ];
  const { tools, turns } = promptOf(makeResponsesRequest({ tools: [{ type: "custom", name: "patch" }] }), items, world);
  expect(tools).toEqual([
    { name: "patch", schema: {} },
    { name: "find", schema: { type: "object" } },
  ]);
  expect(turns.map(({ role }) => role)).toEqual(["user"]);
});

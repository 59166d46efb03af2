import { expect, it } from "vitest";
import { type JsonObject, objectIn } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { makeCall, makeResponsesRequest } from "../testing/make.ts";
import { openSeal } from "./check-items.ts";
import { compact, finish, markOf, openTurn, shell } from "./finish.ts";
import { inputItems } from "./request.ts";

const world = makeWorld({ now: () => 5_000 });
function open(body: JsonObject) {
  const request = makeResponsesRequest(body);
  return openTurn({ request, call: makeCall(), world, items: inputItems(request.body.input) });
}
const typesOf = (items: readonly JsonObject[]) => items.map(({ type }) => type);

it("answers and bills", () => {
  const turn = open({ input: "hello" });
  const finished = finish(turn);
  expect([finished.status, typesOf(finished.output)]).toEqual(["completed", ["reasoning", "message"]]);
  expect(turn.call.notes.billed?.outputTokens).toBe(objectIn(finished.usage).output_tokens);
});

it("is incomplete where a limit stopped it", () => {
  expect(finish(open({ input: "simulate: endless", max_output_tokens: 50 })).status).toBe("incomplete");
});

it("compacts first where the threshold is reached", () => {
  const context_management = [{ type: "compaction", compact_threshold: 1_000 }];
  const turn = open({ input: "word ".repeat(3_000), context_management });
  const finished = finish(turn);
  expect(typesOf(finished.output)).toEqual(["compaction", "reasoning", "message"]);
  expect(Number(objectIn(finished.usage).input_tokens)).toBeLessThan(1_000);
  expect(turn.call.notes).toMatchObject({ compactions: 1 });
  expect(turn.call.notes.billed?.inputTokens).toBeGreaterThan(3_000);
  expect(typesOf(finish(open({ input: "short", context_management })).output)).toEqual(["reasoning", "message"]);
});

it("only compacts where that is all that was asked for", () => {
  const finished = finish(
    open({ input: [{ role: "user", content: "look at src/a.ts" }, { type: "compaction_trigger" }] }),
  );
  expect(typesOf(finished.output)).toEqual(["compaction"]);
});

it("puts the summary where only the API can read it", () => {
  const { item } = compact(open({ input: "look at src/a.ts" }));
  expect(openSeal(item, "compaction", world)?.summary).toContain("src/a.ts");
});

it("makes ids of the request alone", () => {
  const turn = open({});
  expect(shell(turn)).toEqual({
    id: expect.stringMatching(/^resp_/),
    created: 5,
    body: { model: "gpt-5" },
    error: null,
  });
  expect(markOf(turn.call)).toBe(markOf(makeCall()));
});

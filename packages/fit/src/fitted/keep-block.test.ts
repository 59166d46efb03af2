import { makeCompaction } from "@longhaul/conversation/testing";
import { expect, it } from "vitest";
import { rawForm } from "../fitting/fit-request.ts";
import { makeChat, openFitBench } from "../testing/index.ts";
import { keepBlock } from "./keep-block.ts";

it("keeps a vendor's summary in place of all messages of its request, at no further cost", async () => {
  const bench = await openFitBench({ model: "claude-opus-4-6" });
  const fitRequest = await bench.fitRequest(makeChat(4, { model: "claude-opus-4-6" }));
  const form = rawForm(fitRequest);
  const block = makeCompaction("They spoke of harbours.");
  const epoch = await keepBlock({ fitRequest, form, originalTokens: form.tokens, origin: "raw" }, block);
  expect(epoch).toMatchObject({
    strategy: "compaction",
    costUsd: 0,
    isStandIn: false,
    prefix: fitRequest.history.prefixes()[8],
  });
  expect(epoch.projection).toMatchObject({
    messages: 9,
    entries: [{ kind: "made", from: 0, to: 9, message: { blocks: [block] } }],
  });
  const grown = [...makeChat(4).messages, { role: "assistant", content: "Yes." }, { role: "user", content: "More." }];
  const next = await bench.fitRequest(makeChat(4, { model: "claude-opus-4-6", messages: grown }));
  expect(await bench.state.shelf.find(next)).toEqual([epoch]);
});

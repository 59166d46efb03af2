import { expect, it } from "vitest";
import { rawForm } from "../fitting/fit-request.ts";
import { makeChat, openFitBench } from "../testing/index.ts";
import { sizeToSend } from "./size-to-send.ts";

it("is nothing for what goes as it came", async () => {
  const { fitRequest } = await openFitBench();
  expect(await sizeToSend(await fitRequest(makeChat(3)))).toBeUndefined();
});

it("is what a condensation aims at for what is still to be condensed, and condenses and stores nothing", async () => {
  const { fitRequest, state } = await openFitBench();
  const long = await fitRequest(makeChat(60));
  const { limits, scope, history } = long;
  expect(rawForm(long).tokens).toBeGreaterThan(limits.budgetTokens);
  expect(await sizeToSend(long)).toBe(limits.targetTokens);
  expect(state.jobs.find(scope, history.prefixes())).toBeUndefined();
  expect(await state.shelf.find(long)).toEqual([]);
});

it("is that of the epoch that is known", async () => {
  const { fitRequest, fit } = await openFitBench();
  const { form } = await fit(makeChat(60));
  expect(form.epoch).toBeDefined();
  expect(await sizeToSend(await fitRequest(makeChat(60)))).toBe(form.tokens);
});

it("is what a condensation aims at from the operator's threshold on", async () => {
  const { fitRequest } = await openFitBench({ context: { threshold: 30 } });
  const over = await fitRequest(makeChat(18));
  expect(rawForm(over).tokens).toBeLessThan(over.limits.budgetTokens);
  expect(await sizeToSend(over)).toBe(over.limits.targetTokens);
});

it("is nothing for what no strategy makes smaller", async () => {
  const { fitRequest } = await openFitBench({ context: { strategy: "full-history" } });
  expect(await sizeToSend(await fitRequest(makeChat(60)))).toBeUndefined();
});

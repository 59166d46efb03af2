import { expect, it } from "vitest";
import { makeChat, openFitBench } from "../testing/fitting.ts";
import { contextHeaders } from "./context-headers.ts";

const bench = await openFitBench();

it("tells nothing of a request that was sent as it came", async () => {
  expect(contextHeaders(await bench.fit(makeChat(1)))).toEqual({});
});

it("tells how large a request was, how large it is, and what was done to it, now or earlier", async () => {
  const made = await bench.fit(makeChat(60));
  const reused = await bench.fit(makeChat(60));
  expect(contextHeaders(made)).toEqual({
    "x-context-compressed": "true",
    "x-original-tokens": `${made.originalTokens}`,
    "x-compressed-tokens": `${made.form.tokens}`,
    "x-longhaul-strategy": "middle-out",
    "x-longhaul-context": "new",
  });
  expect(contextHeaders(reused)).toEqual({ ...contextHeaders(made), "x-longhaul-context": "reused" });
});

it("tells how much was left for the answer", async () => {
  const fitted = await bench.fit(makeChat(20, { max_tokens: 3_500 }));
  expect(contextHeaders(fitted)).toEqual({ "x-longhaul-max-tokens": `${fitted.maxOutputTokens}` });
});

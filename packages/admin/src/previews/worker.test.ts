import { Thread } from "@longhaul/fit";
import { afterAll, expect, it } from "vitest";
import { makeTerms } from "../testing/previews.ts";
import { findExample } from "./examples/examples.ts";
import type { PreviewProtocol } from "./protocol.ts";

const program = new URL("./worker.ts", import.meta.url);
const thread = new Thread<PreviewProtocol>({ program, purpose: "tests", onStop: () => {} });
afterAll(() => thread.close());

it("requests the terms of a conversation and estimates with them", async () => {
  const { text } = findExample("planning");
  const done = await thread.run({ kind: "estimate", text }, async (question) => {
    expect(question).toMatchObject({ kind: "terms", hint: { format: "anthropic-messages" } });
    return { kind: "terms", terms: makeTerms() };
  });
  expect(done).toMatchObject({ kind: "estimate" });
});

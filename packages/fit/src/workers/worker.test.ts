import { textMessage } from "@longhaul/conversation";
import { afterAll, expect, it } from "vitest";
import { makeChat } from "../testing/index.ts";
import { makePlan, makePrompt } from "../testing/projections.ts";
import { Thread } from "../threads/thread.ts";
import type { FitProtocol } from "./worker.ts";

const program = new URL("./worker.ts", import.meta.url);
const thread = new Thread<FitProtocol>({ program, purpose: "tests", onStop: () => {} });
afterAll(() => thread.close());

const prompt = makePrompt(JSON.stringify(makeChat(20)), "anthropic-messages");
const work = { prompt, plan: makePlan("native") };
const summarize = async () => [{ kind: "text", text: "Harbours." }] as const;

it("condenses with the answers to its asks, without the client's native values", async () => {
  const done = await thread.run({ kind: "condense", work }, async (asks) => {
    expect(asks).toMatchObject([{ kind: "ask" }]);
    expect(JSON.stringify(asks)).not.toContain('"native":');
    return summarize();
  });
  expect(done).toMatchObject({ kind: "condensed", condensed: { report: { strategy: "native" } } });
});

it("renders", async () => {
  const message = textMessage("user", "In short.");
  const projection = { version: 2, messages: 2, entries: [{ kind: "made", from: 0, to: 2, message }] } as const;
  expect(await thread.run({ kind: "render", prompt, projection }, summarize)).toMatchObject({ kind: "rendered" });
});

it("fails with the error of an invalid body", async () => {
  const malformed = { ...work, prompt: makePrompt("{}", "anthropic-messages") };
  const failed = thread.run({ kind: "condense", work: malformed }, summarize);
  await expect(failed).rejects.toMatchObject({ code: "request.malformed" });
});

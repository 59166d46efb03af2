import { project } from "@longhaul/condense";
import { type Message, pureHash } from "@longhaul/conversation/advanced";
import { makeUser } from "@longhaul/conversation/testing";
import { type CompactionNote, compactionPlan, projectionOfBlock, stripReply, stripStream } from "@longhaul/fit";
import { askClaude, makeLongText, makeRequest } from "@longhaul/fit/testing";
import { costOf, findModel, loadCatalog } from "@longhaul/models";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { codecOf } from "@longhaul/wire";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { CLIENT_WIRES, encodeReplyFor, encodeStreamFor, rememberedBy, sentBy } from "../testing/clients.ts";

const { model } = findModel(loadCatalog({}), "claude-opus-4-6", "anthropic");
const SUMMARY = "Summary of Session: what the model told itself";

describe("Bug 1: the compaction summary is forwarded to the client", () => {
  let simulator: Simulator;
  beforeAll(async () => {
    // A request for a summary ends with the instructions.
    simulator = await openSimulator({
      script: ({ turns }) => (isSummary(turns.at(-1)?.texts) ? `say ${SUMMARY}` : undefined),
    });
  });
  beforeEach(() => simulator.reset());
  afterAll(() => simulator.close());

  const plan = compactionPlan({
    model,
    destination: { wire: "anthropic-messages", handle: { connection: { upstream: {} } } },
    settings: { enabled: true, onDemand: false, triggerTokens: 50_000 },
    windowTokens: 200_000,
    clientEdits: [],
  });
  const sentAs =
    plan.kind === "edit" ? { betas: plan.betas, fields: { context_management: { edits: plan.edits } } } : {};
  const long = makeUser(`${makeLongText(40_000)}\n\nWhat is in the last entry?`);

  it.each(CLIENT_WIRES)("hides it in a %s client's whole reply and does not count it", async (wire) => {
    const { reply } = await askClaude(simulator.url, sentBy(wire, makeRequest([long])), sentAs);
    const notes: CompactionNote[] = [];
    const bytes = encodeReplyFor(
      wire,
      stripReply(reply, (note) => void notes.push(note)),
    );
    expect(notes).toMatchObject([{ kind: "compacted", block: { text: SUMMARY } }]);
    expect(bytes).toContain("You said");
    expectNothingOf(bytes, wire);
    const usage = codecOf(wire).decodeReply(JSON.parse(bytes)).usage;
    const { inputTokens, outputTokens } = reply.usage;
    expect(usage).toMatchObject({ inputTokens, outputTokens });
    expect(usage.inputTokens).toBeLessThan(2_000);
  });

  it.each(CLIENT_WIRES)("hides it in a %s client's stream", async (wire) => {
    const { events } = await askClaude(simulator.url, sentBy(wire, makeRequest([long])), {
      ...sentAs,
      isStream: true,
    });
    const notes: CompactionNote[] = [];
    const stepper = stripStream((note) => void notes.push(note));
    let state = stepper.start();
    const stripped = events.flatMap((event) => {
      const [next, out] = stepper.step(state, event);
      state = next;
      return out;
    });
    const bytes = encodeStreamFor(wire, stripped);
    expect(notes).toMatchObject([{ kind: "compacted", block: { text: SUMMARY } }]);
    expect(bytes).toContain("You said");
    expectNothingOf(bytes, wire);
  });

  it.each(CLIENT_WIRES)("does not compact a %s client's session again on each turn", async (wire) => {
    let messages: Message[] = [long];
    const first = await askClaude(simulator.url, sentBy(wire, makeRequest(messages)), sentAs);
    const blocks = first.reply.blocks.flatMap((block) => (block.type === "compaction" ? [block] : []));
    const sizes: number[] = [];
    let { reply } = first;
    for (const words of ["And before?", "And after?", "Thanks."]) {
      const said: Message = {
        role: "assistant",
        blocks: rememberedBy(
          wire,
          stripReply(reply, () => {}),
        ),
      };
      messages = [...messages, said, makeUser(words)];
      const request = sentBy(wire, makeRequest(messages));
      const { conversation } = project(request.conversation, projectionOfBlock(blocks[0]!, 1), pureHash);
      const exchange = await askClaude(simulator.url, { ...request, conversation }, sentAs);
      expect(exchange.error).toBeUndefined();
      expect(JSON.stringify(exchange.sent.messages).split(SUMMARY)).toHaveLength(2);
      sizes.push(exchange.reply.usage.inputTokens);
      reply = exchange.reply;
    }
    expect(simulator.requests().map(({ compactions }) => compactions)).toEqual([1, 0, 0, 0]);
    expect(Math.max(...sizes)).toBeLessThan(3_000);
  });

  it("costs the sum of all rounds", async () => {
    for (const isStream of [false, true]) {
      const { reply } = await askClaude(simulator.url, makeRequest([long]), { ...sentAs, isStream });
      const billed = simulator.requests().at(-1)?.costUsd ?? 0;
      if (model.prices === undefined) throw new Error("no prices");
      expect(costOf(reply.usage, model.prices)).toBeCloseTo(billed, 10);
      const { iterations: _, ...alone } = reply.usage;
      expect(costOf(alone, model.prices)).toBeLessThan(billed / 2);
    }
  });
});

function isSummary(texts: readonly string[] = []): boolean {
  return texts.some((text) => text.startsWith("Write a summary of the conversation"));
}

function expectNothingOf(bytes: string, wire: string): void {
  expect(bytes).not.toContain(SUMMARY);
  expect(bytes).not.toContain("encrypted_content");
  expect(bytes).not.toMatch(/"(?:content_block|item)":\{"type":"compaction"/);
  // Only Messages clients get the rounds.
  expect(bytes.includes('"iterations"')).toBe(wire === "anthropic-messages");
}

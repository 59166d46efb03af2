import { PROJECTION_VERSION, type Projection, project } from "@longhaul/condense/advanced";
import {
  type Block,
  type CompactionBlock,
  LonghaulError,
  type Message,
  pureHash,
  type Request,
} from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeCompaction,
  makeSystem,
  makeTool,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { openSimulator, type Prompt, type Simulator } from "@longhaul/simulator";
import { codecOf } from "@longhaul/wire";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { askClaude, makeLongText, makeRequest, type SentAs } from "../testing/simulated-claude.ts";
import { blocksIn, holdsBlock, isRefusedBlock, projectionOfBlock } from "./blocks.ts";
import { COMPACTION_INSTRUCTIONS } from "./compaction-plan.ts";
import { type CompactionNote, stripReply } from "./strip-compaction.ts";

it("replaces the first messages with the block", () => {
  const block = makeCompaction();
  expect(projectionOfBlock(block, 3)).toEqual({
    version: 2,
    messages: 3,
    entries: [{ kind: "made", from: 0, to: 3, message: { role: "assistant", blocks: [block] } }],
  });
});

describe("a compacted conversation at the API", () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await openSimulator({ script: behave });
  });
  beforeEach(() => simulator.reset());
  afterAll(() => simulator.close());

  const threshold: SentAs = {
    betas: ["compact-2026-01-12"],
    fields: {
      context_management: {
        edits: [
          {
            type: "compact_20260112",
            trigger: { type: "input_tokens", value: 50_000 },
            instructions: COMPACTION_INSTRUCTIONS,
          },
        ],
      },
    },
  };
  const onDemand: SentAs = { betas: ["compact-2026-09-04"] };

  /** Sends a client's request with the block in place of its messages, and strips the answer. */
  async function turn(request: Request, sentAs: SentAs, kept?: Kept) {
    const { conversation } = request;
    const projected =
      kept === undefined
        ? conversation
        : project(conversation, projectionOfBlock(kept.block, kept.messages), pureHash).conversation;
    const exchange = await askClaude(simulator.url, { ...request, conversation: projected }, sentAs);
    const notes: CompactionNote[] = [];
    const reply = stripReply(exchange.reply, (note) => void notes.push(note));
    const block = notes.flatMap((note) => (note.kind === "compacted" ? [note.block] : []))[0];
    const said: Message = { role: "assistant", blocks: reply.blocks };
    return { ...exchange, said, notes, block };
  }

  const long = makeUser(`${makeLongText(40_000)}\n\nWhat is in the last entry?`);

  it("is accepted on later turns without another compaction", async () => {
    const first = await turn(makeRequest([long]), threshold);
    const kept = keep(first.block, 1);
    const second = await turn(makeRequest([long, first.said, makeUser("And before it?")]), threshold, kept);
    const messages = [long, first.said, makeUser("And before it?"), second.said, makeUser("Thanks.")];
    const third = await turn(makeRequest(messages), threshold, kept);
    expect([first.error, second.error, third.error]).toEqual([undefined, undefined, undefined]);
    expect(simulator.requests().map(({ compactions }) => compactions)).toEqual([1, 0, 0]);
    expect(rolesIn(third.sent)).toEqual(["assistant", "user", "assistant", "user"]);
  });

  it.each([
    ["a budget for thinking", { mode: "budget", budgetTokens: 2_000 } as const],
    ["adaptive thinking", { mode: "adaptive" } as const],
    ["no thinking", { mode: "off" } as const],
  ])("is accepted in the middle of a tool loop with %s", async (_, reasoning) => {
    const fields = { reasoning, conversation: { system: [], tools: [makeTool()], messages: [long] } };
    const request = (messages: readonly Message[]) =>
      makeRequest(messages, { ...fields, conversation: { ...fields.conversation, messages } });
    const first = await turn(request([long]), threshold);
    expect(first.said.blocks.at(-1)?.type).toBe("tool-call");
    const kept = keep(first.block, 1);
    const messages = [long, first.said, answerTo(first.said)];
    const second = await turn(request(messages), threshold, kept);
    const third = await turn(request([...messages, second.said, answerTo(second.said)]), threshold, kept);
    expect([first.error, second.error, third.error]).toEqual([undefined, undefined, undefined]);
    expect(third.said.blocks.at(-1)).toMatchObject({ type: "text", text: "Done." });
    const thoughts = third.sent.messages;
    expect(JSON.stringify(thoughts).includes('"thinking"')).toBe(reasoning.mode !== "off");
    expect(simulator.totals().compactions).toBe(1);
  });

  it("is accepted if the compaction happened during a tool loop", async () => {
    const tools = [makeTool()];
    const request = (messages: readonly Message[]) =>
      makeRequest(messages, { conversation: { system: [], tools, messages } });
    const first = await turn(request([makeUser("Look.")]), threshold);
    const messages = [makeUser("Look."), first.said, answerTo(first.said, makeLongText(40_000))];
    const second = await turn(request(messages), threshold);
    const kept = keep(second.block, 3);
    const third = await turn(request([...messages, second.said, answerTo(second.said)]), threshold, kept);
    expect([first.block, second.error, third.error]).toEqual([undefined, undefined, undefined]);
    expect(simulator.requests().map(({ compactions }) => compactions)).toEqual([0, 1, 0]);
  });

  it("is accepted with system messages in between", async () => {
    const model = "claude-opus-4-8";
    const request = (messages: readonly Message[]) => makeRequest(messages, { model });
    const sentAs = { ...threshold, destination: { systemMessages: true } };
    const first = await turn(request([long, makeSystem("Be brief.")]), sentAs);
    const messages = [long, makeSystem("Be brief."), first.said, makeUser("Go on."), makeSystem("Briefer.")];
    const second = await turn(request(messages), sentAs, keep(first.block, 2));
    expect([first.error, second.error]).toEqual([undefined, undefined]);
    expect(rolesIn(second.sent)).toEqual(["assistant", "user", "system"]);
  });

  it("is accepted if the same request is sent again", async () => {
    const first = await turn(makeRequest([long]), threshold);
    const again = await turn(makeRequest([long]), threshold, keep(first.block, 1));
    expect(again.error).toBeUndefined();
    expect(rolesIn(again.sent)).toEqual(["assistant"]);
  });

  it("keeps thinking valid after a requested block on models that bind it", async () => {
    const request = (messages: readonly Message[]) =>
      makeRequest(messages, { model: "claude-opus-5-5", reasoning: { mode: "adaptive" } });
    const first = await turn(request([makeUser("One.")]), onDemand);
    const messages = [makeUser("One."), first.said, makeUser("Two.")];
    const second = await turn(request(messages), onDemand);
    const asked = await turn(request(messages), { ...onDemand, fields: { compaction: { type: "summarize" } } });
    const kept = keep(asked.block, 3);
    const third = await turn(request([...messages, second.said, makeUser("Three.")]), onDemand, kept);
    expect([first.error, second.error, asked.error, third.error]).toEqual([undefined, undefined, undefined, undefined]);
    expect(second.said.blocks[0]?.type).toBe("thinking");
    expect(third.sent.messages).toMatchObject([
      { role: "assistant", content: [{ type: "compaction", signature: expect.any(String) }, { type: "thinking" }, {}] },
      { role: "user" },
    ]);
    // The reply's thinking is bound to exactly the messages that the block replaces: another prefix would be refused.
    const shifted = await turn(request([...messages, second.said, makeUser("Three.")]), onDemand, {
      ...kept,
      messages: 1,
    });
    expect(shifted.error?.message).toMatch(/bound to a different conversation|role/);
  });

  it("keeps thinking valid after another cut", async () => {
    const request = (messages: readonly Message[]) =>
      makeRequest(messages, { model: "claude-opus-5-5", reasoning: { mode: "adaptive" } });
    const first = await turn(request([makeUser("One.")]), onDemand);
    const start = [makeUser("One."), first.said];
    const second = await turn(request([...start, makeUser("Two.")]), onDemand);
    const asked = await turn(request(start), {
      ...onDemand,
      fields: { compaction: { type: "summarize" } },
      destination: { prefill: true },
    });
    const messages = [...start, makeUser("Two."), second.said, makeUser("Three.")];
    const third = await turn(request(messages), onDemand, keep(asked.block, 2));
    expect([asked.error, third.error]).toEqual([undefined, undefined]);
    expect(JSON.stringify(third.sent.messages)).toContain('"type":"thinking"');
  });
});

/** A block and the number of messages that it replaces. */
interface Kept {
  readonly block: CompactionBlock;
  readonly messages: number;
}

function keep(block: CompactionBlock | undefined, messages: number): Kept {
  if (block === undefined) throw new Error("nothing was compacted");
  return { block, messages };
}

function rolesIn({ messages }: { readonly messages?: unknown }): unknown[] {
  return Array.isArray(messages) ? messages.map((message: { role: unknown }) => message.role) : [];
}

function answerTo({ blocks }: Message, text = "nothing"): Message {
  const call = blocks.find((block): block is Extract<Block, { type: "tool-call" }> => block.type === "tool-call");
  return makeUser(makeToolResult(call?.id ?? "", text));
}

/** Calls the tool twice if there is one, then ends. Summarises on request. */
function behave({ tools, turns }: Prompt): string | undefined {
  const name = tools[0]?.name;
  if (name === undefined) return undefined;
  const results = turns.flatMap((turn) => turn.results).length;
  return results < 2 ? `call ${name} {}\ntimes 9` : "say Done.";
}

const projectionOf = (...messages: ReturnType<typeof makeUser>[]): Projection => ({
  version: PROJECTION_VERSION,
  messages: messages.length + 1,
  entries: [
    ...messages.map((message, from) => ({ kind: "made" as const, from, to: from + 1, message })),
    { kind: "keep", from: messages.length, to: messages.length + 1 },
  ],
});

it("finds the vendors' summaries among added messages", () => {
  const [one, two] = [makeCompaction("One."), makeCompaction("Two.")];
  const projection = projectionOf(makeAssistant(one), makeUser("Ours."), makeAssistant(["And", two]));
  expect(blocksIn(projection)).toEqual([one, two]);
  expect(blocksIn(projection)).toBe(blocksIn(projection));
  expect(holdsBlock(projection)).toBe(true);
});

it("finds none among our own summaries", () => {
  expect(blocksIn(projectionOf(makeUser("Ours.")))).toEqual([]);
  expect(holdsBlock(projectionOf(makeUser("Ours.")))).toBe(false);
});

describe("isRefusedBlock", () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await openSimulator({});
  });
  afterAll(() => simulator.close());

  const both = ["compact-2026-01-12", "compact-2026-09-04"];
  const native = (value: object) => ({ wire: "anthropic-messages", value: { type: "compaction", ...value } });
  const block = (value: object): Message =>
    makeAssistant({ type: "compaction", text: "x", vendor: "anthropic", native: native(value) });

  async function refusalOf(request: Request, sentAs: SentAs): Promise<LonghaulError> {
    const { error } = await askClaude(simulator.url, request, sentAs);
    if (error === undefined) throw new Error("the request was taken");
    return error;
  }

  it.each<[string, Message[], string[]]>([
    ["a signature that is not its own", [block({ content: "x", signature: "bad" }), makeUser()], both],
    ["a seal that is not its own", [block({ content: "x", encrypted_content: "bad" }), makeUser()], both],
    ["a block in the wrong place", [makeUser(), block({ content: "x", signature: "bad" }), makeUser()], both],
    ["an empty block", [block({ content: "" }), makeUser()], both],
    ["a block without its beta", [block({ content: "x" }), makeUser()], []],
    ["a signed block without its beta", [block({ content: "x", signature: "s" }), makeUser()], ["compact-2026-01-12"]],
  ])("recognises the refusal of %s", async (_, messages, betas) => {
    const error = await refusalOf(makeRequest(messages), { betas });
    expect([error.status, isRefusedBlock(error)]).toEqual([400, true]);
  });

  it("recognises the refusal of a Responses item", async () => {
    const input = [
      { type: "compaction", encrypted_content: "gAAAAnot-from-here" },
      { role: "user", content: "hi" },
    ];
    const response = await fetch(`${simulator.url}/v1/responses`, {
      method: "POST",
      headers: { authorization: "Bearer k", "content-type": "application/json" },
      body: JSON.stringify({ model: "gpt-5.2", input }),
    });
    const error = codecOf("openai-responses").decodeError(response.status, await response.json());
    expect([error.status, isRefusedBlock(error)]).toEqual([400, true]);
  });

  it("ignores other refusals", async () => {
    const summarize = { fields: { compaction: { type: "summarize" } }, betas: both };
    const old = await refusalOf(makeRequest([makeUser()], { model: "claude-haiku-4-5" }), summarize);
    const unasked = await refusalOf(makeRequest([makeUser()]), { fields: { context_management: { edits: [] } } });
    expect([old, unasked].map(isRefusedBlock)).toEqual([false, false]);
    const nothing = {
      error: {
        type: "invalid_request_error",
        message: "x",
        details: { error_code: "compaction_nothing_to_summarize" },
      },
    };
    expect(isRefusedBlock(codecOf("anthropic-messages").decodeError(400, nothing))).toBe(false);
    expect(isRefusedBlock(new LonghaulError("upstream.broken", "`compaction` block"))).toBe(false);
  });

  it("decides by the code if there is one, whatever the message", () => {
    const error = {
      type: "invalid_request_error",
      message: "no",
      details: { error_code: "compaction_signature_invalid" },
    };
    expect(isRefusedBlock(codecOf("anthropic-messages").decodeError(400, { type: "error", error }))).toBe(true);
  });
});

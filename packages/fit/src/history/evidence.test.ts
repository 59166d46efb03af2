import { PROJECTION_VERSION } from "@longhaul/condense/advanced";
import { type Block, type Conversation, headFingerprint, type Message } from "@longhaul/conversation/advanced";
import { anyConversation } from "@longhaul/conversation/testing";
import type { Epoch } from "@longhaul/store";
import { makeEpoch } from "@longhaul/store/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Making, mayReuse, proofOf, type Seeker } from "./evidence.ts";
import { knowMessage, sha256 } from "./known-messages.ts";
import { makeMemos } from "./memos.ts";

/** A request with this conversation, in a session that may be named. */
function seekerOf(conversation: Conversation, session?: string): Seeker {
  const messages = conversation.messages.map(knowMessage);
  const memos = makeMemos();
  return {
    scope: "scope",
    conversation: session,
    history: {
      messages,
      prefixes: () => memos.prefixesOf(messages),
      loosePrefixes: (name) => memos.loosePrefixesOf(messages, name),
      headPrint: () => headFingerprint(conversation, sha256),
    },
  };
}

function epochOn(seeker: Seeker, making: Partial<Making> = {}): Epoch {
  const messages = making.messages ?? seeker.history.messages.length;
  const projection = { version: PROJECTION_VERSION, messages, entries: [] } as const;
  return makeEpoch({ projection, ...proofOf(seeker, { base: undefined, reads: "messages", ...making, messages }) });
}

const text = (value: string): Block => ({ type: "text", text: value });
const result = (value: string, callId = "call_0"): Block => ({
  type: "tool-result",
  callId,
  content: value === "" ? [] : [{ type: "text", text: value }],
  isError: false,
});
const call = (path: string): Message => ({
  role: "assistant",
  blocks: [
    { type: "thinking", text: `Look at ${path}.`, signature: path },
    { type: "tool-call", id: "call_0", name: "read", input: { path }, signature: path },
  ],
});
const session = (results: readonly string[], system = "Be brief."): Conversation => ({
  system: [{ type: "text", text: system }],
  tools: [],
  messages: [
    { role: "user", blocks: [text("Report.")] },
    ...results.flatMap((value, index): Message[] => [call(`${index}`), { role: "user", blocks: [result(value)] }]),
  ],
});
const withoutThoughts = ({ messages, ...rest }: Conversation): Conversation => ({
  ...rest,
  messages: messages.map(({ role, blocks }) => ({
    role,
    blocks: blocks
      .filter(({ type }) => type !== "thinking")
      .map((block) => {
        if (block.type !== "tool-call") return block;
        const { signature: _, ...unsigned } = block;
        return unsigned;
      }),
  })),
});

/** A conversation of at least one message. */
const anySome = () => anyConversation().filter(({ messages }) => messages.length > 0);

/** Changes one text of a message, also in results and thinking; undefined if it has none. */
function changed(message: Message, add: string): Message | undefined {
  const index = message.blocks.findIndex(
    ({ type }) => type === "text" || type === "tool-result" || type === "thinking",
  );
  const block = message.blocks[index];
  if (block === undefined) return undefined;
  const other: Block =
    block.type === "tool-result"
      ? { ...block, content: [...block.content, { type: "text", text: add }] }
      : block.type === "text" || block.type === "thinking"
        ? { ...block, text: `${block.text}${add}` }
        : block;
  return { ...message, blocks: message.blocks.with(index, other) };
}

describe("an epoch", () => {
  it("is reused by every request with the content that it was made from, whatever follows", () => {
    fc.assert(
      fc.property(anySome(), anyConversation(), fc.option(fc.string()), (conversation, more, name) => {
        const epoch = epochOn(seekerOf(conversation, name ?? undefined));
        const grown = { ...conversation, messages: [...conversation.messages, ...more.messages] };
        expect(mayReuse(epoch, seekerOf(grown))).toBe(true);
        expect(mayReuse(epoch, seekerOf({ ...grown, system: [{ type: "text", text: "Another." }] }))).toBe(true);
      }),
    );
  });

  it("is never shared by conversations that differ in that content, in one session or in two", () => {
    const names = fc.constantFrom(undefined, "one", "two");
    const parts = fc.tuple(anySome(), fc.nat(), fc.string({ minLength: 1 }), names, names);
    fc.assert(
      fc.property(parts, ([conversation, seed, add, made, asked]) => {
        const index = seed % conversation.messages.length;
        const message = conversation.messages[index];
        const other = message && changed(message, add);
        if (other === undefined) return;
        const epoch = epochOn(seekerOf(conversation, made));
        const messages = conversation.messages.with(index, other);
        expect(mayReuse(epoch, seekerOf({ ...conversation, messages }, asked))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it("is reused by its own session after results or thinking were cleared, and by no other", () => {
    const cleared = fc.constantFrom("", "[cleared]", "[Old tool result content cleared]");
    const results = fc.array(fc.tuple(fc.string({ minLength: 20 }), fc.option(cleared)), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(results, fc.boolean(), (all, drops) => {
        const epoch = epochOn(seekerOf(session(all.map(([full]) => full)), "one"));
        const left = session(
          all.map(([full, clearing]) => clearing ?? full),
          "The date is another.",
        );
        const now = drops ? withoutThoughts(left) : left;
        const isSame = !drops && all.every(([, clearing]) => clearing === null);
        expect(mayReuse(epoch, seekerOf(now, "one"))).toBe(true);
        expect(mayReuse(epoch, seekerOf(now, "two"))).toBe(isSame);
        expect(mayReuse(epoch, seekerOf(now))).toBe(isSame);
      }),
    );
  });

  it("is not reused by its own session after a cleared result got other content", () => {
    const epoch = epochOn(seekerOf(session(["[cleared]", "b"]), "one"));
    expect(mayReuse(epoch, seekerOf(session(["[cleared]", "b"]), "one"))).toBe(true);
    expect(mayReuse(epoch, seekerOf(session(["a", "b"]), "one"))).toBe(false);
  });

  it("keeps content that was cleared before it continued an earlier epoch out of other sessions", () => {
    const base = epochOn(seekerOf(session(["secret"]), "one"));
    const now = session(["[cleared]", "b"]);
    const epoch = epochOn(seekerOf(now, "one"), { base });
    expect(mayReuse(epoch, seekerOf(now, "one"))).toBe(true);
    expect(mayReuse(epoch, seekerOf(session(["[cleared]", "[cleared]"]), "one"))).toBe(true);
    expect(mayReuse(epoch, seekerOf(session(["secret", "b"]), "one"))).toBe(true);
    expect(mayReuse(epoch, seekerOf(session(["other", "b"]), "one"))).toBe(false);
    for (const name of ["two", undefined]) expect(mayReuse(epoch, seekerOf(now, name))).toBe(false);
  });

  it("that continues an earlier one with the same content is shared like that one", () => {
    const base = epochOn(seekerOf(session(["a"]), "one"), { reads: "head" });
    const epoch = epochOn(seekerOf(session(["a", "b"]), "one"), { base });
    expect(epoch.evidence.head).toBe(base.evidence.head);
    expect(mayReuse(epoch, seekerOf(session(["a", "b"]), "two"))).toBe(true);
    expect(mayReuse(epoch, seekerOf(session(["a", "b"], "Another."), "two"))).toBe(false);
  });

  it("whose writer read the system prompt requires that prompt or its session", () => {
    const epoch = epochOn(seekerOf(session(["a"], "Monday."), "one"), { reads: "head" });
    expect(mayReuse(epoch, seekerOf(session(["a"], "Monday.")))).toBe(true);
    expect(mayReuse(epoch, seekerOf(session(["a"], "Tuesday.")))).toBe(false);
    expect(mayReuse(epoch, seekerOf(session(["a"], "Tuesday."), "one"))).toBe(true);
  });

  it("whose writer read the whole request requires all of its messages or its session", () => {
    const epoch = epochOn(seekerOf(session(["a", "b", "c"]), "one"), { messages: 3, reads: "request" });
    expect(mayReuse(epoch, seekerOf(session(["a", "b", "c", "d"])))).toBe(true);
    expect(mayReuse(epoch, seekerOf(session(["a", "b", "x", "d"])))).toBe(false);
    expect(mayReuse(epoch, seekerOf(session(["a", "b", "x"]), "one"))).toBe(true);
    expect(mayReuse(epoch, seekerOf(session(["x", "b", "c"]), "one"))).toBe(false);
  });
});

import {
  type Block,
  type Conversation,
  fingerprint,
  pureHash as hash,
  type Message,
} from "@longhaul/conversation/advanced";
import {
  makeAgentLoop,
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { condenseInSteps } from "../condense-in-steps.ts";
import { openDraft } from "../edits/draft.ts";
import { STRATEGIES } from "../registry.ts";
import { finish, makeContext, makePlan, shortAnswer } from "../testing/context.ts";
import { faultsIn } from "../testing/soundness.ts";
import { apply } from "./apply.ts";
import { PIN_MARKER, pinnedMessages, withPins } from "./pins.ts";
import type { Projection } from "./projection.ts";

/** A session of three parts; each ends with a message of the user. */
function makeSession(): { readonly whole: Conversation; readonly ends: readonly number[]; readonly rule: Message } {
  const rule = makeUser(`${PIN_MARKER} Never delete a migration, whatever happens.`);
  const parts = [0, 1, 2].map((part) => {
    const { messages } = makeAgentLoop(30, 800);
    const renamed = JSON.stringify(messages).replaceAll("call_", `call_${part}_`).replaceAll("file-", `file-${part}-`);
    const steps: Message[] = JSON.parse(renamed);
    return part === 0 ? [...steps.slice(0, 21), rule, ...steps.slice(21)] : steps;
  });
  const ends = parts.map((_, part) => parts.slice(0, part + 1).flat().length);
  return { whole: { ...makeAgentLoop(1), messages: parts.flat() }, ends, rule };
}

/** Returns the parts of a block that the model reads; a note may follow them. */
function partsOf(block: Block): readonly Block[] {
  return block.type === "tool-result" ? block.content : [block];
}

describe("a pinned message", () => {
  const { whole, ends, rule } = makeSession();
  const [call, result] = [whole.messages[9], whole.messages[10]];
  if (call === undefined || result === undefined) throw new Error("no messages");
  const pins = [fingerprint(result, hash)];
  const pinned = [call, result, rule];

  it.each(STRATEGIES.map((strategy) => [strategy.id, strategy] as const))(
    "survives three condensations with %s",
    (_, strategy) => {
      let continues: Projection | undefined;
      for (const end of ends) {
        const conversation = { ...whole, messages: whole.messages.slice(0, end) };
        const plan = { ...makePlan(strategy, 6_000), pins, ...(continues && { continues, sent: continues }) };
        const done = finish(condenseInSteps(conversation, plan), shortAnswer).result;
        const sent = done.conversation.messages.flatMap(({ blocks }) => blocks.map(partsOf)).flat();
        expect(sent).toEqual(expect.arrayContaining(pinned.flatMap(({ blocks }) => blocks.map(partsOf)).flat()));
        expect(faultsIn(conversation, done.conversation)).toEqual([]);
        if (strategy.isFinal !== true) expect(done.fits).toBe(true);
        continues = done.projection;
      }
    },
  );
});

describe("pinnedMessages", () => {
  const messages = [
    makeUser("the task"),
    makeAssistant([makeToolCall("a"), makeToolCall("b")]),
    makeUser(makeToolResult("a", "first")),
    makeUser(makeToolResult("b", "second")),
    makeAssistant(`I keep ${PIN_MARKER} in mind.`),
  ];
  const found = (pinned: readonly number[], budgetTokens = 1_000) =>
    pinnedMessages(messages, {
      ...makeContext(budgetTokens),
      pins: pinned.map((index) => fingerprint(messages[index] ?? makeUser(), hash)),
    });

  it("includes the calls and results that belong together", () => {
    expect(found([2]).indexes).toEqual([1, 2, 3]);
  });

  it("reads the marker only in the user's own text", () => {
    expect(found([]).indexes).toEqual([]);
    const marked = [...messages, makeUser(`Remember this. ${PIN_MARKER}`)];
    expect(pinnedMessages(marked, makeContext(1_000)).indexes).toEqual([5]);
  });

  it("takes up at most half of the target, the newest first", () => {
    const long = Array.from({ length: 4 }, (_, index) => makeUser(`${PIN_MARKER} ${index} ${"word ".repeat(100)}`));
    const { indexes, surplus } = pinnedMessages(long, makeContext(800));
    expect({ indexes, surplus }).toEqual({ indexes: [2, 3], surplus: 2 });
  });
});

describe("withPins", () => {
  const messages = [makeUser("the task"), makeAssistant("a"), makeUser("b"), makeAssistant("c"), makeUser("d")];
  const open = openDraft(makeConversation(messages));

  it("puts a message after the summary that replaced it", () => {
    const summary = { role: "user", parts: ["So far."] } as const;
    const edit = { kind: "replace", from: 1, to: 4, with: [summary], reason: "summarize" } as const;
    const draft = withPins(apply(open, [edit], { answers: [], hash }), { indexes: [2], tokens: 0, surplus: 0 });
    expect(draft.conversation.messages).toEqual([messages[0], makeUser("So far."), messages[2], messages[4]]);
  });

  it("returns the same draft if every pinned message is sent whole", () => {
    expect(withPins(open, { indexes: [2], tokens: 0, surplus: 0 })).toBe(open);
  });
});

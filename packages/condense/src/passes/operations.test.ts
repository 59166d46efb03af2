import { type Message, pureHash } from "@longhaul/conversation/advanced";
import {
  anyConversation,
  anyMessyConversation,
  makeAssistant,
  makeConversation,
  makeImage,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Content } from "../content/content.ts";
import { decompose } from "../content/contents.ts";
import { openDraft } from "../edits/draft.ts";
import { asksIn, type Edit } from "../edits/edit.ts";
import { apply } from "../rewrite/apply.ts";
import { makeCounter } from "../testing/context.ts";
import {
  editsOf,
  mergeSplices,
  type Operation,
  operationSchema,
  planOperation,
  planOperations,
  savingsUntil,
  spliceSaving,
  suppressMedia,
} from "./operations.ts";

const counter = makeCounter();
const LONG = "the quick brown fox jumps over the lazy dog\n".repeat(20);
const CALL = makeToolCall("c", { name: "write_file", input: { path: "src/a.ts", lines: 20, content: LONG } });
const MESSAGES = [
  makeUser("Write it."),
  makeAssistant(["I write the file.", CALL]),
  makeUser(makeToolResult("c", LONG)),
];

function run(messages: readonly Message[], operation: Operation, choose: (content: Content) => boolean) {
  const chosen = decompose(messages)
    .contents.filter(choose)
    .map((content) => ({ content, operation }));
  const edits = planOperations(chosen, counter);
  const answers = asksIn(edits).map(() => ({ kind: "text", text: "in short" }) as const);
  const draft = apply(openDraft(makeConversation(messages)), edits, { answers, hash: pureHash });
  return { edits, messages: draft.conversation.messages };
}

describe("keep", () => {
  it("plans nothing", () => {
    expect(run(MESSAGES, { operation: "keep" }, () => true)).toEqual({ edits: [], messages: MESSAGES });
  });
});

describe("suppress", () => {
  it("replaces a result with a mark that names it", () => {
    const { messages } = run(MESSAGES, { operation: "suppress" }, ({ level }) => level === "result");
    expect(messages).toEqual([
      MESSAGES[0],
      MESSAGES[1],
      makeUser(makeToolResult("c", "[20 lines of src/a.ts left out]")),
    ]);
  });

  it("replaces each long argument as a whole, and keeps the path and the keys", () => {
    const { messages } = run(MESSAGES, { operation: "suppress" }, ({ level }) => level === "parameters");
    const content = "[20 lines left out]";
    expect(messages[1]?.blocks[1]).toEqual({ ...CALL, input: { path: "src/a.ts", lines: 20, content } });
  });

  it("keeps a text that is barely longer than the mark", () => {
    expect(run(MESSAGES, { operation: "suppress" }, ({ level }) => level === "text").edits).toEqual([]);
  });

  it("keeps free-text arguments a text", () => {
    const messages = [makeAssistant(makeToolCall("c", { name: "patch", input: LONG })), makeUser(makeToolResult("c"))];
    const [assistant] = run(messages, { operation: "suppress" }, ({ level }) => level === "parameters").messages;
    expect(assistant?.blocks).toEqual([makeToolCall("c", { name: "patch", input: "[20 lines left out]" })]);
  });

  it("keeps the images of a result", () => {
    const image = makeImage();
    const messages = [
      makeAssistant(makeToolCall("c")),
      makeUser(makeToolResult("c", [{ type: "text", text: LONG }, image])),
    ];
    const [, user] = run(messages, { operation: "suppress" }, ({ level }) => level === "result").messages;
    expect(user?.blocks).toEqual([
      makeToolResult("c", [{ type: "text", text: "[20 lines of src/main.ts left out]" }, image]),
    ]);
  });
});

describe("suppressMedia", () => {
  it("drops images in results and keeps the user's own", () => {
    const message = makeUser([makeImage(), makeToolResult("c", [{ type: "text", text: "Seen." }, makeImage()])]);
    const edits = suppressMedia(message, 0);
    const draft = apply(openDraft(makeConversation([message])), edits, { answers: [], hash: pureHash });
    const result = makeToolResult("c", [
      { type: "text", text: "Seen." },
      { type: "text", text: "[image left out: image/png, 96 bytes]" },
    ]);
    expect(draft.conversation.messages).toEqual([makeUser([makeImage(), result])]);
  });
});

describe("truncate", () => {
  it("keeps the first lines and counts the others", () => {
    const { messages } = run(MESSAGES, { operation: "truncate", maxLines: 2 }, ({ level }) => level === "result");
    const line = "the quick brown fox jumps over the lazy dog";
    expect(messages[2]?.blocks).toEqual([makeToolResult("c", `${line}\n${line}\n[18 lines of src/a.ts left out]`)]);
  });

  it("replaces a long argument as a whole and keeps the rest of the object", () => {
    const { messages } = run(MESSAGES, { operation: "truncate", maxChars: 10 }, ({ level }) => level === "parameters");
    const content = "[20 lines left out]";
    expect(messages[1]?.blocks[1]).toEqual({ ...CALL, input: { path: "src/a.ts", lines: 20, content } });
  });

  it("keeps 500 characters by default", () => {
    const { edits } = run(MESSAGES, { operation: "truncate" }, ({ level }) => level === "result");
    expect(edits).toMatchObject([{ splices: [{ from: 500, to: LONG.length }] }]);
  });
});

describe("summarize", () => {
  it("asks about each content and marks the answer as a summary", () => {
    const { edits, messages } = run(
      MESSAGES,
      { operation: "summarize", maxTokens: 50 },
      ({ level }) => level === "result",
    );
    expect(asksIn(edits)).toMatchObject([{ messages: [makeUser(LONG)], maxTokens: 50 }]);
    expect(messages[2]?.blocks).toEqual([makeToolResult("c", "[Summary of 20 lines: in short]")]);
  });

  it("passes the prompt and the profile on", () => {
    const operation = { operation: "summarize", maxTokens: 50, prompt: "Only the names.", profile: "cheap" } as const;
    const { edits } = run(MESSAGES, operation, ({ level }) => level === "result");
    expect(asksIn(edits)).toMatchObject([
      { profile: "cheap", instructions: expect.stringMatching(/^Only the names\./) },
    ]);
  });
});

describe("mergeSplices", () => {
  const at = { message: 0, block: 0, path: [] };
  const first: Edit = { kind: "splice", at, splices: [{ from: 0, to: 1, text: "a" }], reason: "truncate" };
  const second: Edit = { kind: "splice", at: { ...at }, splices: [{ from: 4, to: 5, text: "b" }], reason: "truncate" };
  const elsewhere: Edit = { ...first, at: { ...at, path: [0] } };
  const other: Edit = { kind: "remove", at, reason: "drop" };

  it("joins all splices of one text in one edit, and keeps other edits", () => {
    const joined = {
      ...first,
      splices: [
        { from: 0, to: 1, text: "a" },
        { from: 4, to: 5, text: "b" },
      ],
    };
    expect(mergeSplices([first, other, elsewhere, second])).toEqual([joined, other, elsewhere]);
  });
});

describe("operationSchema", () => {
  it("fills in defaults", () => {
    expect(operationSchema.check({ operation: "summarize" })).toEqual({
      value: { operation: "summarize", maxTokens: 400 },
    });
  });

  it("rejects parameters of another operation", () => {
    expect(operationSchema.check({ operation: "suppress", maxLines: 3 })).toEqual({
      issues: [{ path: [], message: "has unknown fields: maxLines" }],
    });
  });
});

const anyOperation = fc.constantFrom<Operation>(
  { operation: "keep" },
  { operation: "suppress" },
  { operation: "truncate", maxLines: 2 },
  { operation: "truncate", maxChars: 7 },
  { operation: "summarize", maxTokens: 20 },
);

it("plans applicable edits for any operations on any contents", () => {
  fc.assert(
    fc.property(
      fc.oneof(anyConversation(), anyMessyConversation()),
      fc.infiniteStream(anyOperation),
      (conversation, operations) => {
        const chosen = decompose(conversation.messages).contents.map((content) => ({
          content,
          operation: operations.next().value,
        }));
        const edits = planOperations(chosen, counter);
        const answers = asksIn(edits).map(() => ({ kind: "text", text: "s" }) as const);
        const draft = apply(openDraft(conversation), edits, { answers, hash: pureHash });
        const calls = draft.conversation.messages
          .flatMap((message) => message.blocks)
          .filter((block) => block.type === "tool-call");
        const raw = conversation.messages
          .flatMap((message) => message.blocks)
          .filter((block) => block.type === "tool-call");
        expect(calls.map((call) => [call.id, call.name, typeof call.input])).toEqual(
          raw.map((call) => [call.id, call.name, typeof call.input]),
        );
      },
    ),
  );
});

it("never makes a content longer, whatever the length of the answer", () => {
  fc.assert(
    fc.property(anyConversation(), anyOperation, ({ messages }, operation) => {
      for (const content of decompose(messages).contents) {
        const edit = planOperation(content, operation, counter);
        if (edit?.kind !== "splice" || operation.operation === "summarize") continue;
        const gone = edit.splices.reduce((sum, splice) => sum + splice.to - splice.from, 0);
        const come = edit.splices.reduce((sum, { text }) => sum + (typeof text === "string" ? text.length : 0), 0);
        expect(come).toBeLessThan(gone);
      }
    }),
  );
});

const at = { message: 0, block: 0, path: [] };
const edit = (from: number): Edit => ({
  kind: "splice",
  at,
  splices: [{ from, to: from + 1, text: "" }],
  reason: "truncate",
});

describe("savingsUntil", () => {
  it("takes candidates in order until it is enough, and skips those that save nothing", () => {
    const asked: number[] = [];
    const savings = savingsUntil(10, [6, 0, -3, 5, 9], (tokens) => {
      asked.push(tokens);
      return { edit: edit(tokens), tokens };
    });
    expect(savings.map(({ tokens }) => tokens)).toEqual([6, 5]);
    expect(asked).toEqual([6, 0, -3, 5]);
  });

  it("takes nothing if nothing is over", () => {
    expect(savingsUntil(0, [1], () => ({ edit: edit(1), tokens: 1 }))).toEqual([]);
    expect(savingsUntil(5, [1], () => undefined)).toEqual([]);
  });
});

it("editsOf joins all splices of a text in one edit", () => {
  expect(editsOf([edit(1), edit(5)].map((of) => ({ edit: of, tokens: 1 })))).toMatchObject([
    { splices: [{ from: 1 }, { from: 5 }] },
  ]);
});

describe("spliceSaving", () => {
  const [content] = decompose(makeConversation([makeUser("x".repeat(100))]).messages).contents;

  it("counts the removed text minus its replacement", () => {
    const splice = { from: 20, to: 100, text: "four" };
    expect(content && spliceSaving(content, splice, makeCounter())).toEqual({
      edit: { kind: "splice", at, splices: [splice], reason: "truncate" },
      tokens: 19,
    });
  });

  it("returns undefined without a splice", () => {
    expect(content && spliceSaving(content, undefined, makeCounter())).toBeUndefined();
  });
});

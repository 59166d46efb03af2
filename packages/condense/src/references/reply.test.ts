import { LonghaulError, parseJsonText, type Reply, type StreamEvent } from "@longhaul/conversation/advanced";
import { makeText, makeThinking, makeToolCall, makeUsage } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KnownReferences } from "./known-references.ts";
import { expandReply, expandReplyStream } from "./reply.ts";

const TEXTS = new Map([
  ["[see #1 lines 1-2]", 'say "hi"\n\tand\\or "bye"'],
  ["[see #1 lines 1-20]", "twenty lines"],
  ['[See message #2 for bash echo "x" lines 3-4, unchanged]', "x\n多"],
]);
const references: KnownReferences = {
  expand: (reference) => TEXTS.get(reference),
  isPrefix: (text) => [...TEXTS.keys()].some((reference) => reference.startsWith(text)),
};
const expander = expandReplyStream(references);

function run(events: readonly StreamEvent[]): { out: StreamEvent[]; expansions: number } {
  let state = expander.start();
  const out: StreamEvent[] = [];
  for (const event of events) {
    const [next, seen] = expander.step(state, event);
    state = next;
    out.push(...seen);
  }
  return { out: [...out, ...expander.end(state)], expansions: state.expansions };
}

const textOf = (events: readonly StreamEvent[]) =>
  events
    .map((event) => (event.type === "text-delta" ? event.text : event.type === "tool-call-delta" ? event.json : ""))
    .join("");

/** Splits a text into deltas. */
function anyPieces(text: string): fc.Arbitrary<string[]> {
  return fc.uniqueArray(fc.integer({ min: 0, max: text.length }), { maxLength: 12 }).map((cuts) => {
    const points = [0, ...cuts.sort((a, b) => a - b), text.length];
    return points.slice(1).map((to, index) => text.slice(points[index], to));
  });
}

const anyWords = fc.array(
  fc.constantFrom(...TEXTS.keys(), "[", "[see #1 ", "[see #1 lines 1-", "words", "\n", '"', "\\", "]", "é"),
);
const expanded = (words: readonly string[]) => words.map((word) => TEXTS.get(word) ?? word).join("");
const copies = (words: readonly string[]) => words.filter((word) => TEXTS.has(word)).length;

describe("expandReplyStream", () => {
  it("expands references in text, however the stream is split", () => {
    fc.assert(
      fc.property(anyWords, fc.gen(), (words, gen) => {
        const deltas = gen(anyPieces, words.join("")).map(
          (text): StreamEvent => ({ type: "text-delta", index: 0, text }),
        );
        const { out, expansions } = run([{ type: "text-start", index: 0 }, ...deltas, { type: "text-end", index: 0 }]);
        expect(textOf(out)).toBe(expanded(words));
        expect(expansions).toBe(copies(words));
        expect(out.at(-1)).toEqual({ type: "text-end", index: 0 });
      }),
    );
  });

  it("expands references that are whole argument values, however the stream is split and characters are escaped", () => {
    fc.assert(
      fc.property(anyWords, fc.boolean(), fc.gen(), (words, isAscii, gen) => {
        const keyed = Object.fromEntries(words.map((word) => [word, word]));
        const value = { content: words.join(""), "[see #1 lines 1-2": [words, 1.5, null], keyed, last: [[], words] };
        const plain = JSON.stringify(value);
        const json = isAscii
          ? plain.replace(/[^ -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)
          : plain;
        const deltas = gen(anyPieces, json).map(
          (piece): StreamEvent => ({ type: "tool-call-delta", index: 1, json: piece }),
        );
        const start: StreamEvent = { type: "tool-call-start", index: 1, id: "c", name: "Write" };
        const { out, expansions } = run([start, ...deltas, { type: "tool-call-end", index: 1 }]);
        const whole = (word: string) => TEXTS.get(word) ?? word;
        const list = words.map(whole);
        expect(parseJsonText(textOf(out))).toEqual({
          content: whole(words.join("")),
          "[see #1 lines 1-2": [list, 1.5, null],
          keyed: Object.fromEntries(words.map((word) => [word, whole(word)])),
          last: [[], list],
        });
        expect(expansions).toBe(2 * copies(words) + copies([words.join("")]) + copies(Object.keys(keyed)));
        const call = { ...start, type: "tool-call", input: value } as const;
        const reply = {
          id: "r",
          model: "m",
          blocks: [makeToolCall("c", call)],
          stopReason: "end",
          usage: makeUsage(),
        } as const;
        expect(expandReply(reply, references).reply.blocks[0]).toMatchObject({ input: parseJsonText(textOf(out)) });
      }),
    );
  });

  it("releases text that cannot be a reference immediately", () => {
    const [state, out] = expander.step(expander.step(expander.start(), { type: "text-start", index: 0 })[0], {
      type: "text-delta",
      index: 0,
      text: "a [b and [see #1",
    });
    expect(textOf(out)).toBe("a [b and ");
    expect(textOf(expander.step(state, { type: "text-delta", index: 0, text: " x" })[1])).toBe("[see #1 x");
    expect(textOf(expander.step(state, { type: "text-delta", index: 0, text: " lines 1-2]" })[1])).toBe(
      TEXTS.get("[see #1 lines 1-2]"),
    );
  });

  it("keeps free text and undefined JSON escapes unchanged", () => {
    const call = (freeText: boolean): StreamEvent => ({
      type: "tool-call-start",
      index: 0,
      id: "c",
      name: "patch",
      freeText,
    });
    const delta = (json: string): StreamEvent => ({ type: "tool-call-delta", index: 0, json });
    const reference = "[see #1 lines 1-20]";
    const end: StreamEvent = { type: "tool-call-end", index: 0 };
    for (const text of [`"\\u005b${reference}"`, `${reference} `, ` ${reference}`, `${reference}${reference}`, ""]) {
      expect(textOf(run([call(true), delta(text), end]).out)).toBe(text);
    }
    expect(textOf(run([call(true), delta("[see #1 lines"), delta(" 1-20]"), end]).out)).toBe("twenty lines");
    expect(textOf(run([call(true), delta(reference)]).out)).toBe(reference);
    expect(textOf(run([call(false), delta('{"a":"\\x \\uzzzz \\u27"}')]).out)).toBe('{"a":"\\x \\uzzzz \\u27"}');
  });

  it("releases the held-back text when the reply ends or breaks off", () => {
    const events: StreamEvent[] = [
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: "see [see #1 lines" },
    ];
    const ends: StreamEvent[] = [
      { type: "reply-end", stopReason: "length", usage: makeUsage() },
      { type: "error", error: new LonghaulError("upstream.broken", "cut off") },
    ];
    for (const end of ends) {
      const { out } = run([...events, end]);
      expect(textOf(out)).toBe("see [see #1 lines");
      expect(out.at(-1)).toBe(end);
    }
    expect(textOf(run(events).out)).toBe("see [see #1 lines");
  });

  it("keeps parallel blocks apart, and passes other events through", () => {
    const thinking: StreamEvent = { type: "thinking-delta", index: 2, text: "[see #1 lines 1-2]" };
    const { out } = run([
      { type: "text-start", index: 0 },
      { type: "text-start", index: 1 },
      { type: "text-delta", index: 0, text: "[see #1" },
      { type: "text-delta", index: 1, text: " lines 1-2]" },
      thinking,
      { type: "text-delta", index: 0, text: " lines 1-20]" },
      { type: "ping" },
    ]);
    expect(out.filter((event) => event.type === "text-delta")).toEqual([
      { type: "text-delta", index: 1, text: " lines 1-2]" },
      { type: "text-delta", index: 0, text: "twenty lines" },
    ]);
    expect(out).toContain(thinking);
  });
});

describe("expandReply", () => {
  const reply: Reply = { id: "r", model: "m", blocks: [], stopReason: "end", usage: makeUsage() };

  it("expands references in text, and in arguments if they are whole values", () => {
    const reference = "[see #1 lines 1-20]";
    const thinking = makeThinking(reference);
    const call = makeToolCall("c", {
      input: { content: `a ${reference}`, edits: [{ new_string: reference }, 2], path: "x" },
    });
    const { reply: out, expansions } = expandReply(
      { ...reply, blocks: [thinking, makeText(`${reference}\n[see`), call] },
      references,
    );
    expect(expansions).toBe(2);
    expect(out.blocks).toEqual([
      thinking,
      makeText("twenty lines\n[see"),
      makeToolCall("c", {
        input: { content: `a ${reference}`, edits: [{ new_string: "twenty lines" }, 2], path: "x" },
      }),
    ]);
  });

  it("returns the identical reply without references", () => {
    const plain = { ...reply, blocks: [makeText("[see nothing]"), makeToolCall("c", { input: "free text" })] };
    expect(expandReply(plain, references)).toEqual({ reply: plain, expansions: 0 });
    expect(expandReply(plain, references).reply).toBe(plain);
  });
});

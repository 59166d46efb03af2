import {
  answerOffline,
  type Condensation,
  condenseInSteps,
  driveSync,
  exactBudget,
  type Projection,
  planCondensation,
  STRATEGIES,
} from "@longhaul/condense/advanced";
import {
  type Conversation,
  isJsonArray,
  isJsonObject,
  isUserAuthored,
  type JsonValue,
} from "@longhaul/conversation/advanced";
import { sha256 } from "@longhaul/fit";
import { makeTokenCounters } from "@longhaul/models";
import { codecNamed } from "@longhaul/wire";
import { describe, expect, it } from "vitest";
import { faultsIn } from "../../packages/condense/src/testing/soundness.ts";
import { makeCodingSession, TASK } from "./coding-session.ts";
import { WIRES } from "./formats.ts";

const SESSION = makeCodingSession(60);
const counter = await makeTokenCounters({ hash: sha256 }).counterFor("o200k");
const CONDENSING = STRATEGIES.filter(({ isFinal }) => isFinal !== true).map(({ id }) => id);

/** One entry of a body: everything that the model reads as one message. */
interface Entry {
  readonly role: string;
  readonly texts: readonly string[];
  readonly results: readonly string[];
  readonly calls: readonly JsonValue[];
}

describe.each(CONDENSING)("%s", (strategy) => {
  describe.each([0.5, 0.25, 0.1])("at %d of the tokens, condensed once and again", (share) => {
    const { raw, done, before } = condenseAgain(strategy, share);

    it("keeps tool pairs and the latest user message", () => {
      expect(faultsIn(raw, done.conversation)).toEqual([]);
    });

    describe.each(WIRES)("in %s", (wire) => {
      const entries = entriesOf(wire, raw, done);
      const inCalls = entries.flatMap(({ calls }) => calls.flatMap(stringsIn));
      const inText = entries.flatMap(({ texts, results }) => [...texts, ...results]);
      const marks = [...inText, ...inCalls].flatMap((text) => marksIn(text, before));
      const fromUser = entries.filter(({ role }) => role === "user");
      const users = fromUser.flatMap(({ texts }) => texts);

      it("keeps the task and the latest user message", () => {
        expect([strategy === "sliding-window" || users.includes(TASK), users.includes(latestText(raw))]).toEqual([
          true,
          true,
        ]);
      });

      it("has at most one note, and none in the user's name", () => {
        const notes = [...inText, ...inCalls].flatMap((text) => text.split(NOTE_START).slice(1));
        // Strategies that summarize everything they leave out need no note.
        expect([SUMMARIZING.has(strategy) ? 0 : 1, 1]).toContain(notes.length);
        expect(fromUser.filter((entry) => isOnlyMarks(entry, before))).toEqual([]);
      });

      it("has notes and marks in results or after earlier words of the user, never in the place of an instruction", () => {
        const latest = fromUser.findLastIndex(({ texts }) => texts.some((text) => before.includes(text)));
        for (const [index, { texts }] of fromUser.entries()) {
          const added = texts.findIndex((text) => isOurs(text, before));
          if (added < 0) continue;
          expect([texts.slice(0, added).some((text) => before.includes(text)), index < latest]).toEqual([true, true]);
        }
        // A part of its own: never in one text with words of the user.
        expect(users.filter((text) => !isOurs(text, before) && GAP.test(text))).toEqual([]);
        const last = entries.at(-1);
        expect(last?.role === "tool" ? [] : last?.texts.filter((text) => isOurs(text, before))).toEqual([]);
        expect(
          entries.filter(({ role, texts }) => role === "system" && texts.some((text) => isOurs(text, before))),
        ).toEqual([]);
      });

      it("keeps an argument of a call or replaces its whole value", () => {
        expect(inCalls.filter((text) => isCut(text, before))).toEqual([]);
      });

      it("marks omissions with short ASCII texts that name no message by its number", () => {
        expect(marks.filter((mark) => /#\d|message \d|[^ -~]/i.test(mark))).toEqual([]);
        expect([...inText, ...inCalls].flatMap((text) => text.match(/⟨[^⟩]*⟩/g) ?? [])).toEqual([]);
        const omissions = marks.filter((mark) => !REFERENCE.test(mark));
        const tokens = sum(omissions.map((mark) => counter.countText(mark)));
        expect(tokens / counter.countConversation(done.conversation)).toBeLessThan(markShare(strategy, share));
      });
    });
  });
});

const NOTE_START = "[Note from Longhaul";
const GAP = /\[(?:Note from Longhaul|\d[\d,]* messages? left out)/;
const SUMMARIZING: ReadonlySet<string> = new Set(["native", "sandwich", "tree-summary"]);
const REFERENCE = /^\[same (?:as|content as|output as) /;

/** Strategies that shorten each result by itself, with a mark in each. */
const MARKING: ReadonlySet<string> = new Set(["middle-out", "sliding-window", "truncation", "lossless"]);

/** Largest share of the tokens for the note and for marks. The smallest results have 2,000 tokens, and the note alone takes 50 of them. */
function markShare(strategy: string, share: number): number {
  if (!MARKING.has(strategy)) return 0.02;
  return share < 0.25 ? 0.07 : share < 0.5 ? 0.04 : 0.015;
}

/** Condenses the session after 40%, 60% and 80% of its messages and at its end, each time from the last result. */
function condenseAgain(strategy: string, share: number): { raw: Conversation; done: Condensation; before: string } {
  let continues: Projection | undefined;
  let done: Condensation | undefined;
  for (const part of [0.4, 0.6, 0.8, 1]) {
    const raw = { ...SESSION, messages: SESSION.messages.slice(0, Math.trunc(SESSION.messages.length * part)) };
    const tokens = Math.floor(share * counter.countConversation(raw));
    const plan = planCondensation({ strategy, windowTokens: tokens, budget: exactBudget(tokens) });
    const earlier = continues === undefined ? {} : { continues, sent: continues };
    done = driveSync(condenseInSteps(raw, { ...plan, counter, hash: sha256, ...earlier }), (ask) =>
      answerOffline(ask, counter),
    );
    continues = done.projection;
  }
  if (done === undefined) throw new Error("nothing was condensed");
  return { raw: SESSION, done, before: stringsIn(JSON.parse(JSON.stringify(SESSION.messages))).join("\n") };
}

function latestText({ messages }: Conversation): string {
  const latest = messages.findLast(isUserAuthored);
  return latest?.blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("") ?? "";
}

/** Reads what the model is given from the body that is sent, by the rules of its format. */
function entriesOf(
  wire: string,
  { system, tools }: Conversation,
  { conversation: { messages } }: Condensation,
): Entry[] {
  const request = { model: "m", conversation: { system, tools, messages }, stream: false, sampling: {} };
  const { body } = codecNamed(wire).encodeRequest(request, { model: "m" });
  const list = [body.messages ?? [], body.input ?? [], body.contents ?? []].flatMap((value) =>
    isJsonArray(value) ? value : [],
  );
  return list.flatMap((value) => (isJsonObject(value) ? [entryOf(value)] : []));
}

function entryOf(value: { readonly [key: string]: JsonValue }): Entry {
  const content = [value.content ?? value.parts ?? value.output ?? []].flat();
  const parts = content.filter(isJsonObject);
  const plain = content.filter((part) => typeof part === "string");
  const isResult = value.role === "tool" || value.type === "function_call_output";
  const texts = [...plain, ...parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []))];
  const answers = parts.flatMap((part) =>
    part.type === "tool_result" ? stringsIn(part.content ?? "") : stringsIn(part.functionResponse ?? ""),
  );
  return {
    role: isResult ? "tool" : typeof value.role === "string" ? value.role : "assistant",
    texts: isResult ? [] : texts,
    results: isResult ? texts : answers,
    calls: [
      ...[value.tool_calls ?? []].flat().flatMap(argumentsIn),
      ...(value.type === "function_call" ? argumentsIn(value) : []),
      ...parts.flatMap((part) => (part.type === "tool_use" ? [part.input ?? {}] : argumentsIn(part))),
    ],
  };
}

/** Arguments of a call that a format writes as JSON text or as an object. */
function argumentsIn(value: JsonValue): JsonValue[] {
  if (!isJsonObject(value)) return [];
  const call = [value.function ?? 0, value.functionCall ?? 0, value].find(isJsonObject) ?? {};
  const written = call.arguments ?? call.args;
  if (written === undefined) return [];
  return [typeof written === "string" ? (JSON.parse(written) as JsonValue) : written];
}

function stringsIn(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** Texts in brackets that are not from the conversation. A summary does not count as a mark, even if it has only one line. */
function marksIn(text: string, before: string): string[] {
  return [...text.matchAll(/\[(?!Earlier conversation summary: )[^[\]\n]*\]/g)]
    .map(([mark]) => mark)
    .filter((mark) => !before.includes(mark));
}

/** Whether a mark replaces a part of an argument instead of the whole value. */
function isCut(text: string, before: string): boolean {
  return marksIn(text, before).some((mark) => mark !== text);
}

/** Whether a text is the note, or consists of marks alone. */
function isOurs(text: string, before: string): boolean {
  if (text.startsWith(NOTE_START)) return true;
  const marks = marksIn(text, before);
  return marks.length > 0 && marks.reduce((left, mark) => left.replace(mark, ""), text).trim() === "";
}

/** Whether a message consists of marks alone, as if the user had written them. */
function isOnlyMarks({ texts, results }: Entry, before: string): boolean {
  return results.length === 0 && texts.length > 0 && texts.every((text) => isOurs(text, before));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

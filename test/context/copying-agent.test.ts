import type { JsonValue } from "@longhaul/conversation";
import type { SimulatorOptions } from "@longhaul/simulator";
import { codecNamed } from "@longhaul/wire";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeCodingSession } from "./coding-session.ts";
import { replyIn, send, WIRES } from "./formats.ts";
import { MODEL, openRig } from "./rig.ts";

const SESSION = makeCodingSession(40);
const RAW = stringsIn(JSON.parse(JSON.stringify(SESSION.messages)));
const REFERENCE = /^\[same (?:as|content as|output as) /;

/** Formats without a field for tool errors have this text instead. */
const ERROR_TEXT = "[The tool reported an error]";

type Script = NonNullable<SimulatorOptions["script"]>;

/** Every text in brackets, and every line of dots in parentheses, that the model reads but the client did not send, except values in JSON. */
function marksIn(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => text.match(/\[[^[\]\n]*\]|^\(\.\.\.\)$/gm) ?? []);
  const isOwn = (mark: string) => mark === ERROR_TEXT || RAW.some((text) => text.includes(mark));
  return [...new Set(found)].filter((mark) => !mark.startsWith("[{") && !isOwn(mark));
}

/** A model that writes each mark it reads into a file of its own, as the whole value and inside a longer one. */
function copyingModel(): { script: Script; copied: string[] } {
  const copied: string[] = [];
  const script: Script = ({ turns }) => {
    copied.push(...marksIn(turns.flatMap(({ texts }) => texts)));
    const calls = copied.flatMap((mark) => [
      { name: "write", input: { path: "whole.ts", content: mark } },
      { name: "write", input: { path: "inside.ts", content: `before ${mark} after` } },
    ]);
    return { calls, times: 1_000 };
  };
  return { script, copied };
}

const OTHERS = WIRES.filter((wire) => wire !== "anthropic-messages");

describe.each([
  ...["smart", "lossless", "truncation", "middle-out"].map((strategy) => [strategy, "anthropic-messages"]),
  ...OTHERS.map((wire) => ["lossless", wire]),
])("an agent that copies marks into tool calls, with %s, for a client of %s", (strategy, wire) => {
  it.each([false, true])("gets references written out and all other marks unchanged (stream: %s)", async (isStream) => {
    const { script, copied } = copyingModel();
    const rig = await openRig({ window: 30_000, maxOutput: 16_000, context: { strategy }, simulator: { script } });
    onTestFinished(rig.close);
    const { messages } = SESSION;
    const request = { model: MODEL, conversation: SESSION, stream: isStream, sampling: {} };
    const { tools } = codecNamed(wire).encodeRequest(request, { model: MODEL }).body;
    const fields = { tools };
    const answer = await send(rig, {
      model: MODEL,
      wire,
      messages,
      isStream,
      maxOutputTokens: 16_000,
      fields,
    });
    expect(answer.status, answer.bytes.slice(0, 500)).toBe(200);
    const inputs = replyIn(wire, isStream, answer.bytes).blocks.flatMap((block) =>
      block.type === "tool-call" ? [block.input] : [],
    );
    const values = inputs.map((input) => stringsIn(input)[1] ?? "");
    expect(copied.some((mark) => REFERENCE.test(mark) === (strategy === "lossless"))).toBe(true);
    // A reference that is a whole value is written out; every other copy reaches the client and is counted.
    const references = copied.filter((mark) => REFERENCE.test(mark)).length;
    const [finished] = rig.log().filter(({ msg }) => msg === "request finished");
    const short = copied.filter((mark) => mark === "(...)").length;
    expect(finished?.copiedMarks, copied.join("\n")).toBe(2 * copied.length - references - short);
    for (const [index, mark] of copied.entries()) {
      const [whole = "", inside] = values.slice(2 * index);
      expect(inside).toBe(`before ${mark} after`);
      if (REFERENCE.test(mark))
        expect([mark, RAW.some((text) => bare(text).includes(bare(whole)))]).toEqual([mark, true]);
      else expect(whole).toBe(mark);
    }
  });
});

/** Removes the numbers that a tool puts before lines. */
function bare(text: string): string {
  return text.replace(/^ *\d+\t/gm, "");
}

function stringsIn(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

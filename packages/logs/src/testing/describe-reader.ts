import {
  type Block,
  type JsonObject,
  LonghaulError,
  type Message,
  textMessage,
  toolPairs,
  type Usage,
} from "@longhaul/conversation";
import { makeUsage } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openLog } from "../read-log.ts";
import { type LogReading, promptMessages } from "../reading/reading.ts";
import { anyDamage, anyJunk, isJunk } from "./damage.ts";
import { anyScript, type Script, saidBy, saidIn } from "./script.ts";

/** A reader, and a writer of its format to try it with. */
export interface ReaderCase {
  readonly name: string;
  readonly read: (text: string) => LogReading;
  /** Chooses among all readers. */
  readonly readAny: (text: string) => LogReading;
  /** The entries that a client would log of a session. */
  readonly write: (script: Script) => readonly JsonObject[];
  /** One entry per line, or one list of entries. */
  readonly layout: "lines" | "list";
  /** What stands around the list of entries, where it is not the whole document. */
  readonly wrap?: (list: string) => string;
  /** How the format spells the block that nobody has heard of. @default `UNKNOWN_BLOCK` */
  readonly unknownBlock?: JsonObject;
  /** Whether the format says what a call used. */
  readonly recordsUsage: boolean;
  /** Whether it tells what was written to the cache from the rest of the prompt. @default true */
  readonly recordsCacheWrites?: boolean;
}

/** What every reader keeps to. */
export function describeReader(reader: ReaderCase): void {
  const { read, readAny, write } = reader;
  const logOf = (script: Script) => render(reader, write(script).map(spell));

  describe(`the reader of ${reader.name}, like every reader`, () => {
    it("gives back what was said, in order", () => {
      fc.assert(
        fc.property(anyScript(), (script) => {
          expect(says(read(logOf(script)))).toEqual(saidIn(script));
        }),
      );
    });

    it("is the one that is chosen for its own logs", () => {
      fc.assert(
        fc.property(anyScript(), (script) => {
          expect(readAny(logOf(script))).toEqual(read(logOf(script)));
        }),
      );
    });

    it("joins every tool call with its result", () => {
      const claim = (script: Script) => {
        const { pairs, orphans } = toolPairs(read(logOf(script)).conversation.messages);
        const calls = script.flatMap((step) => (step.kind === "reply" ? step.calls : []));
        expect(pairs.filter((pair) => pair.result !== undefined)).toHaveLength(calls.length);
        expect(orphans).toEqual([]);
      };
      fc.assert(fc.property(anyScript(), claim));
    });

    it("finds one call for each reply, and what had been said before it as its prompt", () => {
      const claim = (script: Script) => {
        const reading = read(logOf(script));
        const replies = script.flatMap((step, index) => (step.kind === "reply" ? [index] : []));
        expect(reading.calls.map((call) => saidBy(promptMessages(reading, call)))).toEqual(
          replies.map((index) => saidIn(script.slice(0, index))),
        );
        expect(reading.calls.map((call) => saidBy([reading.conversation.messages[call.reply!]!]))).toEqual(
          replies.map((index) => saidIn(script.slice(index, index + 1))),
        );
      };
      fc.assert(fc.property(anyScript(), claim));
    });

    it(reader.recordsUsage ? "counts the usage of each call once" : "makes up no usage", () => {
      const claim = (script: Script) => {
        const usages = script.flatMap((step) => (step.kind === "reply" ? step.usage : []));
        const recorded = usages.map((usage) => (reader.recordsUsage ? recordedUsage(reader, usage) : undefined));
        const { calls, sideCalls } = read(logOf(script));
        expect(calls.map((call) => call.usage)).toEqual(recorded);
        expect(sideCalls).toEqual([]);
      };
      fc.assert(fc.property(anyScript(), claim));
    });

    it("keeps a block that nobody has heard of, whole", () => {
      expect(says(read(logOf(WITH_UNKNOWN_BLOCK)))).toEqual(saidIn(WITH_UNKNOWN_BLOCK, reader.unknownBlock));
    });

    it("does not stumble over a block that is nested without end", () => {
      const deep = `"depth":${"[".repeat(100_000)}${"]".repeat(100_000)}`;
      const reading = read(logOf(WITH_UNKNOWN_BLOCK).replace('"depth":3', deep));
      expect(reading.conversation.messages[1]?.blocks.map(({ type }) => type)).toEqual(["text", "opaque"]);
    });

    it("reports a broken entry with its number and skips it", () => {
      const claim = (script: Script, place: number) => {
        const entries = write(script).map(spell);
        const at = place % (entries.length + 1);
        const broken = read(render(reader, entries.toSpliced(at, 0, BROKEN[reader.layout])));
        expect(broken.warnings.map(({ line }) => line)).toEqual([at + 1]);
        expect(says(broken)).toEqual(saidIn(script));
      };
      fc.assert(fc.property(anyScript(), fc.nat(), claim));
    });

    it("reads what is readable among junk, and reports every piece of it", () => {
      const claim = (script: Script, junk: readonly [number, string][]) => {
        const entries = write(script).map(spell);
        for (const [place, piece] of junk) entries.splice(place % (entries.length + 1), 0, piece);
        const reading = read(render(reader, entries));
        expect(says(reading)).toEqual(saidIn(script));
        const places = [...entries.keys()].filter((at) => isJunk(entries[at]!)).map((at) => at + 1);
        expect(reading.warnings.map(({ line }) => line)).toEqual(places);
      };
      fc.assert(fc.property(anyScript(), fc.array(fc.tuple(fc.nat(), anyJunk(reader.layout))), claim));
    });

    it("writes a log that says the same, and is taken for one of its own again", () => {
      const claim = (script: Script) => {
        const { reading, write: writeAgain } = openLog(logOf(script));
        const again = readAny(writeAgain(reading.conversation));
        expect([again.format, says(again), again.warnings]).toEqual([reading.format, saidIn(script), []]);
        expect(again.conversation.system).toEqual(reading.conversation.system);
      };
      fc.assert(fc.property(anyScript(), claim));
    });

    it("writes what was condensed in its own words", () => {
      const claim = (script: Script) => {
        const { reading, write: writeAgain } = openLog(logOf(script));
        const { conversation } = reading;
        const made = [textMessage("user", "So far:"), ...conversation.messages.map(withoutNative)];
        const again = readAny(writeAgain({ ...conversation, messages: made }));
        expect([again.format, says(again)]).toEqual([reading.format, [["user", "text", "So far:"], ...saidIn(script)]]);
      };
      fc.assert(fc.property(anyScript(), claim));
    });

    it("reads the same text the same way twice", () => {
      fc.assert(
        fc.property(anyScript(), (script) => {
          expect(read(logOf(script))).toEqual(read(logOf(script)));
        }),
      );
    });

    it.each(["", " \n ", "no log at all", "17", "{}", "[]", '{"a":1}\n{"b":2}'])("refuses %j by name", (text) => {
      expect(() => read(text)).toThrow(expect.objectContaining({ code: "log.unreadable" }));
    });

    it("gives a sound reading or the named error for any text", () => {
      const damaged = anyScript().chain((script) => anyDamage(write(script), (entries) => render(reader, entries)));
      fc.assert(
        fc.property(fc.oneof(fc.string(), fc.json(), damaged), (text) => {
          expectSoundOrRefused(reader, text);
        }),
      );
    });
  });
}

const BROKEN = { lines: '{"type":"user","message":{"ro', list: "17" };

const WITH_UNKNOWN_BLOCK: Script = [
  { kind: "user", text: "Show me." },
  { kind: "reply", text: "Look:", calls: [], usage: makeUsage(), hasUnknownBlock: true },
];

/** A message as if an edit had made it. */
function withoutNative({ role, blocks }: Message): Message {
  return { role, blocks: blocks.map(({ native: _native, ...block }) => block as Block) };
}

function says(reading: LogReading): unknown[] {
  return saidBy(reading.conversation.messages);
}

function recordedUsage({ recordsCacheWrites = true }: ReaderCase, usage: Usage): Usage {
  if (recordsCacheWrites) return usage;
  return { ...usage, inputTokens: usage.inputTokens + usage.cacheWriteTokens, cacheWriteTokens: 0 };
}

function render({ layout, wrap = (list) => list }: ReaderCase, entries: readonly string[]): string {
  return layout === "lines" ? entries.join("\n") : wrap(`[${entries.join(",\n")}]`);
}

function spell(entry: JsonObject): string {
  return JSON.stringify(entry);
}

function expectSoundOrRefused({ read }: ReaderCase, text: string): void {
  let reading: LogReading;
  try {
    reading = read(text);
  } catch (error) {
    expect(error).toBeInstanceOf(LonghaulError);
    expect(error).toMatchObject({ code: "log.unreadable" });
    return;
  }
  const { length } = reading.conversation.messages;
  for (const { prompt, reply } of reading.calls) {
    expect(prompt.from).toBeLessThanOrEqual(prompt.to);
    expect(prompt.to).toBeLessThanOrEqual(length);
    if (reply !== undefined) expect(reading.conversation.messages[reply]?.role).toBe("assistant");
  }
}

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
import { anyScript, messageBlocks, type Script, scriptBlocks } from "./script.ts";

/** A reader, and a writer of its format to test it with. */
export interface ReaderCase {
  readonly name: string;
  readonly read: (text: string) => LogReading;
  /** Reads with format detection. */
  readonly readAny: (text: string) => LogReading;
  /** Writes the entries that a client would log. */
  readonly write: (script: Script) => readonly JsonObject[];
  /** One entry per line, or one list of entries. */
  readonly layout: "lines" | "list";
  /** Wraps the list of entries in a document. @default the list itself */
  readonly wrap?: (list: string) => string;
  /** The unknown block in this format. @default `UNKNOWN_BLOCK` */
  readonly unknownBlock?: JsonObject;
  /** Whether the format records usage. */
  readonly recordsUsage: boolean;
  /** Whether the format records cache writes separately. @default true */
  readonly recordsCacheWrites?: boolean;
}

export function describeReader(reader: ReaderCase): void {
  const { read, readAny, write } = reader;
  const logOf = (script: Script) =>
    render(
      reader,
      write(script).map((entry) => JSON.stringify(entry)),
    );

  describe(`the reader of ${reader.name}, like every reader`, () => {
    it("returns the content in order", () => {
      fc.assert(
        fc.property(anyScript(), (script) => {
          expect(readingBlocks(read(logOf(script)))).toEqual(scriptBlocks(script));
        }),
      );
    });

    it("is selected for its own logs", () => {
      fc.assert(
        fc.property(anyScript(), (script) => {
          expect(readAny(logOf(script))).toEqual(read(logOf(script)));
        }),
      );
    });

    it("pairs every tool call with its result", () => {
      const claim = (script: Script) => {
        const { pairs, orphans } = toolPairs(read(logOf(script)).conversation.messages);
        const calls = script.flatMap((step) => (step.kind === "reply" ? step.calls : []));
        expect(pairs.filter((pair) => pair.result !== undefined)).toHaveLength(calls.length);
        expect(orphans).toEqual([]);
      };
      fc.assert(fc.property(anyScript(), claim));
    });

    it("returns one call per reply with everything before it as the prompt", () => {
      const claim = (script: Script) => {
        const reading = read(logOf(script));
        const replies = script.flatMap((step, index) => (step.kind === "reply" ? [index] : []));
        expect(reading.calls.map((call) => messageBlocks(promptMessages(reading, call)))).toEqual(
          replies.map((index) => scriptBlocks(script.slice(0, index))),
        );
        expect(reading.calls.map((call) => messageBlocks([reading.conversation.messages[call.reply!]!]))).toEqual(
          replies.map((index) => scriptBlocks(script.slice(index, index + 1))),
        );
      };
      fc.assert(fc.property(anyScript(), claim));
    });

    it(reader.recordsUsage ? "counts the usage of each call once" : "returns no usage", () => {
      const claim = (script: Script) => {
        const usages = script.flatMap((step) => (step.kind === "reply" ? step.usage : []));
        const recorded = usages.map((usage) => (reader.recordsUsage ? recordedUsage(reader, usage) : undefined));
        const { calls, sideCalls } = read(logOf(script));
        expect(calls.map((call) => call.usage)).toEqual(recorded);
        expect(sideCalls).toEqual([]);
      };
      fc.assert(fc.property(anyScript(), claim));
    });

    it("keeps an unknown block", () => {
      expect(readingBlocks(read(logOf(WITH_UNKNOWN_BLOCK)))).toEqual(
        scriptBlocks(WITH_UNKNOWN_BLOCK, reader.unknownBlock),
      );
    });

    it("reads a log with a block that is nested too deeply", () => {
      const deep = `"depth":${"[".repeat(100_000)}${"]".repeat(100_000)}`;
      const reading = read(logOf(WITH_UNKNOWN_BLOCK).replace('"depth":3', deep));
      expect(reading.conversation.messages[1]?.blocks.map(({ type }) => type)).toEqual(["text", "opaque"]);
    });

    it("skips a broken entry with a warning that has its number", () => {
      const claim = (script: Script, place: number) => {
        const entries = write(script).map((entry) => JSON.stringify(entry));
        const at = place % (entries.length + 1);
        const broken = read(render(reader, entries.toSpliced(at, 0, BROKEN[reader.layout])));
        expect(broken.warnings.map(({ line }) => line)).toEqual([at + 1]);
        expect(readingBlocks(broken)).toEqual(scriptBlocks(script));
      };
      fc.assert(fc.property(anyScript(), fc.nat(), claim));
    });

    it("reads valid entries among junk and warns about every piece of it", () => {
      const claim = (script: Script, junk: readonly [number, string][]) => {
        const entries = write(script).map((entry) => JSON.stringify(entry));
        for (const [place, piece] of junk) entries.splice(place % (entries.length + 1), 0, piece);
        const reading = read(render(reader, entries));
        expect(readingBlocks(reading)).toEqual(scriptBlocks(script));
        const places = [...entries.keys()].filter((at) => isJunk(entries[at]!)).map((at) => at + 1);
        expect(reading.warnings.map(({ line }) => line)).toEqual(places);
      };
      fc.assert(fc.property(anyScript(), fc.array(fc.tuple(fc.nat(), anyJunk(reader.layout))), claim));
    });

    it("writes a log with the same content that is detected as its own format", () => {
      const claim = (script: Script) => {
        const { reading, write: writeAgain } = openLog(logOf(script));
        const again = readAny(writeAgain(reading.conversation));
        expect([again.format, readingBlocks(again), again.warnings]).toEqual([
          reading.format,
          scriptBlocks(script),
          [],
        ]);
        expect(again.conversation.system).toEqual(reading.conversation.system);
      };
      fc.assert(fc.property(anyScript(), claim));
    });

    it("writes changed messages in its own format", () => {
      const claim = (script: Script) => {
        const { reading, write: writeAgain } = openLog(logOf(script));
        const { conversation } = reading;
        const made = [textMessage("user", "So far:"), ...conversation.messages.map(withoutNative)];
        const again = readAny(writeAgain({ ...conversation, messages: made }));
        expect([again.format, readingBlocks(again)]).toEqual([
          reading.format,
          [["user", "text", "So far:"], ...scriptBlocks(script)],
        ]);
      };
      fc.assert(fc.property(anyScript(), claim));
    });

    it("reads the same text twice with the same result", () => {
      fc.assert(
        fc.property(anyScript(), (script) => {
          expect(read(logOf(script))).toEqual(read(logOf(script)));
        }),
      );
    });

    it.each(["", " \n ", "no log at all", "17", "{}", "[]", '{"a":1}\n{"b":2}'])(
      "throws log.unreadable for %j",
      (text) => {
        expect(() => read(text)).toThrow(expect.objectContaining({ code: "log.unreadable" }));
      },
    );

    it("returns a valid reading or throws log.unreadable for any text", () => {
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

/** Returns a message without native values, like an edited one. */
function withoutNative({ role, blocks }: Message): Message {
  return { role, blocks: blocks.map(({ native: _native, ...block }) => block as Block) };
}

function readingBlocks(reading: LogReading): unknown[] {
  return messageBlocks(reading.conversation.messages);
}

function recordedUsage({ recordsCacheWrites = true }: ReaderCase, usage: Usage): Usage {
  if (recordsCacheWrites) return usage;
  return { ...usage, inputTokens: usage.inputTokens + usage.cacheWriteTokens, cacheWriteTokens: 0 };
}

function render({ layout, wrap = (list) => list }: ReaderCase, entries: readonly string[]): string {
  return layout === "lines" ? entries.join("\n") : wrap(`[${entries.join(",\n")}]`);
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

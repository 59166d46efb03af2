import fc from "fast-check";
import type {
  Block,
  CacheMark,
  CompactionBlock,
  DocumentBlock,
  ImageBlock,
  MediaSource,
  OpaqueBlock,
  RedactedThinkingBlock,
  ResultBlock,
  TextBlock,
  ThinkingBlock,
  ToolCallBlock,
  ToolResultBlock,
} from "../block.ts";
import type { JsonValue } from "../values/json.ts";
import { anyBase64, anyPath, anyText } from "./any-text.ts";
import { makeOpaque, PIXEL_PNG } from "./make.ts";

/** Any JSON value of at most three levels. */
export function anyJson(): fc.Arbitrary<JsonValue> {
  return fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));
}

/** A block of any type. Ids are arbitrary: calls and results do not match. */
export function anyBlock(): fc.Arbitrary<Block> {
  return fc.oneof<fc.Arbitrary<Block>[]>(
    anyTextBlock(),
    anyImage(),
    anyDocument(),
    anyToolCall(),
    anyToolResult(),
    anyThinking(),
    anyRedactedThinking(),
    anyCompaction(),
    anyOpaque(),
  );
}

/** A text block, sometimes with a cache mark. */
export function anyTextBlock(): fc.Arbitrary<TextBlock> {
  return marked(fc.record({ type: fc.constant("text" as const), text: anyText() }));
}

/** An image from bytes, a URL or a file id. */
export function anyImage(): fc.Arbitrary<ImageBlock> {
  return marked(
    fc.record(
      {
        type: fc.constant("image" as const),
        source: anySource("image/png"),
        detail: fc.constantFrom("low" as const, "high" as const, "auto" as const),
      },
      { requiredKeys: ["type", "source"] },
    ),
  );
}

/** A PDF or a plain-text document. */
export function anyDocument(): fc.Arbitrary<DocumentBlock> {
  const source = fc.oneof(
    anySource("application/pdf"),
    anyText().map((text) => ({ kind: "text" as const, text })),
  );
  return marked(
    fc.record(
      {
        type: fc.constant("document" as const),
        source,
        title: fc.constantFrom("Plan", "仕様書"),
        context: fc.constant("The user's notes."),
      },
      { requiredKeys: ["type", "source"] },
    ),
  );
}

/** Tools by name, with generators for their inputs. */
export const TOOL_INPUTS = {
  read_file: anyPath().map((path) => ({ path })),
  edit_file: fc.record({ path: anyPath(), find: anyText(), replace: anyText() }),
  run_command: fc.constantFrom("npm test", "git status", "ls -la").map((command) => ({ command })),
  list_todos: fc.constant({}),
} as const;

/** Name of a tool in `TOOL_INPUTS`. */
export type ToolName = keyof typeof TOOL_INPUTS;

/** A call of one of the tools in `TOOL_INPUTS`. */
export function anyToolCall(id: fc.Arbitrary<string> = anyCallId()): fc.Arbitrary<ToolCallBlock> {
  const names: ToolName[] = ["read_file", "edit_file", "run_command", "list_todos"];
  return marked(
    fc.constantFrom(...names).chain((name) =>
      fc.record({
        type: fc.constant("tool-call" as const),
        id,
        name: fc.constant(name),
        input: fc.oneof<fc.Arbitrary<JsonValue>[]>(TOOL_INPUTS[name]),
      }),
    ),
  );
}

/** A tool result with text, images or nothing, successful or not. */
export function anyToolResult(callId: fc.Arbitrary<string> = anyCallId()): fc.Arbitrary<ToolResultBlock> {
  return marked(
    fc.record({
      type: fc.constant("tool-result" as const),
      callId,
      content: fc.array(anyResultBlock(), { maxLength: 3 }),
      isError: fc.boolean(),
    }),
  );
}

function anyResultBlock(): fc.Arbitrary<ResultBlock> {
  return fc.oneof<fc.WeightedArbitrary<ResultBlock>[]>(
    { weight: 6, arbitrary: anyTextBlock() },
    { weight: 1, arbitrary: anyImage() },
    { weight: 1, arbitrary: anyDocument() },
    { weight: 1, arbitrary: anyOpaque() },
  );
}

/** Signed thinking. Newer models send the signature with an empty text. */
export function anyThinking(): fc.Arbitrary<ThinkingBlock> {
  return fc.record({
    type: fc.constant("thinking" as const),
    text: fc.oneof({ weight: 4, arbitrary: anyText() }, { weight: 1, arbitrary: fc.constant("") }),
    signature: anyBase64(),
    vendor: fc.constant("anthropic"),
  });
}

/** Thinking that only its vendor can read. */
export function anyRedactedThinking(): fc.Arbitrary<RedactedThinkingBlock> {
  return fc.record({
    type: fc.constant("redacted-thinking" as const),
    data: anyBase64(),
    vendor: fc.constant("anthropic"),
  });
}

/** A vendor's summary, readable or encrypted. */
export function anyCompaction(): fc.Arbitrary<CompactionBlock> {
  const base = { type: fc.constant("compaction" as const), vendor: fc.constant("anthropic") };
  return fc.oneof(
    fc.record({ ...base, text: anyText() }),
    fc.record({ ...base, text: fc.constant(null), encrypted: anyBase64() }),
  );
}

/** A block of an unknown type. */
export function anyOpaque(): fc.Arbitrary<OpaqueBlock> {
  const kind = fc.constantFrom("search_result", "container_upload", "hologram");
  return fc.tuple(kind, anyText()).map(([name, title]) => makeOpaque(name, { title, score: 1 }));
}

/** A tool call id in one of the vendors' formats. */
export function anyCallId(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom("toolu_", "call_", "fc-"), fc.nat(9999))
    .map(([prefix, serial]) => `${prefix}${serial}`);
}

function anySource(mediaType: string): fc.Arbitrary<MediaSource> {
  const data = fc.oneof(fc.constant(PIXEL_PNG), anyBase64());
  return fc.oneof<fc.Arbitrary<MediaSource>[]>(
    data.map((bytes) => ({ kind: "base64", mediaType, data: bytes })),
    fc.nat(99).map((serial) => ({ kind: "url", url: `https://files.example/${serial}` })),
    fc.nat(99).map((serial) => ({ kind: "file", id: `file_${serial}` })),
  );
}

/** Adds a cache mark to some blocks. */
function marked<T extends object>(block: fc.Arbitrary<T>): fc.Arbitrary<T> {
  const cache = fc.oneof<fc.WeightedArbitrary<CacheMark | undefined>[]>(
    { weight: 8, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.constantFrom({ ttl: "5m" as const }, { ttl: "1h" as const }) },
  );
  return fc.tuple(block, cache).map(([value, mark]) => (mark === undefined ? value : { ...value, cache: mark }));
}

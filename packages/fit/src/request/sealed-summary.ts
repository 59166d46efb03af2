import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  tryParseJson,
} from "@longhaul/conversation/advanced";
import { asBuffer } from "@longhaul/upstream";
import { checkJsonLimits, type Span, splitBody } from "@longhaul/wire";
import { spliceBytes } from "./body-bytes.ts";

/** Marks our summaries. It is valid base64, because clients may expect that. */
const TAG = "longhaulSummary1";

/** The summary must not pass for the user's own words. */
const HEADING = "Summary of the conversation so far:\n\n";

/** A client that compacts during its work sends the summary last: the model must not take it for the end of the work. */
const ENDING = "\n\n(End of the summary. Continue the work from here.)";

/**
 * Seals a summary as a compaction item's `encrypted_content`. It contains the text itself, so that any gateway can read it later. It is not
 * secret from the client, whose conversation it summarises.
 */
export function sealSummary(text: string): string {
  return `${TAG}${Buffer.from(text).toString("base64")}`;
}

/** Turns our summaries in a body of the Responses API into messages that any model can read. Everything else keeps its bytes. */
export function withReadableSummaries(body: Uint8Array): Uint8Array {
  if (!asBuffer(body).includes(TAG)) return body;
  const split = splitBody(body, "input");
  return split === undefined ? rewritten(body) : spliced(body, split.items);
}

function spliced(body: Uint8Array, items: readonly Span[]): Uint8Array {
  const bytes = asBuffer(body);
  const edits = items.flatMap(({ from, to }) => {
    const item = bytes.subarray(from, to);
    const message = item.includes(TAG) ? readableItem(parsed(item)) : undefined;
    return message === undefined ? [] : [{ from, to, bytes: Buffer.from(JSON.stringify(message)) }];
  });
  return spliceBytes(body, edits);
}

/** If the items cannot be located in the bytes, all of them are parsed. */
function rewritten(body: Uint8Array): Uint8Array {
  const value = parsed(asBuffer(body));
  if (!isJsonObject(value) || value.input === undefined || !isJsonArray(value.input)) return body;
  const input = value.input.map((item) => readableItem(item) ?? item);
  return Buffer.from(JSON.stringify({ ...value, input }));
}

/** Invalid JSON is reported by the parser of the whole body. */
function parsed(bytes: Buffer): JsonValue | undefined {
  checkJsonLimits(bytes);
  return tryParseJson(bytes.toString("utf8"));
}

function readableItem(item: JsonValue | undefined): JsonObject | undefined {
  if (item === undefined || !isJsonObject(item) || item.type !== "compaction") return undefined;
  const { encrypted_content: sealed } = item;
  if (typeof sealed !== "string" || !sealed.startsWith(TAG)) return undefined;
  const text = `${HEADING}${Buffer.from(sealed.slice(TAG.length), "base64").toString("utf8")}${ENDING}`;
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

/** Returns the summary in a message, if it is one of ours made readable. */
export function summaryIn({ role, blocks }: Message): string | undefined {
  const [block] = blocks;
  const isSummary = role === "user" && blocks.length === 1 && block?.type === "text" && block.text.startsWith(HEADING);
  return isSummary ? block.text.slice(HEADING.length).replace(ENDING, "") : undefined;
}

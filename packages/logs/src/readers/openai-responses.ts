import { codecOf, defined, isOwnEntry } from "@longhaul/wire";
import { decodeHead } from "../messages/decode.ts";
import { type LogDocument, type MessageList, messageList } from "../reading/document.ts";
import { isJsonList, listAt, objectAt, textAt } from "../reading/fields.ts";
import { plainReader } from "./plain-reader.ts";

const WIRE = "openai-responses";

/** Plain Responses JSON: a request body, its list of items, or a request with the reply's `output` and `usage` in it. */
export const openaiResponses = plainReader({
  wire: WIRE,
  title: "OpenAI responses JSON",
  defaultModel: "gpt-5",
  recognizes,
  listIn: itemsOf,
  systemIn: ({ instructions }) => decodeHead(WIRE, { instructions: instructions ?? null })?.system ?? [],
  // The document's usage belongs to the last call.
  recordIn: (_, body, isLast) =>
    defined({ model: textAt(body, "model"), usage: isLast ? objectAt(body, "usage") : undefined }),
  fieldIn: () => "input",
  // A reply in the document becomes part of the input.
  bodyToWrite: ({ output: _output, usage: _usage, ...request }) => request,
});

/** Returns the input, followed by the reply's output if the document contains it. */
function itemsOf(document: LogDocument): MessageList {
  const { body, list } = messageList(document, "input");
  const input = typeof body.input === "string" ? [{ role: "user", content: body.input }] : list;
  return { body, list: [...input, ...(listAt(body, "output") ?? [])] };
}

function recognizes(document: LogDocument): boolean {
  const { body, list } = itemsOf(document);
  if (body.messages !== undefined) return false;
  return (
    typeof body.input === "string" ||
    (isJsonList(body.input) && list.length > 0) ||
    list.some((item) => isOwnEntry(codecOf(WIRE), item))
  );
}

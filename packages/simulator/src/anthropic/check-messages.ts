import { isGiven, isObject, type JsonObject, objectIn, objectsIn, textIn } from "../core/json.ts";
import { demand } from "../core/rejection.ts";
import { checkPairs } from "./check-pairs.ts";
import { type Message, type PlacedBlock, pathOf, placedBlocks } from "./messages.ts";
import { hasBeta, type MessagesRequest } from "./request.ts";

/** The block types of requests (the vendor's SDK), without `compaction`, which needs a beta. */
const TYPES =
  `text image document search_result thinking redacted_thinking tool_use tool_result server_tool_use web_search_tool_result
  web_fetch_tool_result code_execution_tool_result bash_code_execution_tool_result text_editor_code_execution_tool_result
  tool_search_tool_result advisor_tool_result mcp_tool_use mcp_tool_result mcp_tool_listing container_upload tool_addition tool_removal
  fallback`.split(/\s+/);
const ROLES = new Map([
  ["tool_use", "assistant"],
  ["thinking", "assistant"],
  ["redacted_thinking", "assistant"],
  ["tool_result", "user"],
]);
const TOOL_ID = /^[a-zA-Z0-9_-]+$/;

/** Refuses messages that the API refuses: roles, blocks, empty text, tool pairs, a reply begun by the client. */
export function checkMessages(request: MessagesRequest): void {
  const { messages, body } = request;
  checkRoles(request);
  for (const [at, message] of messages.entries()) checkContent(message, at, at === messages.length - 1);
  for (const placed of placedBlocks(messages)) checkBlock(request, placed);
  for (const text of systemTexts(body)) demand(text.trim() !== "", "system: text content blocks must be non-empty");
  checkPairs(messages);
  checkImages(request);
  checkEnd(request);
}

function systemTexts({ system }: JsonObject): readonly string[] {
  return objectsIn(system).map(({ text }) => textIn(text));
}

function checkRoles({ messages, model }: MessagesRequest): void {
  for (const [at, { role }] of messages.entries()) {
    const isSystem = role === "system";
    demand(
      !isSystem || !model.rejects.includes("system-message"),
      'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    );
    demand(
      isSystem || role === "user" || role === "assistant",
      `messages.${at}.role: Input should be 'user' or 'assistant'`,
    );
  }
  const [first] = messages;
  const isCompacted = first?.blocks[0]?.type === "compaction";
  demand(first?.role === "user" || isCompacted, 'messages: first message must use the "user" role');
}

function checkContent({ role, blocks }: Message, at: number, isLast: boolean): void {
  const isEmpty = blocks.length === 0 || (blocks.length === 1 && blocks[0]?.type === "text" && blocks[0].text === "");
  const mayBeEmpty = role === "system" || (isLast && role === "assistant");
  demand(
    !isEmpty || mayBeEmpty,
    `messages.${at}: all messages must have non-empty content except for the optional final assistant message`,
  );
}

function checkBlock(request: MessagesRequest, placed: PlacedBlock): void {
  const { block, role } = placed;
  const type = textIn(block.type);
  const path = pathOf(placed);
  const types = isCompactionKnown(request) ? [...TYPES, "compaction"] : TYPES;
  demand(
    types.includes(type),
    () =>
      `${path}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${types.map((tag) => `'${tag}'`).join(", ")}`,
  );
  const owner = ROLES.get(type);
  demand(owner === undefined || owner === role, `${path}: \`${type}\` blocks can only be in \`${owner}\` messages`);
  if (type === "text") checkText(block, path);
  if (type === "tool_use") checkToolUse(block, path);
  if (type === "tool_result")
    for (const inner of objectsIn(block.content)) if (inner.type === "text") checkText(inner, path);
  const isMarked = isGiven(block.cache_control) && (type === "thinking" || type === "redacted_thinking");
  demand(!isMarked, `${path}.${type}.cache_control: Extra inputs are not permitted`);
}

function isCompactionKnown(request: MessagesRequest): boolean {
  return hasBeta(request, "compaction-on-demand") || hasBeta(request, "compaction-threshold");
}

function checkText({ text, cache_control }: JsonObject, path: string): void {
  demand(typeof text === "string", `${path}.text.text: Field required`);
  demand(text !== "" || !isGiven(cache_control), `${path}.text: cache_control cannot be set for empty text blocks`);
  demand(text !== "", "messages: text content blocks must be non-empty");
  demand(text.trim() !== "", "messages: text content blocks must contain non-whitespace text");
}

function checkToolUse({ id, name, input }: JsonObject, path: string): void {
  demand(typeof id === "string", `${path}.tool_use.id: Field required`);
  demand(TOOL_ID.test(id), `${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  demand(typeof name === "string" && name !== "", `${path}.tool_use.name: String should have at least 1 character`);
  demand(isObject(input), `${path}.tool_use.input: Input should be a valid dictionary`);
}

function checkImages({ messages, model }: MessagesRequest): void {
  const blocks = placedBlocks(messages).flatMap((placed) =>
    [placed.block, ...objectsIn(placed.block.content)].map((block) => ({ ...placed, block })),
  );
  const images = blocks.filter(({ block }) => block.type === "image");
  demand(images.length === 0 || model.images.supported, "messages: this model does not support image input");
  const { maxCount = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY } = model.images;
  demand(images.length <= maxCount, `messages: too many images and documents: ${images.length} + 0 > ${maxCount}`);
  for (const placed of images) {
    const bytes = Math.floor((textIn(objectIn(placed.block.source).data).length * 3) / 4);
    demand(
      bytes <= maxBytes,
      `${pathOf(placed)}.image.source.base64: image exceeds ${Math.round(maxBytes / 1024 / 1024)} MB maximum: ${bytes} bytes > ${maxBytes} bytes`,
    );
  }
}

function checkEnd({ messages, model, body }: MessagesRequest): void {
  const last = messages.findLast(({ role }) => role !== "system");
  const isPrefill = last?.role === "assistant" && last.blocks[0]?.type !== "compaction" && !isGiven(body.compaction);
  if (!isPrefill) return;
  demand(
    !model.rejects.includes("prefill"),
    "This model does not support assistant message prefill. The conversation must end with a user message.",
  );
  const text = textIn(last.blocks.at(-1)?.text);
  demand(text === text.trimEnd(), "messages: final assistant content cannot end with trailing whitespace");
}

import { ensure } from "../core/api.ts";
import { isGiven, isObject, type JsonObject, objectIn, objectsIn, textIn } from "../core/json.ts";
import {
  hasBeta,
  isThinking,
  type LocatedBlock,
  locatedBlocks,
  type Message,
  type MessagesRequest,
  pathOf,
  thinkingType,
  turnsIn,
} from "./request.ts";

/** Block types of requests (from the vendor's SDK), without `compaction`, which needs a beta. */
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

/** Rejects invalid messages: roles, blocks, empty text, tool pairs, prefill. */
export function checkMessages(request: MessagesRequest): void {
  const { messages, body } = request;
  checkRoles(request);
  for (const [at, message] of messages.entries()) checkContent(message, at, at === messages.length - 1);
  for (const located of locatedBlocks(messages)) checkBlock(request, located);
  for (const { text } of objectsIn(body.system))
    ensure(textIn(text).trim() !== "", "system: text content blocks must be non-empty");
  checkPairs(messages);
  checkImages(request);
  checkEnd(request);
}

function checkRoles({ messages, model }: MessagesRequest): void {
  for (const [at, { role }] of messages.entries()) {
    const isSystem = role === "system";
    ensure(
      !isSystem || !model.rejects.includes("system-message"),
      'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    );
    ensure(
      isSystem || role === "user" || role === "assistant",
      `messages.${at}.role: Input should be 'user' or 'assistant'`,
    );
  }
  const [first] = messages;
  const isCompacted = first?.blocks[0]?.type === "compaction";
  ensure(first?.role === "user" || isCompacted, 'messages: first message must use the "user" role');
}

function checkContent({ role, blocks }: Message, at: number, isLast: boolean): void {
  const isEmpty = blocks.length === 0 || (blocks.length === 1 && blocks[0]?.type === "text" && blocks[0].text === "");
  const mayBeEmpty = role === "system" || (isLast && role === "assistant");
  ensure(
    !isEmpty || mayBeEmpty,
    `messages.${at}: all messages must have non-empty content except for the optional final assistant message`,
  );
}

function checkBlock(request: MessagesRequest, located: LocatedBlock): void {
  const { block, role } = located;
  const type = textIn(block.type);
  const path = pathOf(located);
  const knowsCompaction = hasBeta(request, "compaction-on-demand") || hasBeta(request, "compaction-threshold");
  const types = knowsCompaction ? [...TYPES, "compaction"] : TYPES;
  ensure(
    types.includes(type),
    () =>
      `${path}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${types.map((tag) => `'${tag}'`).join(", ")}`,
  );
  const owner = ROLES.get(type);
  ensure(owner === undefined || owner === role, `${path}: \`${type}\` blocks can only be in \`${owner}\` messages`);
  if (type === "text") checkText(block, path);
  if (type === "tool_use") checkToolUse(block, path);
  if (type === "tool_result")
    for (const inner of objectsIn(block.content)) if (inner.type === "text") checkText(inner, path);
  const isMarked = isGiven(block.cache_control) && (type === "thinking" || type === "redacted_thinking");
  ensure(!isMarked, `${path}.${type}.cache_control: Extra inputs are not permitted`);
}

function checkText({ text, cache_control }: JsonObject, path: string): void {
  ensure(typeof text === "string", `${path}.text.text: Field required`);
  ensure(text !== "" || !isGiven(cache_control), `${path}.text: cache_control cannot be set for empty text blocks`);
  ensure(text !== "", "messages: text content blocks must be non-empty");
  ensure(text.trim() !== "", "messages: text content blocks must contain non-whitespace text");
}

function checkToolUse({ id, name, input }: JsonObject, path: string): void {
  ensure(typeof id === "string", `${path}.tool_use.id: Field required`);
  ensure(TOOL_ID.test(id), `${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  ensure(typeof name === "string" && name !== "", `${path}.tool_use.name: String should have at least 1 character`);
  ensure(isObject(input), `${path}.tool_use.input: Input should be a valid dictionary`);
}

function checkImages({ messages, model }: MessagesRequest): void {
  const blocks = locatedBlocks(messages).flatMap((located) =>
    [located.block, ...objectsIn(located.block.content)].map((block) => ({ ...located, block })),
  );
  const images = blocks.filter(({ block }) => block.type === "image");
  ensure(images.length === 0 || model.images.supported, "messages: this model does not support image input");
  const { maxCount = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY } = model.images;
  ensure(images.length <= maxCount, `messages: too many images and documents: ${images.length} + 0 > ${maxCount}`);
  for (const located of images) {
    const bytes = Math.floor((textIn(objectIn(located.block.source).data).length * 3) / 4);
    ensure(
      bytes <= maxBytes,
      `${pathOf(located)}.image.source.base64: image exceeds ${Math.round(maxBytes / 1024 / 1024)} MB maximum: ${bytes} bytes > ${maxBytes} bytes`,
    );
  }
}

function checkEnd({ messages, model, body }: MessagesRequest): void {
  const last = messages.findLast(({ role }) => role !== "system");
  const isPrefill = last?.role === "assistant" && last.blocks[0]?.type !== "compaction" && !isGiven(body.compaction);
  if (!isPrefill) return;
  ensure(
    !model.rejects.includes("prefill"),
    "This model does not support assistant message prefill. The conversation must end with a user message.",
  );
  const text = textIn(last.blocks.at(-1)?.text);
  ensure(text === text.trimEnd(), "messages: final assistant content cannot end with trailing whitespace");
}

/** Rejects tool calls without results directly after them, and results without calls directly before them. */
export function checkPairs(messages: readonly Message[]): void {
  const turns = turnsIn(messages);
  checkUnique(turns.flat());
  for (const [at, turn] of turns.entries()) {
    if (turn[0]?.role === "assistant") checkAnswered(turn, turns[at + 1] ?? []);
    if (turn[0]?.role === "user") checkExpected(turn, turns[at - 1] ?? []);
  }
}

function checkUnique(blocks: readonly LocatedBlock[]): void {
  const seen = new Set<unknown>();
  for (const located of blocks.filter(({ block }) => block.type === "tool_use")) {
    ensure(!seen.has(located.block.id), `${pathOf(located)}: \`tool_use\` ids must be unique`);
    seen.add(located.block.id);
  }
}

/** Results must come first in the turn after the calls; text before them separates the pair. */
function checkAnswered(turn: readonly LocatedBlock[], next: readonly LocatedBlock[]): void {
  const isResult = ({ block }: LocatedBlock) => block.type === "tool_result";
  const firstOther = next.findIndex((located) => !isResult(located));
  const leading = firstOther < 0 ? next : next.slice(0, firstOther);
  const answered = new Set(leading.map(({ block }) => block.tool_use_id));
  const calls = turn.filter(({ block }) => block.type === "tool_use");
  const open = calls.filter(({ block }) => !answered.has(block.id));
  ensure(
    open.length === 0,
    `messages.${open[0]?.message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open
      .map(({ block }) => textIn(block.id))
      .join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

function checkExpected(turn: readonly LocatedBlock[], previous: readonly LocatedBlock[]): void {
  const called = new Set(previous.filter(({ block }) => block.type === "tool_use").map(({ block }) => block.id));
  const seen = new Set<unknown>();
  for (const located of turn.filter(({ block }) => block.type === "tool_result")) {
    const id = textIn(located.block.tool_use_id);
    ensure(
      called.has(id),
      `${pathOf(located)}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    );
    ensure(
      !seen.has(id),
      `${pathOf(located)}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
    );
    seen.add(id);
  }
}

/** With a thinking budget, a turn whose tool calls are being answered must begin with its thinking. Adaptive thinking has no such rule. */
export function checkToolLoop(request: MessagesRequest): void {
  if (thinkingType(request) !== "enabled") return;
  const turns = turnsIn(request.messages).filter((turn) => turn[0]?.role !== "system");
  const isAnswer = turns.at(-1)?.some(({ block }) => block.type === "tool_result") ?? false;
  if (!isAnswer) return;
  const spoke = turns.findLastIndex(
    (turn) => turn[0]?.role === "user" && turn.every(({ block }) => block.type !== "tool_result"),
  );
  // A turn may open with a compaction block; its thinking follows.
  const first = turns[spoke + 1]?.find(({ block }) => block.type !== "compaction");
  if (first === undefined || first.role !== "assistant") return;
  ensure(
    isThinking(first.block),
    `messages.${first.message}.content.${first.index}.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${textIn(first.block.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking`,
  );
}

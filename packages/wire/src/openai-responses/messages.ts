import type { Block, Conversation, JsonObject, JsonValue, Message } from "@longhaul/conversation";
import type { MessageCodec } from "../codec/codec.ts";
import { finish, type Steps } from "../codec/stepper.ts";
import { fieldOf, listIn, nativeText, readBody, readSteps } from "../fields/json.ts";
import { decodeMessage } from "./decode-message.ts";
import { encodeMessage } from "./encode-message.ts";
import { VENDOR, WIRE } from "./rules.ts";
import { TOOLS_ITEM, toolSteps, toolsInItems } from "./tools.ts";

/** The items of OpenAI's Responses API. */
export const MESSAGES: MessageCodec = {
  id: WIRE,
  vendor: VENDOR,
  messagesField: "input",
  opensWithSystem: true,
  own: {
    types: [
      "function_call",
      "function_call_output",
      "custom_tool_call",
      "custom_tool_call_output",
      "reasoning",
      "item_reference",
    ],
    parts: ["input_text", "output_text", "input_image", "input_file"],
  },
  decodeConversation: (body) => finish(conversationSteps(readBody(body, "body"))),
  decodeMessage: (value) => decodeMessage(readBody(value, "item")),
  messageWriter: (conversation, vendor) => {
    const options = { vendor, extras: true, ...freeTextIn(conversation) };
    return (message) => encodeMessage(message, options);
  },
};

/**
 * Decodes the conversation of a request's body. Instructions and leading system messages form the system prompt. Leading items may also add
 * tools.
 */
export function* conversationSteps(body: JsonObject): Steps<Conversation> {
  const messages = yield* decodeInput(body.input);
  const opening = openingOf(body.input);
  return {
    system: systemOf(body.instructions, messages.slice(0, opening.length)),
    tools: [...(yield* toolSteps(body.tools)), ...(yield* toolSteps([...toolsInItems(opening)], TOOLS_ITEM))],
    messages: messages.slice(opening.length),
  };
}

/** Returns the items at the start of an input that belong to the system prompt. */
export function openingOf(input: JsonValue | undefined): readonly JsonValue[] {
  const items = listIn(input);
  const first = items.findIndex((item) => !isSystemItem(item));
  return first === -1 ? items : items.slice(0, first);
}

function isSystemItem(item: JsonValue): boolean {
  const type = fieldOf(item, "type");
  if (type !== undefined && type !== "message") return type === TOOLS_ITEM;
  const role = fieldOf(item, "role");
  return role === "system" || role === "developer";
}

export function systemOf(instructions: JsonValue | undefined, opening: readonly Message[]): readonly Block[] {
  const blocks = opening.flatMap((message) => message.blocks);
  const texts = blocks.filter((block) => block.type !== "opaque" || block.kind !== TOOLS_ITEM);
  return [...decodeInstructions(instructions), ...texts];
}

function* decodeInput(input: JsonValue | undefined): Steps<readonly Message[]> {
  if (typeof input !== "string") return yield* readSteps(input ?? [], "input", decodeMessage);
  return [{ role: "user", blocks: [nativeText(WIRE, input)], native: { wire: WIRE, value: input } }];
}

function decodeInstructions(instructions: JsonValue | undefined): readonly Block[] {
  if (typeof instructions !== "string" || instructions === "") return [];
  return [nativeText(WIRE, instructions)];
}

export function freeTextIn({ tools, messages }: Conversation) {
  const freeTextTools = new Set(tools.filter(({ kind }) => kind === "custom").map(({ name }) => name));
  const calls = messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === "tool-call" && freeTextTools.has(block.name) ? [block.id] : [])),
  );
  return { freeTextTools, freeTextCalls: new Set(calls) };
}

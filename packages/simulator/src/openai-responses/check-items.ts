import { ensure, Rejection } from "../core/api.ts";
import { isGiven, type JsonObject, objectsIn, textIn } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { checkChoice, checkLength, requireParameter } from "../openai/check-parameters.ts";
import { isCall, isResult, typeOf } from "./request.ts";

const ROLES = ["assistant", "system", "developer", "user"];
const MAX_CALL_ID_CHARS = 64;
const ID_PREFIXES: Readonly<Record<string, string>> = { function_call: "fc", reasoning: "rs", custom_tool_call: "ctc" };
const INPUT_PARTS = ["input_text", "input_image", "input_file", "input_audio"];
const OUTPUT_PARTS = ["output_text", "refusal"];

export function checkItems(items: readonly JsonObject[], world: World): void {
  requireParameter(items.length > 0, "input");
  for (const [at, item] of items.entries()) checkItem(item, at, world);
  checkPairs(items);
  checkReasoningOrder(items);
  checkRequired(items, world);
  const trigger = items.findIndex((item) => item.type === "compaction_trigger");
  ensure(trigger < 0 || trigger === items.length - 1, "The 'compaction_trigger' item must be the final input item.", {
    param: `input[${trigger}]`,
  });
}

function checkItem(item: JsonObject, at: number, world: World): void {
  const type = typeOf(item);
  const path = `input[${at}]`;
  requireParameter(type !== "", `${path}.type`);
  const prefix = item.role === "assistant" ? "msg" : ID_PREFIXES[type];
  const hasId = prefix !== undefined && isGiven(item.id);
  ensure(
    !hasId || textIn(item.id).startsWith(prefix),
    `Invalid '${path}.id': '${textIn(item.id)}'. Expected an ID that begins with '${prefix}'.`,
    { param: `${path}.id`, code: "invalid_value" },
  );
  if (type === "message") checkMessage(item, path);
  if (isCall(item) || isResult(item)) checkCallId(item, path);
  if (type === "function_call_output") requireParameter(isGiven(item.output), `${path}.output`);
  if (type === "reasoning" || type === "compaction") checkSeal(item, type, world);
}

function checkMessage({ role, content }: JsonObject, path: string): void {
  checkChoice(role, ROLES, path);
  const types = role === "assistant" ? OUTPUT_PARTS : INPUT_PARTS;
  for (const [index, { type }] of objectsIn(content).entries()) checkChoice(type, types, `${path}.content[${index}]`);
}

function checkCallId({ call_id }: JsonObject, path: string): void {
  requireParameter(typeof call_id === "string" && call_id !== "", `${path}.call_id`);
  checkLength(call_id, `${path}.call_id`, MAX_CALL_ID_CHARS);
}

/** The prefix of all of OpenAI's encrypted content. */
export const ENCRYPTED_PREFIX = "gAAAA";

export function openSeal({ encrypted_content }: JsonObject, type: string, { seals }: World): JsonObject | undefined {
  const sealed = textIn(encrypted_content);
  return sealed.startsWith(ENCRYPTED_PREFIX) ? seals.open(type, sealed.slice(ENCRYPTED_PREFIX.length)) : undefined;
}

function checkSeal(item: JsonObject, type: string, world: World): void {
  if (!isGiven(item.encrypted_content) && type === "reasoning") return;
  if (openSeal(item, type, world) !== undefined) return;
  const shown = textIn(item.encrypted_content).slice(0, 8);
  throw new Rejection(
    400,
    `The encrypted content ${shown}... could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
    { code: "invalid_encrypted_content" },
  );
}

function checkPairs(items: readonly JsonObject[]): void {
  const called = new Set<unknown>();
  const answered = new Set(items.filter(isResult).map(({ call_id }) => call_id));
  for (const item of items) {
    if (isCall(item)) called.add(item.call_id);
    ensure(
      !isResult(item) || called.has(item.call_id),
      `No tool call found for function call output with call_id ${textIn(item.call_id)}.`,
      { param: "input" },
    );
  }
  const open = items.filter(isCall).find(({ call_id }) => !answered.has(call_id));
  ensure(open === undefined, `No tool output found for function call ${textIn(open?.call_id)}.`, { param: "input" });
}

/** Reasoning must be followed by the item it led to. */
function checkReasoningOrder(items: readonly JsonObject[]): void {
  for (const [at, item] of items.entries()) {
    if (item.type !== "reasoning") continue;
    const next = items[at + 1];
    const isLed = next !== undefined && (next.type === "reasoning" || isCall(next) || next.role === "assistant");
    ensure(isLed, `Item '${textIn(item.id)}' of type 'reasoning' was provided without its required following item.`, {
      param: "input",
    });
  }
}

function checkRequired(items: readonly JsonObject[], { storedItems }: World): void {
  const ids = new Set(items.map(({ id }) => id));
  for (const item of items) {
    const requires = storedItems.get(textIn(item.id))?.requires;
    ensure(
      requires === undefined || ids.has(requires),
      `Item '${textIn(item.id)}' of type '${typeOf(item)}' was provided without its required 'reasoning' item: '${requires}'.`,
      { param: "input" },
    );
  }
}

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from "@longhaul/conversation";
import { fieldOf, listIn, optionalString } from "../fields/read.ts";
import { innerFields } from "./spelling.ts";

/** A call whose arguments arrive piece by piece, as Vertex tells them to clients that ask for it. */
export interface PartialCall {
  /** The part that began it. */
  readonly part: JsonObject;
  readonly args: JsonObject;
}

/** Whether a part is a piece of a call: more is to come, or it goes on with what came before. */
export function isPiece(part: JsonValue, before: PartialCall | undefined): part is JsonObject {
  const call = innerFields(fieldOf(part, "functionCall"));
  if (call.willContinue === true || listIn(call.partialArgs).length > 0) return true;
  return before !== undefined && isJsonObject(fieldOf(part, "functionCall")) && call.name === undefined;
}

/** A call with one more piece, and the part that tells it whole where that was the last one. */
export function addPiece(
  before: PartialCall | undefined,
  part: JsonObject,
): PartialCall & { readonly whole?: JsonObject } {
  const call = innerFields(part.functionCall);
  const pieces = listIn(call.partialArgs);
  const start = before ?? { part, args: {} };
  const args = pieces.reduce(addArgument, start.args);
  if (call.willContinue === true) return { part: start.part, args };
  const { partialArgs: _, willContinue: _more, ...named } = innerFields(start.part.functionCall);
  return { part: start.part, args, whole: { ...start.part, functionCall: { ...named, args } } };
}

function addArgument(args: JsonObject, piece: JsonValue): JsonObject {
  const { jsonPath, stringValue, numberValue, boolValue } = innerFields(piece);
  const value = stringValue ?? numberValue ?? boolValue ?? null;
  const added = addAt(args, stepsOf(optionalString(jsonPath) ?? ""), value);
  return isJsonObject(added) ? added : args;
}

/** The steps of a path like `$.edits[0].text`. */
function stepsOf(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\.([^.[\]]+)|\[(\d+)\]|\[['"]([^'"]*)['"]\]/g)].map(([, name, index, quoted]) =>
    index === undefined ? (name ?? quoted ?? "") : Number(index),
  );
}

/** Texts at one place are pieces of one text. */
function addAt(
  target: JsonValue | undefined,
  [step, ...rest]: readonly (string | number)[],
  value: JsonValue,
): JsonValue {
  if (step === undefined) return typeof target === "string" && typeof value === "string" ? target + value : value;
  if (typeof step === "string") {
    const object = isJsonObject(target) ? target : {};
    return { ...object, [step]: addAt(ownValue(object, step), rest, value) };
  }
  const list = target !== undefined && isJsonArray(target) ? target : [];
  // A list grows one by one, however large a number the upstream names.
  const at = Math.min(step, list.length);
  return list.toSpliced(at, 1, addAt(list[at], rest, value));
}

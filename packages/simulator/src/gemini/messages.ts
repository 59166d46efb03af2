import { type JsonObject, objectIn, objectsIn, textIn } from "../core/json.ts";

/** A part of a content and where it stands. */
export interface PlacedPart {
  readonly content: number;
  readonly index: number;
  readonly role: string;
  readonly part: JsonObject;
}

/** The contents of a request. */
export function contentsIn({ contents }: JsonObject): readonly JsonObject[] {
  return objectsIn(contents);
}

/** The parts of a content. */
export function partsIn({ parts }: JsonObject): readonly JsonObject[] {
  return objectsIn(parts);
}

/** All parts in order, each with its place. */
export function placedParts(body: JsonObject): readonly PlacedPart[] {
  return contentsIn(body).flatMap((content, at) =>
    partsIn(content).map((part, index) => ({ content: at, index, role: textIn(content.role), part })),
  );
}

/** A place as error messages write it. */
export function pathOf({ content, index }: Pick<PlacedPart, "content" | "index">): string {
  return `GenerateContentRequest.contents[${content}].parts[${index}]`;
}

/** The calls of a content. */
export function callsIn(content: JsonObject): readonly JsonObject[] {
  return partsIn(content).flatMap(({ functionCall }) => (functionCall === undefined ? [] : [objectIn(functionCall)]));
}

/** The results of calls in a content. */
export function responsesIn(content: JsonObject): readonly JsonObject[] {
  return partsIn(content).flatMap(({ functionResponse }) =>
    functionResponse === undefined ? [] : [objectIn(functionResponse)],
  );
}

/** Whether a content holds words of the user, not only results of calls: a turn of the conversation begins with it. */
export function beginsTurn(content: JsonObject): boolean {
  return content.role !== "model" && responsesIn(content).length === 0;
}

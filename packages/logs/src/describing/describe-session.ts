import type { Block, Message } from "@longhaul/conversation";
import { BOILERPLATE, BRANCHES, CONTINUATIONS, PROBES, PROJECTS, TITLE_ORDER, WRAPPERS } from "./boilerplate.ts";
import { clientOf } from "./client.ts";

/** The beginning of a session: its system prompt and its first messages. */
export interface SessionOpening {
  readonly system: readonly Block[];
  readonly messages: readonly Message[];
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes a session recognizable. Unknown texts are empty. */
export interface SessionLabels {
  /** The first words that the user wrote, on one line. */
  readonly title: string;
  /** The folder that the client works in. */
  readonly project: string;
  readonly branch: string;
  readonly client: string;
  readonly clientVersion: string;
}

/** Reads the labels of a session from its first request. */
export function describeSession({ system, messages, headers }: SessionOpening): SessionLabels {
  const texts = [
    textIn(system),
    ...messages.filter(({ role }) => role !== "assistant").map(({ blocks }) => textIn(blocks)),
  ];
  const { name, version } = clientOf(headers["user-agent"] ?? "");
  return {
    title: titleOf(messages),
    project: workspaceIn(headers) ?? firstMatch(texts, PROJECTS) ?? "",
    branch: firstMatch(texts, BRANCHES) ?? "",
    client: name,
    clientVersion: version,
  };
}

/** Longer texts are read only up to here. Instructions of clients are shorter. */
const MAX_CHARS = 200_000;
/** More than enough for a title. */
const MAX_SPOKEN_CHARS = 20_000;
const MAX_TITLE_CHARS = 100;

/** Returns the first words that the user wrote, without the context that clients add; empty if there are none. */
export function titleOf(messages: readonly Message[]): string {
  for (const { role, blocks } of messages) {
    if (role !== "user") continue;
    const words = cleanText(textIn(blocks));
    if (words !== "" && !PROBES.has(words.toLowerCase())) return shorten(words);
  }
  return "";
}

/**
 * Returns whether a conversation is not the user's: a client asks for a title of its session, or probes the quota. Such requests are short
 * and have no tools.
 */
export function isClientsOwn({ system, messages }: Pick<SessionOpening, "system" | "messages">): boolean {
  const [first, ...others] = messages.filter(({ role }) => role === "user");
  if (first === undefined || others.length > 0) return false;
  const words = textIn(first.blocks);
  if (PROBES.has(words.trim().toLowerCase())) return true;
  // Users may ask for a title, too; clients quote the session.
  const order = /^\s*<session>/.test(words) ? words.slice(-MAX_ORDER_CHARS) : "";
  return [textIn(system).slice(0, MAX_ORDER_CHARS), order].some((text) => TITLE_ORDER.test(text));
}

/** Clients ask for a title at the start of their instructions, or behind the session. */
const MAX_ORDER_CHARS = 1_000;

function textIn(blocks: readonly Block[]): string {
  let text = "";
  for (const block of blocks) if (block.type === "text" && text.length < MAX_CHARS) text += `${block.text}\n`;
  return text.slice(0, MAX_CHARS);
}

/** Removes the context that clients add to a message. */
function cleanText(text: string): string {
  const spoken = (wrapped(text) ?? withoutElements(text)).slice(0, MAX_SPOKEN_CHARS);
  if (CONTINUATIONS.some((pattern) => pattern.test(spoken))) return "";
  return BOILERPLATE.patterns
    .reduce((rest, pattern) => rest.replace(pattern, " "), spoken)
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, " ")
    .replace(/^[#>*\s]+/, "")
    .trim();
}

/** Returns the text of the element that a client puts the user's words in. */
function wrapped(text: string): string | undefined {
  for (const name of WRAPPERS) {
    const from = text.indexOf(`<${name}>`);
    const to = text.indexOf(`</${name}>`, from);
    if (from !== -1 && to !== -1) return withoutElements(text.slice(from + name.length + 2, to));
  }
  return undefined;
}

/** Removes elements such as `<system-reminder>`, and everything after one that is not closed. Other markup stays. */
function withoutElements(text: string): string {
  let kept = "";
  let at = 0;
  for (const { 0: opening, 1: name = "", index } of text.matchAll(/<([a-z][\w-]*)(?: [^<>]{0,500})?>/gi)) {
    if (index < at || !BOILERPLATE.elements.has(name.toLowerCase())) continue;
    kept += `${text.slice(at, index)} `;
    const closing = `</${name}>`;
    const end = text.indexOf(closing, index + opening.length);
    if (end === -1) return kept;
    at = end + closing.length;
  }
  return kept + text.slice(at);
}

/** Cuts at a space, if there is one near the end. */
function shorten(words: string): string {
  if (words.length <= MAX_TITLE_CHARS) return words;
  const cut = words.slice(0, MAX_TITLE_CHARS).replace(/[\uD800-\uDBFF]$/, "");
  return `${/^(.{60,}) /su.exec(cut)?.[1] ?? cut}…`;
}

function firstMatch(texts: readonly string[], patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    for (const text of texts) {
      const [, found] = pattern.exec(text) ?? [];
      if (found !== undefined && found.trim() !== "") return found.trim();
    }
  }
  return undefined;
}

/** Codex lists its workspaces in a header. */
function workspaceIn({ "x-codex-turn-metadata": metadata = "" }: SessionOpening["headers"]): string | undefined {
  return /"workspaces":\{"((?:[^"\\]|\\.)+)"/.exec(metadata)?.[1]?.replace(/\\(.)/g, "$1");
}

import { isObject, type JsonObject, parseJson } from "./json.ts";

/** How the simulated model responds to one prompt. */
export interface Behavior {
  /** Tokens of thinking before the answer, if thinking is on. */
  readonly thinkTokens?: number;
  /** Whether the thinking is in an unreadable block. */
  readonly isRedacted?: boolean;
  /** Parallel calls of each step. `{step}` in an argument becomes the step's number, from 1. */
  readonly calls: readonly ScriptedCall[];
  /** How many steps of calls there are before the ending. */
  readonly times: number;
  /** Text beside the calls of a step. */
  readonly comment?: string;
  /** The answer after the last step; if absent, the prompt decides. */
  readonly ending?: Ending;
}

/** One tool call of a script. */
export interface ScriptedCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** How an answer ends. */
export type Ending =
  /** Repeats the user's latest text. */
  | { readonly kind: "echo" }
  | { readonly kind: "say"; readonly text: string }
  /** Fills a number of tokens with words. */
  | { readonly kind: "words"; readonly tokens: number }
  /** A summary of the prompt, at most this long. */
  | { readonly kind: "summary"; readonly tokens?: number }
  /** This JSON, or an example of the requested schema. */
  | { readonly kind: "json"; readonly value?: unknown }
  | { readonly kind: "refuse" }
  | { readonly kind: "empty" }
  /** Random-looking characters. */
  | { readonly kind: "garbage" }
  /** Never stops by itself. */
  | { readonly kind: "endless" };

const DIRECTIVE = /^\s*simulate:\s*(.*)$/;

/** Parses the lines of a user's text that begin with `simulate:`; `undefined` if there are none. */
export function behaviorIn(text: string): Behavior | undefined {
  const lines = text.split("\n").flatMap((line) => DIRECTIVE.exec(line)?.[1] ?? []);
  return lines.length === 0 ? undefined : parseBehavior(lines.join("\n"));
}

/** Parses directives such as `call read {"path":"a.ts"}`, `times 3` or `say done`, one per line. Other lines are answered verbatim. */
export function parseBehavior(lines: string): Behavior {
  let behavior: Behavior = { calls: [], times: 1 };
  for (const line of lines.split("\n")) behavior = readLine(behavior, line.trim());
  return behavior;
}

function readLine(behavior: Behavior, line: string): Behavior {
  const [verb = ""] = line.split(" ", 1);
  const rest = line.slice(verb.length).trim();
  const tokens = Number.parseInt(rest, 10);
  switch (verb) {
    case "call":
      return { ...behavior, calls: [...behavior.calls, readCall(rest)] };
    case "times":
      return { ...behavior, times: tokens || 1 };
    case "comment":
      return { ...behavior, comment: rest };
    case "think":
      return { ...behavior, thinkTokens: tokens || 0, isRedacted: rest.endsWith("redacted") };
    default:
      return { ...behavior, ending: readEnding(verb, rest) ?? { kind: "say", text: line } };
  }
}

function readCall(rest: string): ScriptedCall {
  const [name = ""] = rest.split(" ", 1);
  const input = parseJson(rest.slice(name.length));
  return { name, input: isObject(input) ? input : {} };
}

function readEnding(verb: string, rest: string): Ending | undefined {
  const tokens = Number.parseInt(rest, 10);
  switch (verb) {
    case "say":
      return { kind: "say", text: rest };
    case "words":
      return { kind: "words", tokens: tokens || 1 };
    case "summary":
      return { kind: "summary", ...(tokens > 0 && { tokens }) };
    case "json":
      return { kind: "json", ...(rest !== "" && { value: parseJson(rest) }) };
    case "echo":
    case "refuse":
    case "empty":
    case "garbage":
    case "endless":
      return { kind: verb };
    default:
      return undefined;
  }
}

import { isObject, type JsonObject, parseJson } from "./json.ts";

/** How the simulated model behaves towards one prompt. */
export interface Behavior {
  /** Thinks about so many tokens before it answers, where thinking is on. */
  readonly thinkTokens?: number;
  /** Thinks in a block that is not readable. */
  readonly isRedacted?: boolean;
  /** Calls made together in each step. `{step}` in an argument stands for the step's number, from 1. */
  readonly calls: readonly ScriptedCall[];
  /** How many steps of calls there are before the ending. */
  readonly times: number;
  /** What is said beside the calls of a step. */
  readonly comment?: string;
  /** What comes once the steps are over; nothing means that the prompt decides. */
  readonly ending?: Ending;
}

/** One tool call of a script. */
export interface ScriptedCall {
  readonly name: string;
  readonly input: JsonObject;
}

/** How an answer ends. */
export type Ending =
  /** Repeats the user's last words. */
  | { readonly kind: "echo" }
  | { readonly kind: "say"; readonly text: string }
  /** Fills a number of tokens with words. */
  | { readonly kind: "words"; readonly tokens: number }
  /** A summary of the prompt, of so many tokens at most. */
  | { readonly kind: "summary"; readonly tokens?: number }
  /** This JSON, or an example of the schema that the request asks for. */
  | { readonly kind: "json"; readonly value?: unknown }
  /** Declines for reasons of policy. */
  | { readonly kind: "refuse" }
  /** Says nothing at all. */
  | { readonly kind: "empty" }
  /** Characters without sense. */
  | { readonly kind: "garbage" }
  /** Never stops by itself. */
  | { readonly kind: "endless" };

const DIRECTIVE = /^\s*simulate:\s*(.*)$/;

/** The behaviour that a user's text asks for in lines that begin with `simulate:`; nothing where it has no such line. */
export function behaviorIn(text: string): Behavior | undefined {
  const lines = text.split("\n").flatMap((line) => DIRECTIVE.exec(line)?.[1] ?? []);
  return lines.length === 0 ? undefined : parseBehavior(lines.join("\n"));
}

/** Reads lines of directives: `call read {"path":"a.ts"}`, `times 3`, `say done`. A line that is none of them is said. */
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

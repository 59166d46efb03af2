import { setTimeout as pause } from "node:timers/promises";
import { isJsonObject, type JsonObject } from "@longhaul/conversation";
import { formatCount } from "@longhaul/models/format";
import type { SimulatorOptions } from "@longhaul/simulator";
import { askTurn, CACHED, markLast, type PlayedTurn } from "../play/ask-turn.ts";
import { describePlay, figuresOf, hasCondensed, turnHead, turnLine } from "../play/describe-play.ts";
import { openSandbox, type Sandbox } from "../play/sandbox.ts";
import { DEFAULT_STRATEGY } from "../terminal/options.ts";
import { type Style, styleOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { demoSteps, type Step, TOOLS } from "./session.ts";

export interface DemoFlags {
  readonly turns: number;
  readonly window: number;
  readonly strategy: string;
  readonly fast?: true;
  /** Keeps the gateway running after the last turn. */
  readonly stay?: true;
  readonly port?: number;
  readonly store?: string;
}

const MODEL = "claude-sonnet-4-5";
const PAUSE_MS = 150;
/** Makes files of about 300 lines, as coding agents read them. */
const SCALE = 2;

export async function demo(flags: DemoFlags, terminal: Terminal): Promise<void> {
  const { window: windowTokens, strategy, port, store } = flags;
  const state: DemoState = { messages: [], step: undefined };
  const sandbox = await openSandbox({ model: MODEL, windowTokens, strategy, port, store, script: scriptOf(state) });
  const stop = new AbortController();
  const stopped = terminal.stopped().then(() => stop.abort());
  try {
    terminal.write(greeting(flags, sandbox.url, await sandbox.dashboard()));
    const session = `demo-${Date.now()}`;
    const turns = await play({ flags, sandbox, session, state, signal: stop.signal }, terminal);
    const summary = await sandbox.sessionAfter(session, turns.length);
    terminal.write(`\n${describePlay(figuresOf({ turns, windowTokens, summary }), styleOf(terminal))}`);
    if (stop.signal.aborted) return;
    terminal.write(flags.stay === true ? staying(await sandbox.dashboard()) : NEXT);
    if (flags.stay === true) await stopped;
  } finally {
    await sandbox.close();
  }
}

function staying(dashboard: string): string {
  return `The dashboard keeps running until you press Ctrl-C: ${dashboard}\n`;
}

const NEXT = `
Look at every turn in the dashboard: \`longhaul demo --fast --stay\`
Use it with your own clients: \`longhaul setup\`
`;

interface DemoState {
  readonly messages: JsonObject[];
  step: Step | undefined;
}

interface PlayOptions {
  readonly flags: DemoFlags;
  readonly sandbox: Sandbox;
  readonly session: string;
  readonly state: DemoState;
  readonly signal: AbortSignal;
}

async function play({ flags, sandbox, session, state, signal }: PlayOptions, terminal: Terminal) {
  const style = styleOf(terminal);
  const turns: PlayedTurn[] = [];
  terminal.write(turnHead(style));
  for (const step of demoSteps(SCALE)) {
    if (turns.length === flags.turns || signal.aborted) break;
    if (step.userText !== undefined) state.messages.push({ role: "user", content: step.userText });
    state.step = step;
    const body = requestOf(state.messages);
    const turn = grown(await askTurn({ url: sandbox.url, session, body }), turns.at(-1));
    turns.push(turn);
    state.messages.push({ role: "assistant", content: turn.content }, ...resultsOf(turn, step));
    const context = {
      number: turns.length,
      what: describeStep(step),
      windowTokens: flags.window,
      before: turns.at(-2),
      isAfterCondensation: hasCondensed(turns),
    };
    if (isFirstOver(turns, flags.window)) terminal.write(endLine(turn, flags.window, style));
    terminal.write(turnLine(turn, context, style));
    if (flags.fast !== true) await pause(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
  return turns;
}

/** New messages are estimated until the vendor counts them; a conversation that only grows is not shown as smaller. */
function grown(turn: PlayedTurn, before: PlayedTurn | undefined): PlayedTurn {
  return { ...turn, originalTokens: Math.max(turn.originalTokens, before?.originalTokens ?? 0) };
}

function isFirstOver(turns: readonly PlayedTurn[], windowTokens: number): boolean {
  return turns.findIndex(({ originalTokens }) => originalTokens > windowTokens) === turns.length - 1;
}

function endLine({ originalTokens }: PlayedTurn, windowTokens: number, { bold }: Style): string {
  const sizes = `${formatCount(originalTokens)} of ${formatCount(windowTokens)} tokens`;
  return `${bold(`── Without Longhaul, the session ends here: ${sizes} ──`)}\n`;
}

const SYSTEM =
  "You are a careful engineer who works on a shop. Read before you write, change as little as possible, and run the tests after every change.";

/** Marks the system prompt and the latest message for the vendor's cache, as coding agents do. */
function requestOf(messages: readonly JsonObject[]): JsonObject {
  const tools = TOOLS.map((tool) => ({ ...tool, input_schema: { type: "object", properties: {} } }));
  return {
    model: MODEL,
    max_tokens: 2_000,
    system: [{ type: "text", text: SYSTEM, cache_control: CACHED }],
    tools,
    messages: markLast(messages),
  };
}

function resultsOf({ content }: PlayedTurn, { reply }: Step): JsonObject[] {
  const calls = content.flatMap((block) => (isJsonObject(block) && block.type === "tool_use" ? [block] : []));
  if (!("tool" in reply) || calls.length === 0) return [];
  const results = calls.map(({ id = "" }) => ({ type: "tool_result", tool_use_id: id, content: reply.result }));
  return [{ role: "user", content: results }];
}

const MANY_STEPS = 1_000_000;

/** Makes the model reply as the current step says; requests for a summary get one. */
function scriptOf(state: DemoState): NonNullable<SimulatorOptions["script"]> {
  return ({ turns, tools }) => {
    const prompt = turns.at(-1)?.texts.join("\n") ?? "";
    if (state.step === undefined || tools.length === 0 || /summar/i.test(prompt)) return undefined;
    const { reply } = state.step;
    if (!("tool" in reply)) return { calls: [], times: 0, ending: { kind: "say", text: reply.text } };
    const { tool: name, input, comment } = reply;
    return { calls: [{ name, input }], times: MANY_STEPS, comment };
  };
}

function describeStep({ userText, reply }: Step): string {
  const done = "tool" in reply ? `${reply.tool} ${Object.values(reply.input)[0]}` : "answer";
  return userText === undefined ? done : `“${userText}”`;
}

function greeting({ window: windowTokens, strategy, store }: DemoFlags, url: string, dashboard: string): string {
  return [
    `A coding agent works on a web shop. Context window: ${formatCount(windowTokens)} tokens. Strategy: ${strategy}${strategy === DEFAULT_STRATEGY ? ", the gateway's default" : ""}.`,
    "While a prompt fits, only repeated lines are replaced by references, which keeps the vendor's prompt cache warm; then it is condensed.",
    "The model is simulated: nothing leaves this machine, and no API key is needed.",
    `Gateway: ${url}`,
    `Dashboard: ${dashboard}`,
    `${store === undefined ? "Nothing is saved." : `The session is saved in ${store}.`} Press Ctrl-C to stop.`,
    "",
    "",
  ].join("\n");
}

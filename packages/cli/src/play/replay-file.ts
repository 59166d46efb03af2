import {
  type Block,
  type Conversation,
  isJsonArray,
  type JsonObject,
  LonghaulError,
  type Message,
  type Tool,
} from "@longhaul/conversation/advanced";
import type { TokenCounter } from "@longhaul/models";
import { BUILT_IN_KIND, UPSTREAM_KINDS } from "@longhaul/models/kinds";
import { codecOf } from "@longhaul/wire";
import { openModels, readInput, type SessionModel } from "../logs/read-session.ts";
import { openProgress, printJson, styleOf } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { userFile } from "../terminal/user-file.ts";
import { askTurn, markLast, type PlayedTurn } from "./ask-turn.ts";
import { describePlay, figuresOf, hasCondensed, turnHead, turnLine } from "./describe-play.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

export interface ReplayFlags {
  readonly strategy: string;
  readonly window?: number;
  readonly turns?: number;
  readonly model?: string;
  readonly store?: string;
  readonly json?: true;
}

export async function replayFile(file: string, flags: ReplayFlags, terminal: Terminal): Promise<void> {
  const { reading } = await readInput(userFile(file, terminal), terminal);
  const session = await openModels().modelOf(reading, flags.model);
  const conversation = playable(reading.conversation);
  const requests = requestsIn(conversation).slice(0, flags.turns);
  if (requests.length === 0) {
    const advice = "choose a session in which the assistant has replied";
    throw new LonghaulError("log.unreadable", `${file} contains no request with a reply; ${advice}`);
  }
  const windowTokens = flags.window ?? windowFor(conversation, requests, session.counter);
  const model = simulatedModel(session);
  const { strategy, store } = flags;
  const sandbox = await openSandbox({ model, windowTokens, strategy, store, script: answerBriefly });
  const stop = new AbortController();
  void terminal.stopped().then(() => stop.abort());
  try {
    const plan = { conversation, requests, model, windowTokens, session: `replay-${Date.now()}` };
    const { turns, refusals } = await play(plan, sandbox, {
      terminal,
      printsTurns: flags.json !== true,
      signal: stop.signal,
    });
    const summary = await sandbox.sessionAfter(plan.session, turns.length);
    const figures = figuresOf({ turns, refusals, windowTokens, summary });
    if (flags.json === true) {
      printJson(
        { file, model, strategy, ...figures, refusals, perTurn: turns.map(({ content: _, ...turn }) => turn) },
        terminal,
      );
    } else terminal.write(`\n${describePlay(figures, styleOf(terminal))}${firstRefusal(refusals)}`);
  } finally {
    await sandbox.close();
  }
}

interface ReplayPlan {
  readonly conversation: Conversation;
  readonly requests: readonly number[];
  readonly model: string;
  readonly windowTokens: number;
  readonly session: string;
}

interface PlayOptions {
  readonly terminal: Terminal;
  readonly printsTurns: boolean;
  /** Aborted to end after the current turn. */
  readonly signal: AbortSignal;
}

async function play(plan: ReplayPlan, { url }: Sandbox, { terminal, printsTurns, signal }: PlayOptions) {
  const { conversation, requests, model, windowTokens, session } = plan;
  const style = styleOf(terminal);
  const turns: PlayedTurn[] = [];
  const refusals: string[] = [];
  const progress = openProgress(terminal);
  if (printsTurns) terminal.write(turnHead(style));
  for (const [index, answer] of requests.entries()) {
    if (signal.aborted) break;
    if (!printsTurns) progress.show(index / requests.length, `turn ${index + 1}`);
    const messages = conversation.messages.slice(0, answer);
    const turn = await refusable(askTurn({ url, session, body: bodyOf({ ...conversation, messages }, model) }));
    if (typeof turn === "string") refusals.push(turn);
    else turns.push(turn);
    if (!printsTurns) continue;
    const isAfterCondensation = hasCondensed(turns);
    const before = turns.at(-2);
    const context = { number: index + 1, what: describeRequest(messages), windowTokens, before, isAfterCondensation };
    terminal.write(
      typeof turn === "string"
        ? `${String(index + 1).padStart(4)}  ${style.bad(turn)}\n`
        : turnLine(turn, context, style),
    );
  }
  progress.end();
  return { turns, refusals };
}

async function refusable(prompt: Promise<PlayedTurn>): Promise<PlayedTurn | string> {
  try {
    return await prompt;
  } catch (error) {
    if (error instanceof LonghaulError) return error.message;
    throw error;
  }
}

const MAX_TOKENS = 1_000;

function bodyOf(conversation: Conversation, model: string): JsonObject {
  const request = { model, conversation, stream: false, sampling: {}, maxOutputTokens: MAX_TOKENS };
  const { body } = codecOf("anthropic-messages").encodeRequest(request, { model });
  const { messages = [] } = body;
  return { ...body, messages: isJsonArray(messages) ? markLast(messages) : messages };
}

/** Answers requests briefly: the recorded answers are used instead. Leaves summaries to the simulator. */
const answerBriefly: Parameters<typeof openSandbox>[0]["script"] = ({ turns, tools }) => {
  const prompt = turns.at(-1)?.texts.join("\n") ?? "";
  if (tools.length === 0 || /summar/i.test(prompt.slice(-SUMMARY_ASK_CHARACTERS))) return undefined;
  return { calls: [], times: 0, ending: { kind: "say", text: "Noted." } };
};

/** The instruction to summarize is at the end of the prompt. */
const SUMMARY_ASK_CHARACTERS = 4_000;

const WINDOW_SHARE = 0.75;

/** Returns a window that the session outgrows, so that it is condensed. */
function windowFor({ system, tools, messages }: Conversation, requests: readonly number[], counter: TokenCounter) {
  const fixed = counter.countSystem(system) + counter.countTools(tools);
  const longest = messages
    .slice(0, requests.at(-1))
    .reduce((sum, message) => sum + counter.countMessage(message), fixed);
  return Math.max(MIN_WINDOW_TOKENS, Math.ceil(WINDOW_SHARE * longest));
}

/** A smaller window has no room for a prompt and an answer. */
const MIN_WINDOW_TOKENS = 4_000;

const DEFAULT_MODEL = "claude-sonnet-4-5";

/** Returns the session's own model if the simulator has its vendor's API, otherwise a Claude model. */
function simulatedModel({ model }: SessionModel): string {
  return model !== undefined && model.vendor === model.platform && SIMULATED.has(model.vendor)
    ? model.id
    : DEFAULT_MODEL;
}

const SIMULATED = new Set(UPSTREAM_KINDS[BUILT_IN_KIND].deployments.map(({ vendor }) => vendor));

function describeRequest(messages: Conversation["messages"]): string {
  const last = messages.at(-1)?.blocks.at(-1);
  if (last?.type === "text") return `“${last.text.trim().replaceAll(/\s+/g, " ")}”`;
  const call = messages.at(-2)?.blocks.findLast(({ type }) => type === "tool-call");
  return call?.type === "tool-call" ? `result of ${call.name}` : (last?.type ?? "");
}

function firstRefusal([first]: readonly string[]): string {
  return first === undefined ? "" : `First rejection: ${first}\n`;
}

/**
 * Returns a recorded session as a new client would send it. Leaves out thinking, because only the vendor that signed it accepts it, and
 * fills in a system prompt and tools, which logs lack.
 */
export function playable({ system, tools, messages }: Conversation): Conversation {
  const spoken = messages.map(withoutThinking).filter(({ blocks }) => blocks.length > 0);
  const first = spoken.findIndex(({ role, blocks }) => role === "user" && blocks[0]?.type !== "tool-result");
  const kept = first === -1 ? [] : spoken.slice(first);
  return {
    system: system.length > 0 ? system : [SYSTEM],
    tools: tools.length > 0 ? tools : toolsIn(kept),
    messages: kept,
  };
}

export function requestsIn({ messages }: Conversation): number[] {
  return [...messages.keys()].filter(
    (index) => index > 0 && messages[index]?.role === "assistant" && messages[index - 1]?.role !== "assistant",
  );
}

function withoutThinking({ role, blocks }: Message): Message {
  return { role, blocks: blocks.filter(({ type }) => type !== "thinking" && type !== "redacted-thinking") };
}

const SYSTEM: Block = { type: "text", text: "You are a careful engineer. Read before you write." };

function toolsIn(messages: readonly Message[]): Tool[] {
  const names = messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === "tool-call" ? block.name : [])),
  );
  const inputSchema = { type: "object", properties: {} };
  return [...new Set(names)].map((name) => ({ name, kind: "function", description: `The tool ${name}.`, inputSchema }));
}

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { fitMessages } from "@longhaul/adapters/langchain";
import { findStrategy, makeRecallMemory, STRATEGIES } from "@longhaul/condense/advanced";
import type { Conversation, JsonValue, Message } from "@longhaul/conversation";
import { sha256 } from "@longhaul/fit";
import { readLog } from "@longhaul/logs";
import { findModel, loadCatalog, makeTokenCounters } from "@longhaul/models";
import { codecNamed } from "@longhaul/wire";
import { afterAll, describe, expect, it } from "vitest";
import { blockText } from "../../packages/admin/src/previews/blocks.ts";
import { SHOWN_CHARS } from "../../packages/admin/src/previews/rows.ts";
import { replay } from "../../packages/admin/src/replays/replay.ts";
import { runLogCommand } from "../../packages/cli/src/testing/run-log-command.ts";
import { makeTerminal } from "../../packages/cli/src/testing/terminal.ts";
import { makeCodingSession } from "./coding-session.ts";
import { asMessages, pathOf } from "./formats.ts";
import { openRig, turn } from "./rig.ts";

/** A request, and the window that it is condensed for. */
interface Session {
  readonly wire: "openai-chat" | "anthropic-messages";
  readonly model: string;
  readonly body: object;
  readonly window: number;
}

/** A strategy and its settings. */
interface Choice {
  readonly strategy: string;
  readonly config: object;
}

/** A condensed conversation, message by message and block by block, and its size. */
interface Condensed {
  readonly messages: readonly Pick<Message, "role" | "blocks">[];
  readonly tokens: number;
}

const counters = makeTokenCounters({ hash: sha256 });

async function counterOf(model: string) {
  return await counters.counterFor(findModel(loadCatalog(), model).model.tokenizer);
}

/** Reads condensed messages by the rules of their format. */
async function condensed({ wire, model, body }: Session, messages: JsonValue): Promise<Condensed> {
  const { conversation } = codecNamed(wire).decodeRequest({ ...body, messages });
  return await sized(model, conversation);
}

/** The bytes that a message was read from are not part of its content. */
async function sized(model: string, { messages, ...rest }: Conversation): Promise<Condensed> {
  const conversation = { ...rest, messages: messages.map(asSystem) };
  const plain = JSON.parse(
    JSON.stringify(conversation.messages, (key, value) => (key === "native" ? undefined : value)),
  );
  return { messages: plain, tokens: (await counterOf(model)).countConversation(conversation) };
}

/** A summary is a tagged user message for models that reject system messages after the start. */
function asSystem(message: Message): Message {
  const [block, ...others] = message.blocks;
  const text =
    block?.type === "text" ? /^<system-reminder>\n(.*)\n<\/system-reminder>$/s.exec(block.text)?.[1] : undefined;
  const isOurs = text?.startsWith("[Earlier conversation summary:") === true && others.length === 0;
  return isOurs && text !== undefined ? { role: "system", blocks: [{ type: "text", text }] } : message;
}

/** Returns the request that the gateway sends upstream, and the texts of its admin API's preview. Summaries are written without a model, as everywhere. */
async function throughGateway(session: Session, { strategy, config }: Choice) {
  const { wire, model, body, window } = session;
  const adminToken = "a-long-admin-token";
  const { maxOutput } = findModel(loadCatalog(), model).model;
  const context = { strategy, strategies: { [strategy]: config }, spendCapUsd: 0 };
  const rig = await openRig({ window, maxOutput, context, config: { server: { port: 0, adminToken } } });
  try {
    const preview = async (more: object) => {
      const answer = await fetch(`${rig.gateway.adminUrl}/api/preview`, {
        method: "POST",
        headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
        body: JSON.stringify({ conversation: { text: JSON.stringify(body) }, limit: 2_000, ...more }),
      });
      return (await answer.json()) as Preview;
    };
    // The reply's usage calibrates the token count, so the preview comes first.
    const { rows, ...figures } = await preview({});
    const cut = rows.find(({ isCut }) => isCut);
    const whole = cut && (await preview({ row: cut.at })).rows[0];
    await rig.post(pathOf({ model, wire }), body);
    const { messages = [] } = (rig.turns()[0]?.body ?? {}) as { messages?: JsonValue };
    const texts = rows.flatMap((row) => textAfter(row === cut ? (whole ?? row) : row));
    return { sent: await condensed(session, messages), preview: { ...figures, texts } };
  } finally {
    await rig.close();
  }
}

interface Preview {
  readonly strategy: string;
  readonly tokensAfter: number;
  readonly messagesAfter: number;
  readonly rows: readonly Row[];
}

interface Row {
  readonly at: number;
  readonly role: string;
  readonly fate: string;
  readonly before?: string;
  readonly after?: string;
  readonly isCut: boolean;
}

/** The text of a row that is still there. A long one may be cut. */
function textAfter({ role, fate, before, after, isCut }: Row) {
  if (role === "system" && fate !== "added") return [];
  const text = after ?? (fate === "kept" ? before : undefined);
  return text === undefined ? [] : [{ text, isCut: isCut && text.length >= SHOWN_CHARS - 1 }];
}

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function throughCommand(session: Session, { strategy, config }: Choice): Promise<Condensed> {
  writeFileSync(join(folder, "body.json"), JSON.stringify(session.body));
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  const terminal = makeTerminal(folder);
  const flags = ["--strategy", strategy, "--config", "config.json", "--window", String(session.window), "--json"];
  await runLogCommand(["condense", "body.json", ...flags], terminal);
  const { messages, tokensAfter } = JSON.parse(terminal.output());
  const result = await condensed(session, messages);
  expect(tokensAfter).toBe(result.tokens);
  return result;
}

/** The last prompt as `analyze` replays it. */
async function throughAnalysis({ model, body, window }: Session, strategy: string): Promise<Condensed | undefined> {
  const reading = readLog(JSON.stringify(body));
  const counter = await counterOf(model);
  const call = { outcome: "finished", prompt: { from: 0, to: reading.conversation.messages.length } } as const;
  const heldTokens = counter.countConversation(reading.conversation);
  const prompts = [{ call, heldTokens, reportedTokens: 0, continues: false }];
  const plan = { reading, prompts, counter, windowTokens: window, memory: makeRecallMemory() };
  const { steps, condensed: last } = replay(findStrategy(strategy), plan);
  if (last === undefined) return undefined;
  const result = await sized(model, last);
  expect(steps[0]?.heldTokens).toBe(result.tokens);
  return result;
}

async function throughAdapter(session: Session, { strategy, config }: Choice): Promise<Condensed> {
  const { model, window, body } = session;
  const fit = fitMessages({ model, windowTokens: window, strategy: findStrategy(strategy), config });
  const { messages } = JSON.parse(JSON.stringify(body)) as { messages: ChatMessage[] };
  const fitted = await fit(messages.map(asLangChain));
  return await condensed(session, fitted.map(asChat));
}

interface ChatMessage {
  readonly role: string;
  readonly content: string | { type: "text"; text: string }[] | null;
  readonly tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

function asLangChain({ role, content, tool_calls: calls = [], tool_call_id = "" }: ChatMessage): BaseMessage {
  const fields = { content: content ?? "" };
  if (role === "user") return new HumanMessage(fields);
  if (role === "tool") return new ToolMessage({ ...fields, tool_call_id });
  const tool_calls = calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, args: JSON.parse(args) }));
  return new AIMessage({ ...fields, tool_calls });
}

/** OpenAI's chat format and the LangChain adapter write the texts of a result as one, because not every model reads a list of parts. */
async function withPlainResults({ model, wire }: Session, { messages, tokens }: Condensed): Promise<Condensed> {
  if (wire !== "openai-chat") return { messages, tokens };
  const joined = messages.map(({ role, blocks }) => {
    const plain = blocks.map((block) =>
      block.type === "tool-result" ? { ...block, content: [{ type: "text" as const, text: blockText(block) }] } : block,
    );
    return { role, blocks: plain };
  });
  return await sized(model, { system: [], tools: [], messages: joined });
}

/** A LangChain message as LangChain's own models write it for OpenAI. */
function asChat(message: BaseMessage): JsonValue {
  const content = JSON.parse(JSON.stringify(message.content));
  if (ToolMessage.isInstance(message)) return { role: "tool", tool_call_id: message.tool_call_id, content };
  if (!AIMessage.isInstance(message)) return { role: message.type === "system" ? "system" : "user", content };
  const calls = (message.tool_calls ?? []).map(({ id = "", name, args }) => {
    return { id, type: "function", function: { name, arguments: JSON.stringify(args) } };
  });
  return { role: "assistant", content, ...(calls.length > 0 && { tool_calls: calls }) };
}

const CONDENSING = STRATEGIES.filter(({ isFinal }) => isFinal !== true).map(({ id }) => id);

/** Condenses a session in every way, and expects the whole conversation to be the same. */
async function expectOnePlan(session: Session, choice: Choice, ways: "all" | "without adapter" = "all"): Promise<void> {
  const { sent, preview } = await throughGateway(session, choice);
  expect(sent.tokens).toBeLessThan(session.window);
  expect(await throughCommand(session, choice)).toEqual(sent);
  const plain = async (result: Condensed | undefined) => result && (await withPlainResults(session, result));
  if (Object.keys(choice.config).length === 0)
    expect(await plain(await throughAnalysis(session, choice.strategy))).toEqual(await plain(sent));
  if (ways === "all") expect(await plain(await throughAdapter(session, choice))).toEqual(await plain(sent));
  expect([preview.strategy, preview.tokensAfter, preview.messagesAfter]).toEqual([
    choice.strategy,
    sent.tokens,
    sent.messages.length,
  ]);
  const texts = sent.messages.flatMap(({ blocks }) => blocks.map(blockText));
  expect(preview.texts.map(({ text }) => text)).toEqual(
    texts.map((text, index) => {
      const shown = preview.texts[index];
      return shown?.isCut === true ? text.slice(0, shown.text.length) : text;
    }),
  );
}

function chatBody(conversation: Conversation): object {
  const request = { model: "gpt-4o", conversation, stream: false, sampling: {} };
  return codecNamed("openai-chat").encodeRequest(request, { model: "gpt-4o" }).body;
}

const TALK = { system: [], tools: [], messages: asMessages(turn(40, 60)) };
const CHAT = { wire: "openai-chat", model: "gpt-4o" } as const;

describe("a conversation is the same in the gateway, previews, `condense`, `analyze` and adapters", () => {
  const talk: Session = { ...CHAT, body: chatBody(TALK), window: 4_000 };
  it.each([
    ...CONDENSING.map((strategy) => ({ strategy, config: {} })),
    { strategy: "middle-out", config: { startShare: 0.4 } },
    { strategy: "native", config: { userShare: 0 } },
  ])("a talk with $strategy and $config", async (choice) => {
    await expectOnePlan(talk, choice);
  });

  const coding: Session = { ...CHAT, body: chatBody({ ...makeCodingSession(40), tools: [] }), window: 30_000 };
  it.each(CONDENSING)("a coding session with %s", async (strategy) => {
    await expectOnePlan(coding, { strategy, config: {} });
  });
});

/** Real sessions, if they are next to the repository. */
const REAL = new URL("../../../shared/data/sessions/", import.meta.url);

describe.runIf(existsSync(REAL))(
  "a real session is the same in the gateway, previews, `condense` and `analyze`",
  () => {
    const session = (): Session => {
      const { conversation } = readLog(readFileSync(new URL("claude-code/large.jsonl", REAL), "utf8"));
      const model = "claude-sonnet-4-5";
      const request = { model, conversation: withoutThinking(conversation), stream: false, sampling: {} };
      const { body } = codecNamed("anthropic-messages").encodeRequest(request, { model });
      return { wire: "anthropic-messages", model, body, window: 100_000 };
    };
    it.each(CONDENSING)("with %s", async (strategy) => {
      await expectOnePlan(session(), { strategy, config: {} }, "without adapter");
    });
  },
);

/** Only the vendor that signed it accepts thinking. */
function withoutThinking({ messages, ...rest }: Conversation): Conversation {
  const left = messages.map(({ role, blocks }) => ({
    role,
    blocks: blocks.filter(({ type }) => !/thinking/.test(type)),
  }));
  return { ...rest, messages: left.filter(({ blocks }) => blocks.length > 0) };
}

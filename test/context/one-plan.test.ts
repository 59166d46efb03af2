import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { fitMessages } from "@longhaul/adapters/langchain";
import { findStrategy, makeRecallMemory } from "@longhaul/condense";
import type { JsonValue } from "@longhaul/conversation";
import { sha256 } from "@longhaul/fit";
import { readLog } from "@longhaul/logs";
import { makeTokenCounters } from "@longhaul/models";
import { codecNamed } from "@longhaul/wire";
import { afterAll, describe, expect, it } from "vitest";
import { replay } from "../../packages/admin/src/replays/replay.ts";
import { runLogCommand } from "../../packages/cli/src/testing/run-log-command.ts";
import { makeTerminal } from "../../packages/cli/src/testing/terminal.ts";
import { makeCodingSession } from "./coding-session.ts";
import { openRig, turn } from "./rig.ts";

const MODEL = "gpt-4o";
const WINDOW = 4_000;
const MESSAGES = turn(40, 60) as readonly { role: "user" | "assistant"; content: string }[];
const BODY = { model: MODEL, messages: MESSAGES };
const counter = await makeTokenCounters({ hash: sha256 }).counterFor("o200k");

/** The role and text of each condensed message, and what they come to. */
interface Condensed {
  readonly roles: readonly string[];
  readonly texts: readonly string[];
  readonly messages: number;
  readonly tokens: number;
}

function condensed(messages: JsonValue): Condensed {
  const { conversation } = codecNamed("openai-chat").decodeRequest({ model: MODEL, messages });
  const texts = conversation.messages.map(({ blocks }) =>
    blocks.map(({ native, ...block }) => (block.type === "text" ? block.text : JSON.stringify(block))).join("\n"),
  );
  const roles = conversation.messages.map(({ role }) => role);
  return { roles, texts, messages: roles.length, tokens: counter.countConversation(conversation) };
}

/** A request, and the window that it is condensed for. */
interface Planned {
  readonly body: object;
  readonly window: number;
}

/** The request that the gateway sends upstream, and its admin API's preview. */
async function throughGateway(context: object, { body, window }: Planned = { body: BODY, window: WINDOW }) {
  const adminToken = "a-long-admin-token";
  const rig = await openRig({ window, maxOutput: 16_384, context, config: { server: { port: 0, adminToken } } });
  try {
    const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
    const conversation = { text: JSON.stringify(body) };
    const answer = await fetch(`${rig.gateway.adminUrl}/api/preview`, {
      method: "POST",
      headers,
      body: JSON.stringify({ conversation }),
    });
    // The reply's usage calibrates the token count, so the preview comes first.
    const preview = await answer.json();
    await rig.post("/v1/chat/completions", body);
    const { messages = [] } = (rig.turns()[0]?.body ?? {}) as { messages?: JsonValue };
    return { sent: condensed(messages), preview };
  } finally {
    await rig.close();
  }
}

async function throughAdapter(strategy: string, config: object): Promise<Condensed> {
  const fit = fitMessages({ model: MODEL, windowTokens: WINDOW, strategy, config });
  const own = MESSAGES.map(({ role, content }) =>
    role === "user" ? new HumanMessage(content) : new AIMessage(content),
  );
  const fitted = await fit(own);
  const messages = fitted.map(({ type, content }) => ({ role: type === "ai" ? "assistant" : "user", content }));
  return condensed(JSON.parse(JSON.stringify(messages)));
}

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function throughCommand(
  strategy: string,
  config: object,
  { body, window }: Planned = { body: BODY, window: WINDOW },
): Promise<Condensed> {
  writeFileSync(join(folder, "body.json"), JSON.stringify(body));
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  const terminal = makeTerminal(folder);
  const flags = ["--strategy", strategy, "--config", "config.json", "--window", String(window), "--json"];
  await runLogCommand(["condense", "body.json", ...flags], terminal);
  const { messages, tokensAfter } = JSON.parse(terminal.output());
  const result = condensed(messages);
  expect(tokensAfter).toBe(result.tokens);
  return result;
}

/** The tokens of the last prompt as `analyze` replays it. */
function throughAnalysis(
  strategy: string,
  { body, window }: Planned = { body: BODY, window: WINDOW },
): number | undefined {
  const reading = readLog(JSON.stringify(body));
  const call = { outcome: "finished", prompt: { from: 0, to: reading.conversation.messages.length } } as const;
  const heldTokens = counter.countConversation(reading.conversation);
  const prompts = [{ call, heldTokens, reportedTokens: 0, continues: false }];
  const plan = { reading, prompts, counter, windowTokens: window, memory: makeRecallMemory() };
  return replay(findStrategy(strategy), plan).steps[0]?.heldTokens;
}

describe.each([
  ["middle-out", {}],
  ["middle-out", { startShare: 0.4 }],
  ["sliding-window", {}],
  ["truncation", {}],
])("%s with %j", (strategy, config) => {
  it("keeps the same messages in the gateway, in previews, in `longhaul condense` and in adapters", async () => {
    const { sent, preview } = await throughGateway({ strategy, strategies: { [strategy]: config } });
    expect(sent.tokens).toBeLessThan(WINDOW);
    expect(await throughCommand(strategy, config)).toEqual(sent);
    // LangChain messages have each text as a part of its own, which changes only the count.
    expect(await throughAdapter(strategy, config)).toEqual({ ...sent, tokens: expect.any(Number) });
    expect(preview).toMatchObject({ strategy, tokensAfter: sent.tokens, messagesAfter: sent.messages });
    const kept = (preview.rows as { fate: string; before: string }[]).filter(({ fate }) => fate === "kept");
    const isSent = (content: string) => sent.texts.some((text) => text === content || text.startsWith(`${content}\n[`));
    expect(MESSAGES.map(({ content }) => content).filter(isSent)).toEqual(kept.map(({ before }) => before));
  });
});

it.each(["middle-out", "sliding-window", "truncation"])(
  "condenses to the same size in `longhaul analyze`: %s",
  async (strategy) => {
    const { tokens } = await throughCommand(strategy, {});
    expect(throughAnalysis(strategy)).toBe(tokens);
  },
);

describe("a coding session with tools", () => {
  const { body } = codecNamed("openai-chat").encodeRequest(
    { model: MODEL, conversation: { ...makeCodingSession(40), tools: [] }, stream: false, sampling: {} },
    { model: MODEL },
  );
  const planned = { body, window: 30_000 };

  it.each(["smart", "lossless", "middle-out", "truncation", "sliding-window", undefined])(
    "is condensed in the same way by the gateway, previews, `longhaul condense` and `longhaul analyze`: %s",
    async (chosen) => {
      const { sent, preview } = await throughGateway(chosen === undefined ? {} : { strategy: chosen }, planned);
      const { strategy, tokensAfter, messagesAfter } = preview;
      if (chosen !== undefined) expect(strategy).toBe(chosen);
      expect(sent.tokens).toBeLessThan(planned.window);
      expect(await throughCommand(strategy, {}, planned)).toEqual(sent);
      expect([tokensAfter, messagesAfter]).toEqual([sent.tokens, sent.messages]);
      expect(throughAnalysis(strategy, planned)).toBe(sent.tokens);
    },
  );
});

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
import { replay } from "../../packages/cli/src/analyze/replay.ts";
import { runLogCommand } from "../../packages/cli/src/testing/run-log-command.ts";
import { makeTerminal } from "../../packages/cli/src/testing/terminal.ts";
import { openRig, turn } from "./rig.ts";

const MODEL = "gpt-4o";
const WINDOW = 4_000;
const MESSAGES = turn(40, 60) as readonly { role: "user" | "assistant"; content: string }[];
const BODY = { model: MODEL, messages: MESSAGES };
const counter = await makeTokenCounters({ hash: sha256 }).counterFor("o200k");

/** The texts of a condensed conversation, and what they come to. */
interface Condensed {
  readonly texts: readonly string[];
  readonly tokens: number;
}

function condensed(messages: JsonValue): Condensed {
  const { conversation } = codecNamed("openai-chat").decodeRequest({ model: MODEL, messages });
  const texts = conversation.messages.flatMap(({ blocks }) =>
    blocks.map((block) => (block.type === "text" ? block.text : "")),
  );
  return { texts, tokens: counter.countConversation(conversation) };
}

/** The request that the gateway sends upstream, and its admin API's preview. */
async function throughGateway(strategy: string, config: object) {
  const adminToken = "a-long-admin-token";
  const context = { strategy, strategies: { [strategy]: config } };
  const rig = await openRig({ window: WINDOW, context, config: { server: { port: 0, adminToken } } });
  try {
    const headers = { authorization: `Bearer ${adminToken}`, "content-type": "application/json" };
    const conversation = { text: JSON.stringify(BODY) };
    const answer = await fetch(`${rig.gateway.adminUrl}/api/preview`, {
      method: "POST",
      headers,
      body: JSON.stringify({ conversation }),
    });
    // The reply's usage calibrates the token count, so the preview comes first.
    const preview = await answer.json();
    await rig.post("/v1/chat/completions", BODY);
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
  return condensed(
    fitted.map((message) => ({ role: message.type === "ai" ? "assistant" : "user", content: message.text })),
  );
}

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function throughCommand(strategy: string, config: object): Promise<Condensed> {
  writeFileSync(join(folder, "body.json"), JSON.stringify(BODY));
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  const terminal = makeTerminal(folder);
  const flags = ["--strategy", strategy, "--config", "config.json", "--window", String(WINDOW), "--json"];
  await runLogCommand(["condense", "body.json", ...flags], terminal);
  const { messages, tokensAfter } = JSON.parse(terminal.output());
  const result = condensed(messages);
  expect(tokensAfter).toBe(result.tokens);
  return result;
}

/** The tokens of the last prompt as `analyze` replays it. */
function throughAnalysis(strategy: string): number | undefined {
  const reading = readLog(JSON.stringify(BODY));
  const call = { outcome: "finished", prompt: { from: 0, to: MESSAGES.length } } as const;
  const heldTokens = counter.countConversation(reading.conversation);
  const prompts = [{ call, heldTokens, reportedTokens: 0, continues: false }];
  const plan = { reading, prompts, counter, windowTokens: WINDOW, memory: makeRecallMemory() };
  return replay(findStrategy(strategy), plan).steps[0]?.heldTokens;
}

describe.each([
  ["middle-out", {}],
  ["middle-out", { startShare: 0.4 }],
  ["sliding-window", {}],
  ["truncation", {}],
])("%s with %j", (strategy, config) => {
  it("keeps the same messages in the gateway, in previews, in `longhaul condense` and in adapters", async () => {
    const { sent, preview } = await throughGateway(strategy, config);
    expect(sent.tokens).toBeLessThan(WINDOW);
    expect(await throughCommand(strategy, config)).toEqual(sent);
    expect(await throughAdapter(strategy, config)).toEqual(sent);
    expect(preview).toMatchObject({ strategy, tokensAfter: sent.tokens, messagesAfter: sent.texts.length });
    const kept = (preview.rows as { fate: string; before: string }[]).filter(({ fate }) => fate === "kept");
    expect(sent.texts.filter((text) => MESSAGES.some(({ content }) => content === text))).toEqual(
      kept.map(({ before }) => before),
    );
  });
});

it.each(["middle-out", "sliding-window", "truncation"])(
  "condenses to the same size in `longhaul analyze`: %s",
  async (strategy) => {
    const { tokens } = await throughCommand(strategy, {});
    expect(throughAnalysis(strategy)).toBe(tokens);
  },
);

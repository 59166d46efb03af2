import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { condense, condenseIfNeeded, defineStrategy, estimate } from "@longhaul/condense";
import { LonghaulError, textMessage } from "@longhaul/conversation";
import { makeRoughCounter, makeTokenCounters } from "@longhaul/models";
import fc from "fast-check";
import { it } from "vitest";
import { fitToWindow } from "./ai-sdk/fit-to-window.ts";
import * as langChain from "./langchain/fit-messages.ts";
import { condenseMessages, fitMessages } from "./messages/condense-messages.ts";

const circular: Record<string, unknown> = {};
circular.self = circular;

/** Values that plain JavaScript may pass anywhere. */
const anyWrong = fc.constantFrom<unknown>(
  undefined,
  null,
  0,
  -1,
  Number.NaN,
  "",
  "text",
  true,
  [],
  [null],
  ["text"],
  {},
  { type: "text" },
  { length: {} },
  circular,
  10n,
  Symbol("s"),
  () => "text",
  new Map(),
  new Date(0),
  new Uint8Array(2),
);

const TEXT = "A line of a file that says something of its own.\n".repeat(60);

const SAMPLES: readonly unknown[][] = [
  [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "Read." },
        { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
      ],
    },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", type: "function", function: { name: "read", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "c", content: TEXT },
    { role: "user", content: "And?" },
  ],
  [
    { role: "user", content: "Read." },
    { type: "reasoning", id: "r", summary: [{ type: "summary_text", text: "Hm." }] },
    { type: "function_call", call_id: "c", name: "read", arguments: "{}" },
    { type: "function_call_output", call_id: "c", output: TEXT },
    { role: "user", content: [{ type: "input_text", text: "And?" }] },
  ],
  [
    { role: "user", content: "Read." },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "s" },
        { type: "tool_use", id: "c", name: "read", input: {} },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: TEXT }] },
        { type: "text", text: "And?" },
      ],
    },
  ],
  [
    { role: "user", content: [{ type: "input_image", image: { id: "file" } }] },
    { type: "reasoning", id: "r", content: [{ type: "input_text", text: "Hm." }] },
    { type: "function_call", callId: "c", name: "read", arguments: "{}", status: "completed" },
    {
      type: "function_call_result",
      callId: "c",
      name: "read",
      status: "completed",
      output: { type: "text", text: TEXT },
    },
    { type: "message", role: "user", content: [{ type: "input_text", text: "And?" }] },
  ],
  [
    { role: "user", parts: [{ text: "Read." }] },
    { role: "model", parts: [{ functionCall: { id: "c", name: "read", args: {} } }] },
    { role: "user", parts: [{ functionResponse: { id: "c", name: "read", response: { output: TEXT } } }] },
    { role: "user", parts: [{ text: "And?" }] },
  ],
  [
    { role: "system", content: "Be brief." },
    {
      role: "user",
      content: [
        { type: "text", text: "Read." },
        { type: "image", image: "AQID", mediaType: "image/png" },
        { type: "file", data: "AQID", mediaType: "application/pdf" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm.", providerOptions: { anthropic: { signature: "s" } } },
        { type: "tool-call", toolCallId: "c", toolName: "read", input: {} },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "c",
          toolName: "read",
          output: { type: "content", value: [{ type: "text", text: TEXT }] },
        },
      ],
    },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "d", toolName: "read", output: { type: "text", value: TEXT } }],
    },
    { role: "user", content: "And?" },
  ],
];

/** Replaces one value inside a value, at a random place. */
function replaced(value: unknown, steps: readonly number[], wrong: unknown): unknown {
  const [step = 0, ...rest] = steps;
  if (steps.length === 0 || typeof value !== "object" || value === null) return wrong;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return wrong;
  const inner = replaced(Reflect.get(value, key), rest, wrong);
  return Array.isArray(value) ? value.with(Number(key), inner) : { ...value, [key]: inner };
}

const anySteps = fc.array(fc.nat(12), { maxLength: 6 });

/** Calls a function with arguments that its types do not allow. Only a plain error of our own is fine. */
async function call(run: (...given: never[]) => unknown, ...given: readonly unknown[]): Promise<void> {
  try {
    await Reflect.apply(run, undefined, given);
  } catch (error) {
    if (!(error instanceof LonghaulError) || error.code === "internal.bug") throw error;
  }
}

const OPTIONS = { model: "gpt-4.1", budget: 700, onWarning: () => {} } as const;

it("accepts or refuses messages with any wrong value, in any format", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SAMPLES), anySteps, anyWrong, async (sample, steps, wrong) => {
      const messages = replaced(sample, steps, wrong);
      await call(condenseMessages, messages, OPTIONS);
      for (const format of ["ai-sdk", "openai-agents"]) await call(condenseMessages, messages, { ...OPTIONS, format });
    }),
    { numRuns: 500 },
  );
});

const anyOption = fc.constantFrom(
  ...["model", "format", "system", "tools", "maxOutputTokens", "summarize", "budget", "windowTokens", "reservedTokens"],
  ...["thresholdPercent", "memory", "onCondensed", "onWarning", "hash", "strategy", "config", "counter", "fallbacks"],
);

const conversation = { system: [], tools: [], messages: [textMessage("user", "Hi."), textMessage("assistant", TEXT)] };
const counter = makeRoughCounter();
const budget = { windowTokens: 500, reservedTokens: 100 };

it("accepts or refuses options with any wrong value", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...SAMPLES), anyOption, anyWrong, async (sample, name, wrong) => {
      const options = { ...OPTIONS, strategy: "native", [name]: wrong };
      await call(condenseMessages, sample, options);
      await call(async (given: never) => await fitMessages(given)(sample), options);
      await call(fitToWindow, options);
      await call(async (given: never) => await langChain.fitMessages(given)([new HumanMessage("Hi.")]), options);
      for (const run of [condense, condenseIfNeeded, estimate])
        await call(run, conversation, { counter, budget, strategy: "smart", [name]: wrong });
      await call(condense, conversation, { counter, budget: { ...budget, [name]: wrong } });
    }),
    { numRuns: 300 },
  );
});

async function condenseWith(definition: never): Promise<void> {
  await condense(conversation, { counter, budget, strategy: defineStrategy(definition) });
}

it("accepts or refuses any wrong value as a whole argument", async () => {
  await fc.assert(
    fc.asyncProperty(anyWrong, async (wrong) => {
      const odd = [
        Object.assign(new AIMessage("x"), { content: wrong }),
        Object.assign(new AIMessage("x"), { tool_calls: wrong }),
      ];
      for (const messages of [wrong, [wrong], [new HumanMessage("Hi."), ...odd]]) {
        await call(langChain.fitMessages(OPTIONS), messages);
        await call(langChain.condenseMessages, messages, OPTIONS);
      }
      await call(langChain.fitMessagesHook(OPTIONS), wrong);
      for (const run of [fitMessages, fitToWindow, langChain.fitMessages, defineStrategy]) await call(run, wrong);
      for (const field of ["id", "schema", "passes", "capabilities", "name"])
        await call(condenseWith, { id: "own", passes: () => [], [field]: wrong });
      await call(condenseWith, { id: "own", passes: () => wrong });
      await call(makeTokenCounters().counterFor, wrong);
      await call(condenseMessages, SAMPLES[0], wrong);
      for (const run of [condense, condenseIfNeeded, estimate]) {
        await call(run, conversation, wrong);
        for (const given of [
          wrong,
          { ...conversation, messages: wrong },
          { ...conversation, messages: [wrong] },
          { ...conversation, system: wrong },
        ])
          await call(run, given, { counter, budget });
        await call(run, { ...conversation, messages: [{ role: "user", blocks: wrong }] }, { counter, budget });
        await call(run, { ...conversation, messages: [{ role: "user", blocks: [wrong] }] }, { counter, budget });
      }
    }),
    { numRuns: 60 },
  );
});

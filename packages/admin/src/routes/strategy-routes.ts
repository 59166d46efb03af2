import {
  askFor,
  checkWith,
  defaultPrompts,
  guideOf,
  PROMPT_PLACEHOLDERS,
  promptFaults,
  renderAsk,
  STRATEGIES,
} from "@longhaul/condense/advanced";
import { isJsonObject, LonghaulError, type Message } from "@longhaul/conversation/advanced";
import { findModel } from "@longhaul/models";
import { findSetting } from "@longhaul/settings";
import { checkedPromptSchema, promptBodySchema, promptsSchema, strategiesSchema } from "../api/strategies.ts";
import { type AdminContext, type Route, route } from "./route.ts";

export const STRATEGY_ROUTES: readonly Route[] = [
  route("GET", "/strategies", {
    summary: "Lists the strategies with their descriptions and settings schemas.",
    answer: strategiesSchema,
    run: async () => ({
      strategies: STRATEGIES.map((given) => {
        const { schema, guide: _guide, passes: _passes, ...strategy } = given;
        const checked = checkWith(schema, {});
        return {
          ...strategy,
          ...shownOf(guideOf(given)),
          schema: { ...findSetting(["context", "strategies", strategy.id])?.schema },
          defaults: "value" in checked && isJsonObject(checked.value) ? checked.value : {},
          docs: `/docs/strategies/${strategy.id}.html`,
        };
      }),
    }),
  }),
  route("GET", "/prompts", {
    summary: "Lists the default prompts.",
    answer: promptsSchema,
    run: async () => ({
      prompts: defaultPrompts().map((prompt) => ({ ...prompt, strategies: [...prompt.strategies] })),
      placeholders: PROMPT_PLACEHOLDERS.map((name) => `{${name}}`),
    }),
  }),
  route("POST", "/prompts/check", {
    summary: "Validates a prompt and shows the request that a model would get.",
    body: promptBodySchema,
    answer: checkedPromptSchema,
    run: async ({ body: { prompt, profile } }, context) => {
      const { tokenizer, windowTokens } = summarizerOf(profile, context);
      const counter = await context.fitting.counters.counterFor(tokenizer);
      const ask = askFor({ messages: EXAMPLE, prompt, maxTokens: PREVIEW_TOKENS }, counter);
      return {
        faults: promptFaults(prompt, { counter, windowTokens }),
        tokens: Math.ceil(counter.countText(prompt)),
        preview: renderAsk(ask),
      };
    },
  }),
];

/** Removes the fields of a guide that the strategies page does not show. */
function shownOf({ prompts: _, recommendation: __, firstSettings, ...guide }: ReturnType<typeof guideOf>) {
  return { ...guide, ...(firstSettings && { firstSettings: [...firstSettings] }) };
}

const PREVIEW_TOKENS = 4_000;

const EXAMPLE: readonly Message[] = [
  { role: "user", blocks: [{ type: "text", text: "Why does the build fail? Do not touch the lockfile." }] },
  {
    role: "assistant",
    blocks: [{ type: "tool-call", id: "call_1", name: "run", input: { command: "npm run build" } }],
  },
  {
    role: "user",
    blocks: [
      {
        type: "tool-result",
        callId: "call_1",
        isError: true,
        content: [{ type: "text", text: "src/app.ts(12,7): error TS2322: Type 'string' is not assignable." }],
      },
    ],
  },
];

/** Returns the summarizer's tokenizer and window. For conversations that use their own model, the defaults of an unknown model. */
function summarizerOf(name: string | undefined, { snapshots }: AdminContext) {
  const { config, catalog } = snapshots.current();
  const chosen = name ?? config.context.summarizer;
  const profile = chosen === undefined ? undefined : config.profiles[chosen];
  if (chosen !== undefined && profile === undefined) {
    throw new LonghaulError("request.not-kept", `profile "${chosen}" not found`);
  }
  const { model } = findModel(catalog, profile?.model ?? "");
  return { tokenizer: model.tokenizer, windowTokens: profile?.window ?? model.window };
}

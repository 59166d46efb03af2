import { compileGlob } from "../packages/models/src/catalog/rule.ts";

/** Which source is right if the two sources of the catalog differ by more than the tolerance, and why. */
export interface Decision {
  /** A glob over `platform/id`. */
  readonly match: string;
  readonly about: "window" | "prices";
  readonly wins: "pi-ai" | "genai-prices";
  readonly why: string;
}

/** Maintained by hand: the first matching line decides a disagreement. The tests fail for a disagreement without a decision. */
export const DECISIONS: readonly Decision[] = [
  {
    match: "openai/gpt-{5.4,5.5,5.6-luna,5.6-sol,5.6-terra,6-astra,6-luna,6-sol}",
    about: "window",
    wins: "genai-prices",
    why: "pi-ai stops at 272,000, where the price doubles; OpenAI accepts 922,000, and pi-ai's own OpenRouter rows say 1,050,000",
  },
  {
    match: "{openai/gpt-5-chat-latest,openrouter/openai/gpt-5.2-chat}",
    about: "window",
    wins: "pi-ai",
    why: "genai-prices files the chat model under the reasoning model of the same price, whose window is larger",
  },
  {
    match: "openrouter/~*-latest",
    about: "window",
    wins: "pi-ai",
    why: "the name moved to a newer model after genai-prices was published",
  },
  {
    match: "openrouter/{deepseek/deepseek-chat-v3-0324,z-ai/glm-5.3-flash}",
    about: "window",
    wins: "pi-ai",
    why: "the smaller of the two: what OpenRouter offers depends on the current endpoint",
  },
  {
    match: "bedrock/mistral.ministral-3-3b-instruct",
    about: "window",
    wins: "genai-prices",
    why: "the smaller of the two: AWS gives no number, and a window that is too large loses requests",
  },
  {
    match: "bedrock/{,us.}writer.palmyra-x5-v1:0",
    about: "window",
    wins: "pi-ai",
    why: "Writer's page says one million; 128,000 is that of Palmyra X4",
  },
  {
    match: "*claude-sonnet-5-5",
    about: "prices",
    wins: "pi-ai",
    why: "genai-prices doesn't have the model yet: its rule for Sonnet 5 catches it",
  },
  {
    match: "anthropic/claude-sonnet-4-5*",
    about: "prices",
    wins: "genai-prices",
    why: "with the 1M beta the prompt can exceed 200,000, where Anthropic charges double; pi-ai omits the tier",
  },
  {
    match: "vertex/gemini-*",
    about: "prices",
    wins: "genai-prices",
    why: "Vertex has the same tier at 200,000 as the Gemini API; pi-ai lists it only for the latter",
  },
  {
    match: "bedrock/anthropic.*",
    about: "prices",
    wins: "genai-prices",
    why: "a call without `global.` stays in its region, which costs 10% more; pi-ai has that for some ids only",
  },
  {
    match: "bedrock/{apac,ca,eu,jp}.amazon.nova*",
    about: "prices",
    wins: "pi-ai",
    why: "prices differ by region; genai-prices has those of the United States only",
  },
  {
    match: "bedrock/us-gov.*",
    about: "prices",
    wins: "pi-ai",
    why: "GovCloud has its own prices; genai-prices has none for it",
  },
  { match: "mistral/*-latest", about: "prices", wins: "pi-ai", why: "the name moved to a newer and cheaper model" },
  {
    match: "mistral/labs-devstral-small-2512",
    about: "prices",
    wins: "genai-prices",
    why: "the free trial that pi-ai lists ends; a price of zero would hide the spending",
  },
  {
    match: "groq/openai/gpt-oss-safeguard-20b",
    about: "prices",
    wins: "pi-ai",
    why: "the newer source, after a price cut",
  },
  {
    match: "openrouter/*",
    about: "prices",
    wins: "pi-ai",
    why: "OpenRouter lists its currently cheapest endpoint: the newer source is closer, and neither is exact",
  },
];

/** Returns the decision on a disagreement about one field of `platform/id`, if there is one. */
export function decide(model: string, field: string): Decision | undefined {
  const about = field === "window" ? "window" : "prices";
  const subject = { platform: "", id: model, name: model };
  return DECISIONS.find((line) => line.about === about && compileGlob(line.match)(subject));
}

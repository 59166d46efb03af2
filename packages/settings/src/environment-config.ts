import type { Environment } from "./interpolate.ts";

/** The Claude tiers that a client asks for, and the variable that says which model serves each. */
const TIERS = [
  ["*opus*", "BIG_MODEL"],
  ["*sonnet*", "MIDDLE_MODEL"],
  ["*haiku*", "SMALL_MODEL"],
] as const;

/** A vendor that the environment alone can set up. */
interface Vendor {
  readonly name: string;
  /** All of these must be set. */
  readonly needs: readonly string[];
  readonly upstream: Readonly<Record<string, string>>;
  readonly models: readonly string[];
}

/** In the order in which they serve a model that several of them have. */
const VENDORS: readonly Vendor[] = [
  {
    name: "anthropic",
    needs: ["ANTHROPIC_API_KEY"],
    upstream: { kind: "anthropic", apiKey: "ANTHROPIC_API_KEY", baseUrl: "ANTHROPIC_BASE_URL" },
    models: ["claude-*", "anthropic/*"],
  },
  {
    name: "openai",
    needs: ["OPENAI_API_KEY"],
    upstream: { kind: "openai", apiKey: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" },
    models: [
      ...["gpt-*", "o1*", "o3*", "o4*", "chatgpt-*", "codex-*", "openai/*"],
      ...["text-embedding-*", "omni-moderation-*", "whisper-*", "tts-*", "dall-e-*"],
    ],
  },
  {
    name: "gemini",
    needs: ["GEMINI_API_KEY"],
    upstream: { kind: "gemini", apiKey: "GEMINI_API_KEY", baseUrl: "GOOGLE_GEMINI_BASE_URL" },
    models: ["gemini-*", "google/*", "models/gemini-*"],
  },
  {
    name: "bedrock",
    needs: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"],
    upstream: {
      kind: "bedrock",
      accessKeyId: "AWS_ACCESS_KEY_ID",
      secretAccessKey: "AWS_SECRET_ACCESS_KEY",
      sessionToken: "AWS_SESSION_TOKEN",
      region: "AWS_REGION",
    },
    models: ["*anthropic.claude-*", "claude-*"],
  },
  {
    name: "vertex",
    needs: ["GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"],
    upstream: {
      kind: "vertex",
      credentialsFile: "GOOGLE_APPLICATION_CREDENTIALS",
      project: "GOOGLE_CLOUD_PROJECT",
      region: "GOOGLE_CLOUD_LOCATION",
    },
    models: ["claude-*", "gemini-*"],
  },
  {
    name: "openrouter",
    needs: ["OPENROUTER_API_KEY"],
    upstream: { kind: "openrouter", apiKey: "OPENROUTER_API_KEY", baseUrl: "OPENROUTER_BASE_URL" },
    models: ["*"],
  },
];

/**
 * The configuration that the environment alone describes, as it would stand in a file: an upstream with its routes for every vendor whose
 * key is set, and the simulator where there is none.
 */
export function environmentConfig(environment: Environment): unknown {
  const present = VENDORS.filter(({ needs }) => needs.every((name) => environment[name]));
  if (present.length === 0) {
    return { upstreams: { simulator: { kind: "simulator" } }, routes: [{ match: "*", upstream: "simulator" }] };
  }
  const upstreams = Object.fromEntries(present.map(({ name, upstream }) => [name, filled(upstream, environment)]));
  return { upstreams, routes: [...tierRoutes(environment, present), ...vendorRoutes(present)] };
}

/** Only `kind` is a value; the rest names variables. */
function filled(upstream: Vendor["upstream"], environment: Environment): Record<string, string> {
  const entries = Object.entries(upstream).map(([key, value]) => [key, key === "kind" ? value : environment[value]]);
  return Object.fromEntries(entries.filter(([, value]) => value));
}

function tierRoutes(environment: Environment, present: readonly Vendor[]): unknown[] {
  return TIERS.flatMap(([match, variable]) => {
    const model = environment[variable];
    const vendor = present.find(({ models }) => models.some((pattern) => matchesModel(pattern, model ?? "")));
    return model && vendor ? [{ match: `claude-${match}`, upstream: vendor.name, model }] : [];
  });
}

function vendorRoutes(present: readonly Vendor[]): unknown[] {
  const patterns = [...new Set(present.flatMap(({ models }) => models))];
  const ordered = [...patterns.filter((pattern) => pattern !== "*"), ...patterns.filter((pattern) => pattern === "*")];
  const routes = ordered.map((match) => {
    const names = present.filter(({ models }) => models.includes(match)).map(({ name }) => name);
    return { match, upstream: names };
  });
  const first = present[0];
  const hasLast = patterns.includes("*") || first === undefined;
  return hasLast ? routes : [...routes, { match: "*", upstream: [first.name] }];
}

/** Whether a model's name matches a pattern in which `*` stands for anything; upper and lower case are the same. */
export function matchesModel(pattern: string, model: string): boolean {
  const expression = pattern
    .split("*")
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${expression}$`, "is").test(model);
}

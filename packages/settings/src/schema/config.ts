import { RECOGNIZED_KINDS, UPSTREAM_KIND_NAMES } from "@longhaul/models/kinds";
import { z } from "zod";
import { DEFAULT_PORT } from "../environment/environment-config.ts";
import { compactionSchema, contextOverrides, contextSchema } from "./context-config.ts";
import { alertsSchema, contentsSchema, eventsSchema, telemetrySchema } from "./events-config.ts";
import { AT_START, NOT_STORED, OUTSIDE_STORE, SECRET } from "./marks.ts";
import { CONFIG_VERSION } from "./migrate-config.ts";
import { reasoningSchema } from "./reasoning-config.ts";

const MAX_PORT = 65_535;
/** Long enough to resist guessing. */
const MIN_ADMIN_TOKEN_CHARS = 16;
const PORT_ADVICE = {
  error: ({ input }: { readonly input: unknown }) =>
    `must be an integer from 0 to ${MAX_PORT}, not ${JSON.stringify(input)}`,
};
const port = z.int(PORT_ADVICE).min(0, PORT_ADVICE).max(MAX_PORT, PORT_ADVICE);
const seconds = z.number().positive();
const mebibytes = z.number().positive();
const text = z.string().min(1);
const count = z.int().positive();
const name = z.string().regex(/^[\w.-]+$/);

/** Whether clients need a gateway key. */
export const KEY_MODES = ["auto", "required", "off"] as const;

/** Whether keys may use data that vendors store in the operator's account. */
const STATEFUL_MODES = ["off", "shared"] as const;

const server = z.strictObject({
  host: text.default("127.0.0.1").describe("Address to listen on.").meta(AT_START),
  port: port.default(DEFAULT_PORT).describe("Port to listen on; 0 chooses a free one.").meta(AT_START),
  adminPort: port
    .optional()
    .describe(
      "Port of the dashboard, the admin API and /metrics. Default: `port` if `host` is a loopback address, else the next port. A separate port is safer, because browsers then treat the model API as a separate origin.",
    )
    .meta(AT_START),
  adminHost: text
    .optional()
    .describe(
      "Address of the admin port. Default: `host` if it is a loopback address, else 127.0.0.1, so that only this machine can reach the dashboard.",
    )
    .meta(AT_START),
  adminToken: z
    .string()
    .min(MIN_ADMIN_TOKEN_CHARS)
    .optional()
    .describe(
      "Token for programs that use the admin API, and for signing in to the dashboard. Without it, only the links that the gateway prints sign in.",
    )
    .meta({ ...SECRET, ...OUTSIDE_STORE }),
  keys: z
    .enum(KEY_MODES)
    .default("auto")
    .describe(
      "Whether clients need a gateway key: `required`, `off`, or `auto`, which requires one as soon as a key exists or `host` is not a loopback address.",
    ),
  statefulEndpoints: z
    .enum(STATEFUL_MODES)
    .default("off")
    .describe(
      "Whether gateway keys may use vendor APIs that store data in the operator's account (files, batches, vector stores, stored responses, conversations): `off` rejects such requests unless the client sends its own vendor credential, `shared` gives every key access to all of that data.",
    ),
  workers: z
    .int()
    .min(0)
    .default(1)
    .describe("Number of processes that listen on `port`; 0 starts one per processor core.")
    .meta(NOT_STORED),
  bodyLimitMiB: mebibytes.default(64).describe("Maximum size of a decompressed request body."),
  bodiesInFlightMiB: mebibytes
    .optional()
    .describe(
      "Memory for all request bodies over 1 MiB in one process; further ones get 503 with retry-after. Default: a quarter of the machine's memory.",
    ),
  requestTimeoutSeconds: seconds
    .default(120)
    .describe("Time limit for receiving a request body; after it, the client gets 408 and the connection is closed."),
  maxRequests: count
    .default(1_000)
    .describe("Maximum number of concurrent requests; further ones get 503 with retry-after."),
  drainSeconds: seconds.default(600).describe("Time for requests in flight to finish after a stop signal."),
  hosts: z
    .array(text)
    .default([])
    .describe(
      "Accepted values of the Host header, in addition to loopback names, IP addresses and `host`. Web pages on other hosts cannot send requests without a key.",
    ),
});

const timeouts = z.strictObject({
  connectSeconds: seconds.default(10).describe("Time limit for connecting."),
  firstByteSeconds: seconds.default(120).describe("Time limit for the first byte of a response."),
  idleSeconds: seconds
    .default(300)
    .describe("Time limit between two chunks of a response. Its total duration is not limited."),
});

/** The schema of one upstream. */
export const upstreamSchema = z.strictObject({
  kind: z.enum(UPSTREAM_KIND_NAMES).describe("Vendor or type of API."),
  baseUrl: z
    .url({ protocol: /^https?$/, error: "must be a URL that starts with http:// or https://" })
    .optional()
    .describe(
      "Base URL as in the vendor's own SDK: with /v1 for OpenAI and compatible APIs, without it for Anthropic and Gemini. A user name and password in it are sent as `authorization: Basic` instead of the client's credential.",
    ),
  apiKey: text
    .optional()
    .describe("API key for the upstream. Without it, the client's own credential is forwarded.")
    .meta(SECRET),
  region: text.optional().describe("AWS region or Google location."),
  project: text.optional().describe("Google Cloud project."),
  credentialsFile: text.optional().describe("Google service-account file."),
  accessKeyId: text.optional().describe("AWS access key ID.").meta(SECRET),
  secretAccessKey: text.optional().describe("AWS secret access key.").meta(SECRET),
  sessionToken: text.optional().describe("AWS session token.").meta(SECRET),
  wire: text.optional().describe("API format, if the upstream supports both: openai-chat or openai-responses."),
  window: count
    .optional()
    .describe("Context window of the upstream's models in tokens, if the catalog's is wrong or missing."),
  headers: z.record(z.string(), z.string()).default({}).describe("Additional headers for every request.").meta(SECRET),
  blockedBetas: z
    .array(text)
    .optional()
    .describe(
      "Values of `anthropic-beta` that the upstream's credential cannot use. They are removed, with the body fields that they enable.",
    ),
  timeouts: timeouts.prefault({}).describe("Time limits for the upstream's responses."),
  eventLimitMiB: z
    .int()
    .min(1)
    .max(1_024)
    .default(32)
    .describe("Maximum size of one event of a streamed response. A larger one ends the stream with an error."),
  maxRetries: z
    .int()
    .min(0)
    .default(2)
    .describe("Retries before the next upstream is used, as long as the client has not received a byte."),
  saysSimulated: z
    .boolean()
    .optional()
    .describe(
      "Whether the simulator's answers say that they are simulated, in their text and in `x-longhaul-simulated`. It is `true` if nothing is configured.",
    ),
});

const route = z.strictObject({
  match: text.describe("Model name, with `*` as a wildcard. The first matching route is used."),
  credential: z
    .enum(RECOGNIZED_KINDS.map(({ kind }) => kind))
    .optional()
    .describe("Limits the route to requests that carry this vendor's own API key or OAuth token."),
  upstream: z.union([text, z.array(text).min(1)]).describe("The upstream, or a list of upstreams to try in order."),
  model: text.optional().describe("The model's name at the upstream, if it differs."),
  models: z
    .record(z.string(), text)
    .optional()
    .describe("The model's name by upstream, for failover to another vendor."),
  profile: text.optional().describe("Profile whose settings apply to the route."),
  context: contextOverrides.optional().describe("Context settings of this route."),
  reasoning: reasoningSchema.optional().describe("Reasoning settings of this route."),
});

/** USD per million tokens. */
const price = z.number().nonnegative();

const prices = z.strictObject({
  input: price.describe("USD per million input tokens."),
  output: price.describe("USD per million output tokens."),
  cacheRead: price.optional().describe("USD per million tokens read from the prompt cache. Default: the input price."),
  cacheWrite: price
    .optional()
    .describe("USD per million tokens written to the prompt cache. Default: the vendor's multiple of the input price."),
});

const profile = z.strictObject({
  upstream: text.optional().describe("Upstream of the profile's model. Required for a profile that writes summaries."),
  model: text.optional().describe("The model's name at the upstream."),
  window: count
    .optional()
    .describe("Context window of the model in tokens. Overrides the upstream's and the catalog's."),
  maxOutputTokens: count.optional().describe("Maximum output tokens of the model. Default: from the catalog."),
  prices: prices.optional().describe("Prices of the model. Default: from the catalog."),
  context: contextOverrides.optional().describe("Context settings of the routes that use this profile."),
  reasoning: reasoningSchema.optional().describe("Reasoning settings of the routes that use this profile."),
});

const store = z.strictObject({
  path: text
    .optional()
    .describe("SQLite database file. Default: longhaul.db in the user's data folder.")
    .meta(NOT_STORED),
  url: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, "must be a URL that starts with postgres:// or postgresql://")
    .optional()
    .describe("PostgreSQL database instead of a file, for several gateways: postgres://user:password@host:5432/name.")
    .meta({ ...NOT_STORED, ...SECRET }),
  waitSeconds: seconds
    .default(0.1)
    .describe(
      "How long a request waits for the database to return earlier condensations before it continues without them.",
    ),
});

/** Log levels, from everything to nothing. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const log = z.strictObject({
  tokens: z.boolean().default(false).describe("Whether to count the tokens of every prompt and log them."),
  level: z.enum(LOG_LEVELS).default("info").describe("Minimum level of log entries."),
});

const responses = z.strictObject({
  store: z
    .enum(["on", "off"])
    .default("on")
    .describe("Whether to store responses that clients refer to by ID, if the upstream does not store them itself."),
});

/** The fields. `nameFaults` checks the names in them. */
const configObject = z.strictObject({
  version: z
    .literal(CONFIG_VERSION, { error: `must be a version from 1 to ${CONFIG_VERSION}` })
    .default(CONFIG_VERSION)
    .describe("Configuration file version. Older files, and files without a version, are upgraded on read.")
    .meta(NOT_STORED),
  strategyModules: z
    .array(text)
    .default([])
    .describe(
      "Paths of modules that export your own strategies, relative to the configuration file. They run with the gateway's permissions.",
    )
    .meta(NOT_STORED),
  server: server.prefault({}).describe("The HTTP server."),
  upstreams: z.record(name, upstreamSchema).default({}).describe("APIs that serve models, by a name of your choice."),
  log: log.prefault({}).describe("Log output."),
  responses: responses.prefault({}).describe("Stored responses of the Responses API."),
  context: contextSchema.prefault({}).describe("How conversations are condensed."),
  reasoning: reasoningSchema.prefault({}).describe("Reasoning defaults for requests that set none."),
  profiles: z.record(name, profile).default({}).describe("Named settings for routes and summarizers."),
  compaction: compactionSchema
    .prefault({})
    .describe("Vendor compaction: summaries of the conversation that the vendor's own API writes."),
  store: store.prefault({}).describe("The database."),
  events: eventsSchema.prefault({}).describe("Metadata of requests, without content."),
  contents: contentsSchema.prefault({}).describe("Recorded content of requests."),
  alerts: alertsSchema.prefault({}).describe("Alerts about the spend limits of keys."),
  telemetry: telemetrySchema.prefault({}).describe("Telemetry exporters."),
  routes: z.array(route).default([]).describe("Which upstream serves which model. The first match is used."),
  models: z
    .record(
      z.string(),
      z.record(z.string(), z.unknown()).describe("Fields that override the catalog, such as the window or prices."),
    )
    .default({})
    .describe("Overrides of the model catalog, by model ID."),
});

/** The schema of a configuration file. */
export const configSchema = configObject.check(({ value, issues }) => void issues.push(...nameFaults(value)));

/** A configuration with all defaults filled in. */
export type Config = z.output<typeof configSchema>;

/** One upstream of a configuration. */
export type UpstreamConfig = Config["upstreams"][string];

/** One route of a configuration. */
export type RouteConfig = Config["routes"][number];

/** Whether a route leads to the simulator that answers if nothing is configured. */
export function isUnconfigured({ routes, upstreams }: Pick<Config, "routes" | "upstreams">): boolean {
  return routes.some(({ upstream }) => [upstream].flat().some((id) => upstreams[id]?.saysSimulated === true));
}

/** Returns whether a route serves requests that carry this kind's credential. */
export function servesCredential(route: Pick<RouteConfig, "credential">, kind: string | undefined): boolean {
  return route.credential === undefined || route.credential === kind;
}

/** Returns the upstreams that serve only requests with a vendor's own credential. */
export function credentialUpstreams({ routes }: Pick<Config, "routes">): ReadonlySet<string> {
  const idsOf = (isLimited: boolean) =>
    routes.filter(({ credential }) => (credential !== undefined) === isLimited).flatMap(({ upstream }) => upstream);
  const others = new Set(idsOf(false));
  return new Set(idsOf(true).filter((id) => !others.has(id)));
}

/** One profile of a configuration. */
export type ProfileConfig = Config["profiles"][string];

/** Finds references to upstreams and profiles that do not exist. */
function nameFaults({ upstreams, routes, profiles, context }: z.output<typeof configObject>): z.core.$ZodRawIssue[] {
  const mentions: Mention[] = [
    ...routes.flatMap(({ upstream, models = {}, profile: name, context: own }, index) => [
      ...Object.keys(models).map((id) => ({ kind: "upstream" as const, name: id, path: ["routes", index, "models"] })),
      ...[upstream].flat().map((id) => ({ kind: "upstream" as const, name: id, path: ["routes", index, "upstream"] })),
      { kind: "profile" as const, name, path: ["routes", index, "profile"] },
      { kind: "summarizer" as const, name: own?.summarizer, path: ["routes", index, "context", "summarizer"] },
    ]),
    ...Object.entries(profiles).flatMap(([id, { upstream, context: own }]) => [
      { kind: "upstream" as const, name: upstream, path: ["profiles", id, "upstream"] },
      { kind: "summarizer" as const, name: own?.summarizer, path: ["profiles", id, "context", "summarizer"] },
    ]),
    { kind: "summarizer" as const, name: context.summarizer, path: ["context", "summarizer"] },
  ];
  return mentions.flatMap(({ kind, name, path }) => {
    const known = kind === "upstream" ? upstreams : profiles;
    const fault = name === undefined ? undefined : faultOf(kind, name, known);
    return fault === undefined ? [] : [{ code: "custom", message: fault, path: [...path], input: name }];
  });
}

interface Mention {
  readonly kind: "upstream" | "profile" | "summarizer";
  readonly name: string | undefined;
  readonly path: readonly (string | number)[];
}

function faultOf(kind: Mention["kind"], name: string, known: Readonly<Record<string, object>>): string | undefined {
  const what = kind === "upstream" ? "upstream" : "profile";
  if (!Object.hasOwn(known, name)) {
    return `${what} "${name}" does not exist (configured: ${Object.keys(known).join(", ") || "none"})`;
  }
  const { upstream, model }: { upstream?: unknown; model?: unknown } = known[name] ?? {};
  if (kind !== "summarizer" || (upstream !== undefined && model !== undefined)) return undefined;
  return `profile "${name}" needs an upstream and a model to write summaries`;
}

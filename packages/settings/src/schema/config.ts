import { UPSTREAM_KIND_NAMES } from "@longhaul/models/kinds";
import { z } from "zod";
import { compactionSchema, contextOverrides, contextSchema } from "./context-config.ts";
import { contentsSchema, eventsSchema, telemetrySchema } from "./events-config.ts";
import { AT_START, NOT_STORED, OUTSIDE_STORE, SECRET } from "./marks.ts";
import { CONFIG_VERSION } from "./migrate-config.ts";
import { reasoningSchema } from "./reasoning-config.ts";

const MAX_PORT = 65_535;
/** Long enough that nobody guesses it. */
const MIN_ADMIN_TOKEN_CHARS = 16;
const PORT_ADVICE = { error: `give a whole number from 0 to ${MAX_PORT}` };
const port = z.int(PORT_ADVICE).min(0, PORT_ADVICE).max(MAX_PORT, PORT_ADVICE);
const seconds = z.number().positive();

/** Whether clients need a key of the gateway. */
export const KEY_MODES = ["auto", "required", "off"] as const;

/** Whether keys share what vendors keep for the operator's account. */
const STATEFUL_MODES = ["off", "shared"] as const;

const server = z.strictObject({
  host: z.string().min(1).default("127.0.0.1").describe("Address to listen on.").meta(AT_START),
  port: port.default(4141).describe("Port to listen on; 0 takes any free one.").meta(AT_START),
  adminPort: port
    .optional()
    .describe(
      "Port of the dashboard, the admin API and /metrics. Without one: `port` on a loopback `host`, else the next port. A port of its own is the strict choice: the model API is then another origin.",
    )
    .meta(AT_START),
  adminHost: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Address that the admin port listens on. Without one: `host` if it is a loopback address, else 127.0.0.1, so that only this machine reaches the dashboard.",
    )
    .meta(AT_START),
  adminToken: z
    .string()
    .min(MIN_ADMIN_TOKEN_CHARS)
    .optional()
    .describe(
      "Token that lets programs use the admin API, and people sign in; without one, only addresses that the gateway prints do.",
    )
    .meta({ ...SECRET, ...OUTSIDE_STORE }),
  keys: z
    .enum(KEY_MODES)
    .default("auto")
    .describe(
      "Whether clients need a key of the gateway: `required`, `off`, or `auto`: from the first key on, and wherever others than this machine get in.",
    ),
  statefulEndpoints: z
    .enum(STATEFUL_MODES)
    .default("off")
    .describe(
      "Whether keys may use paths at which a vendor keeps something for the operator's account (files, batches, vector stores, stored responses, conversations): `off` refuses them unless the client brings its own vendor credential, `shared` lets every key use everything there.",
    ),
  workers: z
    .int()
    .min(0)
    .default(1)
    .describe("Processes that answer at `port`; 0 for one for each processor core.")
    .meta(NOT_STORED),
  bodyLimitMiB: z.number().positive().default(64).describe("Largest request body, unpacked."),
  bodiesInFlightMiB: z
    .number()
    .positive()
    .optional()
    .describe(
      "Memory that all request bodies over 1 MiB may take together, in each process; more get 503 with retry-after. Without it, a quarter of the machine's memory.",
    ),
  requestTimeoutSeconds: seconds
    .default(120)
    .describe("How long a request's body may take to arrive; then the client gets 408 and the connection is closed."),
  maxRequests: z.int().positive().default(1_000).describe("Requests under way at once; more get 503 with retry-after."),
  drainSeconds: seconds.default(600).describe("How long requests under way may take to finish after a stop signal."),
  hosts: z
    .array(z.string().min(1))
    .default([])
    .describe("Host names to answer to, and whose pages may ask without a key, besides the loopback ones and `host`."),
});

const timeouts = z.strictObject({
  connectSeconds: seconds.default(10).describe("How long connecting may take."),
  firstByteSeconds: seconds.default(120).describe("How long an upstream may take to begin its answer."),
  idleSeconds: seconds
    .default(300)
    .describe("How long an answer may be silent. There is no limit on its whole length."),
});

const upstream = z.strictObject({
  kind: z.enum(UPSTREAM_KIND_NAMES).describe("Which vendor's API it speaks."),
  baseUrl: z
    .url({ protocol: /^https?$/, error: "an address that begins with http:// or https:// is needed" })
    .optional()
    .describe(
      "As the vendor's own SDK takes it: OpenAI and compatibles with /v1, Anthropic and Gemini without. A user name and password in it are sent as `authorization: Basic`, in place of the client's credential.",
    ),
  apiKey: z
    .string()
    .min(1)
    .optional()
    .describe("Sent to the upstream. Without one, the client's own credential is passed on.")
    .meta(SECRET),
  region: z.string().min(1).optional().describe("AWS region or Google location."),
  project: z.string().min(1).optional().describe("Google Cloud project."),
  credentialsFile: z.string().min(1).optional().describe("Google service-account file."),
  accessKeyId: z.string().min(1).optional().describe("AWS access key.").meta(SECRET),
  secretAccessKey: z.string().min(1).optional().describe("AWS secret key.").meta(SECRET),
  sessionToken: z.string().min(1).optional().describe("AWS session token.").meta(SECRET),
  wire: z
    .string()
    .min(1)
    .optional()
    .describe("The format to speak there, where it has several: openai-chat or openai-responses."),
  window: z
    .int()
    .positive()
    .optional()
    .describe("Context window of its models, in tokens, where the catalog is wrong or silent."),
  headers: z.record(z.string(), z.string()).default({}).describe("Further headers for every request.").meta(SECRET),
  blockedBetas: z
    .array(z.string().min(1))
    .optional()
    .describe("Values of `anthropic-beta` that its credential cannot use; they are taken out with their body fields."),
  timeouts: timeouts.prefault({}).describe("How long to wait for it."),
  eventLimitMiB: z
    .int()
    .min(1)
    .max(1_024)
    .default(32)
    .describe("How large one event of a streamed answer may be, in MiB. A larger one breaks the stream off."),
  maxRetries: z
    .int()
    .min(0)
    .default(2)
    .describe("Further tries before the next upstream, while nothing has reached the client."),
});

const route = z.strictObject({
  match: z.string().min(1).describe("Model name with `*` for anything; the first route that matches wins."),
  upstream: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
    .describe("Where to send it; a list is tried in order."),
  model: z.string().min(1).optional().describe("The model's name at the upstream, where it differs."),
  models: z
    .record(z.string(), z.string().min(1))
    .optional()
    .describe("The model's name at single upstreams of the list, by the upstream: failover may go to another vendor."),
  profile: z.string().min(1).optional().describe("Profile whose context settings hold for it."),
  context: contextOverrides.optional().describe("Context settings of this route alone."),
  reasoning: reasoningSchema.optional().describe("How hard its model thinks."),
});

/** USD for a million tokens. */
const price = z.number().nonnegative();

const prices = z.strictObject({
  input: price.describe("USD for a million tokens that go in."),
  output: price.describe("USD for a million tokens that come out."),
  cacheRead: price
    .optional()
    .describe("USD for a million tokens that are read from a cache; without it, as those that go in."),
  cacheWrite: price
    .optional()
    .describe("USD for a million tokens that are written to a cache; without it, as the vendor has it."),
});

const profile = z.strictObject({
  upstream: z.string().min(1).optional().describe("Where its model is, for a profile that writes summaries."),
  model: z.string().min(1).optional().describe("The model's name there."),
  window: z
    .int()
    .positive()
    .optional()
    .describe("Context window of its model, in tokens; goes before the upstream's and the catalog's."),
  maxOutputTokens: z
    .int()
    .positive()
    .optional()
    .describe("Most tokens that its model answers with, where not as the catalog says."),
  prices: prices.optional().describe("What its model costs, where not as the catalog says."),
  context: contextOverrides.optional().describe("Context settings of the routes that name this profile."),
  reasoning: reasoningSchema.optional().describe("How hard the models of those routes think."),
});

const store = z.strictObject({
  path: z
    .string()
    .min(1)
    .optional()
    .describe("File that keeps what must outlive a restart. Without one: longhaul.db in the user's data folder.")
    .meta(NOT_STORED),
  url: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, "an address that begins with postgres:// is needed")
    .optional()
    .describe("PostgreSQL that keeps it instead, for any number of gateways: postgres://user:password@host:5432/name.")
    .meta({ ...NOT_STORED, ...SECRET }),
  waitSeconds: seconds
    .default(0.1)
    .describe("How long a request waits for a condensed form from the store; after that it goes on without."),
});

/** How much is logged, from everything to nothing. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const log = z.strictObject({
  tokens: z
    .boolean()
    .default(false)
    .describe("Whether every prompt is counted before it is sent, so that the log says how large it was."),
  level: z.enum(LOG_LEVELS).default("info").describe("How much is logged."),
});

const responses = z.strictObject({
  store: z
    .enum(["on", "off"])
    .default("on")
    .describe(
      "Whether answers are kept for clients that refer to them by id, where the upstream does not keep them itself.",
    ),
});

/** The fields; the names in them are checked apart. */
const configObject = z.strictObject({
  version: z
    .literal(CONFIG_VERSION, { error: `this Longhaul reads versions 1 to ${CONFIG_VERSION}` })
    .default(CONFIG_VERSION)
    .describe("Version of a file's keys; earlier ones are read as today's, and so is a file that names none.")
    .meta(NOT_STORED),
  server: server.prefault({}).describe("How the gateway listens."),
  upstreams: z
    .record(z.string().regex(/^[\w.-]+$/), upstream)
    .default({})
    .describe("Where the models are, by a name of your own."),
  log: log.prefault({}).describe("What the operator is told."),
  responses: responses.prefault({}).describe("What is kept for clients of the Responses API."),
  context: contextSchema.prefault({}).describe("What happens to requests that are too long."),
  reasoning: reasoningSchema.prefault({}).describe("How hard models think where no request says so."),
  profiles: z
    .record(z.string().regex(/^[\w.-]+$/), profile)
    .default({})
    .describe("Models with their settings, by a name of your own."),
  compaction: compactionSchema.prefault({}).describe("Models that summarise on the server."),
  store: store.prefault({}).describe("What is kept between restarts."),
  events: eventsSchema.prefault({}).describe("What is kept of every request, as figures."),
  contents: contentsSchema.prefault({}).describe("Whether what requests said is kept."),
  telemetry: telemetrySchema.prefault({}).describe("Who else is told what happens."),
  routes: z.array(route).default([]).describe("Which upstream serves which model."),
  models: z
    .record(
      z.string(),
      z
        .record(z.string(), z.unknown())
        .describe("What is otherwise than the catalog says: window, prices and the like."),
    )
    .default({})
    .describe("Corrections to the model catalog, by model id."),
});

/** Everything that a configuration file may say. */
export const configSchema = configObject.check(({ value, issues }) => void issues.push(...nameFaults(value)));

/** A configuration with all defaults filled in. */
export type Config = z.output<typeof configSchema>;

/** One upstream of a configuration. */
export type UpstreamConfig = Config["upstreams"][string];

/** One route of a configuration. */
export type RouteConfig = Config["routes"][number];

/** One profile of a configuration. */
export type ProfileConfig = Config["profiles"][string];

/** Names that stand for nothing, each said where it stands. */
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
    return `there is no ${what} "${name}" (configured: ${Object.keys(known).join(", ") || "none"})`;
  }
  const { upstream, model }: { upstream?: unknown; model?: unknown } = known[name] ?? {};
  if (kind !== "summarizer" || (upstream !== undefined && model !== undefined)) return undefined;
  return `the profile "${name}" needs an upstream and a model to write summaries`;
}

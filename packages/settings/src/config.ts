import { z } from "zod";

/** The kinds of upstream that a configuration can name; `simulator` is the built-in look-alike. */
export const UPSTREAM_KINDS = [
  "anthropic",
  "openai",
  "openai-compatible",
  "gemini",
  "openrouter",
  "bedrock",
  "vertex",
  "simulator",
] as const;

const port = z.int().min(0).max(65_535);
const seconds = z.number().positive();

const server = z.strictObject({
  host: z.string().min(1).default("127.0.0.1").describe("Address to listen on."),
  port: port.default(4141).describe("Port to listen on; 0 takes any free one."),
  bodyLimitMiB: z.number().positive().default(64).describe("Largest request body, unpacked."),
  maxRequests: z.int().positive().default(1_000).describe("Requests under way at once; more get 503 with retry-after."),
  drainSeconds: seconds.default(600).describe("How long requests under way may take to finish after a stop signal."),
  hosts: z
    .array(z.string().min(1))
    .default([])
    .describe("Host names to answer to, besides the loopback ones and `host`."),
});

const timeouts = z.strictObject({
  connectSeconds: seconds.default(10).describe("How long connecting may take."),
  firstByteSeconds: seconds.default(120).describe("How long an upstream may take to begin its answer."),
  idleSeconds: seconds
    .default(300)
    .describe("How long an answer may be silent. There is no limit on its whole length."),
});

const upstream = z.strictObject({
  kind: z.enum(UPSTREAM_KINDS).describe("Which vendor's API it speaks."),
  baseUrl: z
    .url()
    .optional()
    .describe("As the vendor's own SDK takes it: OpenAI and compatibles with /v1, Anthropic and Gemini without."),
  apiKey: z
    .string()
    .min(1)
    .optional()
    .describe("Sent to the upstream. Without one, the client's own credential is passed on."),
  region: z.string().min(1).optional().describe("AWS region or Google location."),
  project: z.string().min(1).optional().describe("Google Cloud project."),
  credentialsFile: z.string().min(1).optional().describe("Google service-account file."),
  accessKeyId: z.string().min(1).optional().describe("AWS access key."),
  secretAccessKey: z.string().min(1).optional().describe("AWS secret key."),
  sessionToken: z.string().min(1).optional().describe("AWS session token."),
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
  headers: z.record(z.string(), z.string()).default({}).describe("Further headers for every request."),
  timeouts: timeouts.prefault({}).describe("How long to wait for it."),
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
});

/** How much is logged, from everything to nothing. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const log = z.strictObject({
  tokens: z
    .boolean()
    .default(false)
    .describe("Whether every prompt is counted before it is sent, so that the log says how large it was."),
  level: z.enum(LOG_LEVELS).default("info").describe("How much is logged; LOG_LEVEL goes before it."),
});

const responses = z.strictObject({
  store: z
    .enum(["on", "off"])
    .default("on")
    .describe(
      "Whether answers are kept for clients that refer to them by id, where the upstream does not keep them itself.",
    ),
});

/** Everything that a configuration file may say. */
export const configSchema = z
  .strictObject({
    server: server.prefault({}).describe("How the gateway listens."),
    upstreams: z
      .record(z.string().regex(/^[\w.-]+$/), upstream)
      .default({})
      .describe("Where the models are, by a name of your own."),
    log: log.prefault({}).describe("What the operator is told."),
    responses: responses.prefault({}).describe("What is kept for clients of the Responses API."),
    routes: z.array(route).default([]).describe("Which upstream serves which model."),
    models: z
      .record(z.string(), z.record(z.string(), z.unknown()))
      .default({})
      .describe("Corrections to the model catalog, by model id."),
  })
  .check(({ value, issues }) => {
    for (const [index, { upstream: names }] of value.routes.entries()) {
      for (const name of [names].flat().filter((entry) => !Object.hasOwn(value.upstreams, entry))) {
        const known = Object.keys(value.upstreams).join(", ") || "none";
        const message = `there is no upstream "${name}" (configured: ${known})`;
        issues.push({ code: "custom", message, path: ["routes", index, "upstream"], input: names });
      }
    }
  });

/** A configuration with all defaults filled in. */
export type Config = z.output<typeof configSchema>;

/** One upstream of a configuration. */
export type UpstreamConfig = Config["upstreams"][string];

/** One route of a configuration. */
export type RouteConfig = Config["routes"][number];

import { z } from "zod";

const text = z.string();
const figure = z.number();

/** The kinds of rows, the most urgent first. */
export const ATTENTION_KINDS = ["upstream", "alert", "key", "window", "cache", "error"] as const;

/** Something that needs attention. Texts and figures that its kind does not have are empty and 0. */
export const attentionSchema = z.object({
  kind: z
    .enum(ATTENTION_KINDS)
    .describe(
      "`upstream`: an upstream fails. `alert`: the last budget alert was not delivered. `key`: a key is near a limit. `window`: a session is near its context window. `cache`: a session's prompt cache is no longer read. `error`: requests fail.",
    ),
  tenant: text,
  session: text,
  title: text,
  upstream: text,
  errorCode: text,
  errorMessage: text.describe("Of the latest failed request or alert."),
  requestId: text.describe("The latest failed request."),
  keyId: text,
  name: text.describe("The key's name."),
  limit: text.describe("The key's limit, for example `usdPerDay`."),
  isCircuitOpen: z.boolean(),
  count: figure.describe("Failed requests."),
  share: figure.describe("Of the window, the limit or the cached tokens: 0 to 1."),
  max: figure.describe("The window in tokens, or the limit."),
  lastAtMs: figure,
});

/** Something that needs attention. */
export type AttentionAnswer = z.output<typeof attentionSchema>;

/** The answer of `GET /api/attention`: the most urgent first. */
export const attentionsSchema = z.object({ rows: z.array(attentionSchema) });

/** The answer of `GET /api/attention`. */
export type AttentionsAnswer = z.output<typeof attentionsSchema>;

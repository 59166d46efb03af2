import { PIN_MARKER } from "@longhaul/condense/advanced";
import { LonghaulError } from "@longhaul/conversation";
import { type Conversation, fingerprint, isUserAuthored } from "@longhaul/conversation/advanced";
import { sha256 } from "@longhaul/fit";
import { readLog } from "@longhaul/logs";
import { adminAddress, isLoopback } from "@longhaul/settings";
import {
  type EstimateBody,
  estimateBodySchema,
  estimateSchema,
  exampleSchema,
  examplesSchema,
  type PreviewBody,
  previewBodySchema,
  previewSchema,
} from "../api/previews.ts";
import {
  logsSchema,
  type PinsAnswer,
  pinsQuerySchema,
  pinsSchema,
  replayBodySchema,
  replaySchema,
} from "../api/replays.ts";
import type { AdminSnapshot } from "../host/admin-host.ts";
import { listLogs, readLocalLog } from "../host/local-logs.ts";
import { callRecorder } from "../host/own-calls.ts";
import { blockText } from "../previews/blocks.ts";
import { examples, findExample } from "../previews/examples/examples.ts";
import { type FoundTerms, findTerms, type PreviewChoice, type PreviewOptions } from "../previews/find-terms.ts";
import { previewSummarizer } from "../previews/preview-summarizer.ts";
import { type AnswerJob, unzipBody } from "../previews/preview-thread.ts";
import { findPreset } from "./preset-routes.ts";
import { type AdminContext, type Route, route } from "./route.ts";

const MAX_BYTES = 64 * 1024 * 1024;

export const PREVIEW_ROUTES: readonly Route[] = [
  route("POST", "/preview", {
    summary:
      "Shows the effect of a strategy on a conversation, block by block. Stores nothing but the figures of its model calls.",
    body: previewBodySchema,
    maxBytes: MAX_BYTES,
    answer: previewSchema,
    run: async ({ body, signal }, context) => {
      const { from, limit, row, asksModels } = body;
      const page = { from, limit, ...(row !== undefined && { row }) };
      const choice = await choiceOf(body, context);
      const source = await sourceOf(body, context);
      const { text } = source;
      const options = { ...source.options, ...(choice && { choice }) };
      return await withSnapshot(context, async (snapshot) => {
        const { context: set, profiles, routes, models } = snapshot.config;
        const key = JSON.stringify([options, asksModels, set, profiles, routes, models]);
        const failures: string[] = [];
        const warn = (what: string) => void failures.push(what);
        const answer = answering(options, { ...context, snapshot, signal, asksModels, warn });
        const preview = await context.previews.preview({ kind: "preview", text, key, asksModels, page }, answer);
        return { ...preview, warnings: [...preview.warnings, ...new Set(failures)] };
      });
    },
  }),
  route("POST", "/estimate", {
    summary:
      "Compares the results of every strategy for a conversation, and the price of summaries with every profile.",
    body: estimateBodySchema,
    maxBytes: MAX_BYTES,
    answer: estimateSchema,
    run: async ({ body, signal }, context) => {
      const { text, options } = await sourceOf(body, context);
      return await withSnapshot(context, (snapshot) => {
        const answer = answering(options, { ...context, snapshot, signal, asksModels: false, warn: () => {} });
        return context.previews.estimate({ kind: "estimate", text }, answer);
      });
    },
  }),
  route("POST", "/replay", {
    summary: "Replays a session with one strategy by the gateway's rules, and prices it. Calls no model.",
    body: replayBodySchema,
    maxBytes: MAX_BYTES,
    answer: replaySchema,
    run: async ({ body: { strategy, ...asked }, signal }, context) => {
      const { text, options: source } = await sourceOf(asked, context);
      const options = { ...source, choice: { strategy } };
      return await withSnapshot(context, (snapshot) => {
        const answer = answering(options, { ...context, snapshot, signal, asksModels: false, warn: () => {} });
        return context.previews.replay({ kind: "replay", text, strategy }, answer);
      });
    },
  }),
  route("GET", "/pins", {
    summary: "Lists the pinned messages of a session, if its content is recorded.",
    query: pinsQuerySchema,
    answer: pinsSchema,
    run: async ({ query }, context) => ({ pins: await sessionPins(query, context) }),
  }),
  route("GET", "/logs", {
    summary: "Lists session logs of other tools on this machine, if the gateway listens on localhost only.",
    answer: logsSchema,
    run: async (_, context) => {
      const home = logsHome(context);
      return { isAvailable: home !== undefined, logs: home === undefined ? [] : listLogs(home) };
    },
  }),
  route("GET", "/examples", {
    summary: "Lists example conversations.",
    answer: examplesSchema,
    run: async () => ({
      examples: examples().map(({ text, ...about }) => ({ ...about, bytes: Buffer.byteLength(text) })),
    }),
  }),
  route("GET", "/examples/:id", {
    summary: "Returns an example conversation as a request body.",
    answer: exampleSchema,
    run: async ({ params: { id = "" } }) => findExample(id),
  }),
];

async function choiceOf(
  { preset, strategy, config }: PreviewBody,
  context: AdminContext,
): Promise<PreviewChoice | undefined> {
  if (preset !== undefined && (strategy !== undefined || config !== undefined)) {
    throw new LonghaulError("request.malformed", "send either a preset, or a strategy with its config");
  }
  if (preset !== undefined) return await findPreset(preset, context);
  if (strategy === undefined && config !== undefined) {
    throw new LonghaulError("request.malformed", "config needs a strategy");
  }
  return strategy === undefined ? undefined : { strategy, ...(config !== undefined && { config }) };
}

/** Returns a conversation's text and what to measure it for. */
async function sourceOf({ conversation, ...asked }: EstimateBody, context: AdminContext) {
  const { model, profile, windowTokens, budgetTokens, summarizer } = asked;
  const options: PreviewOptions = {
    ...(model !== undefined && { model }),
    ...(profile !== undefined && { profile }),
    ...(windowTokens !== undefined && { windowTokens }),
    ...(budgetTokens !== undefined && { budgetTokens }),
    ...(summarizer !== undefined && { summarizer }),
  };
  if ("text" in conversation) return { text: conversation.text, options };
  if ("example" in conversation) return { text: findExample(conversation.example).text, options };
  if ("log" in conversation) return { text: localLog(conversation.log, context), options };
  const requestId = "session" in conversation ? await newestRecorded(conversation, context) : conversation.requestId;
  const { store } = context;
  const [content, event] = await Promise.all([store.contents.find(requestId), store.events.request(requestId)]);
  if (content === undefined) {
    throw new LonghaulError(
      "request.not-kept",
      `the content of request "${requestId}" was not recorded; set contents.keep to condensed or all to record later ones`,
    );
  }
  // Gemini's bodies do not contain the model.
  const named = event === undefined || profile !== undefined ? {} : { model: event.model };
  return { text: await unzipBody(content.before), options: { ...named, ...options } };
}

/** Returns the folder below which logs may be read. Other machines cannot reach a gateway that listens on localhost only. */
function logsHome({ home, snapshots }: AdminContext): string | undefined {
  const { config } = snapshots.current();
  return isLoopback(config.server.host) && isLoopback(adminAddress(config.server).host) ? home : undefined;
}

function localLog(id: string, context: AdminContext): string {
  const home = logsHome(context);
  if (home !== undefined) return readLocalLog(home, id);
  throw new LonghaulError(
    "request.unsupported",
    "logs on this machine can be read only if the gateway listens on localhost (server.host)",
  );
}

/** How many of a session's latest requests may lack content. */
const SEARCHED = 50;

interface SessionQuery {
  readonly session: string;
  readonly tenant: string;
}

async function sessionPins(query: SessionQuery, context: AdminContext) {
  const content = await findRecorded(query, context);
  if (content === undefined) return [];
  const text = await unzipBody(content.before);
  const { conversation } = readLog(text);
  return pinsOf(conversation, context.snapshots.current().config.context.pins);
}

async function findRecorded({ session, tenant }: SessionQuery, { store }: AdminContext) {
  for (const { id } of await store.events.requests({ session, tenant, limit: SEARCHED })) {
    const content = await store.contents.find(id);
    if (content !== undefined) return content;
  }
  return undefined;
}

async function newestRecorded(query: SessionQuery, context: AdminContext): Promise<string> {
  const content = await findRecorded(query, context);
  if (content !== undefined) return content.requestId;
  throw new LonghaulError(
    "request.not-kept",
    `session "${query.session}" has no recorded content; set contents.keep to condensed or all to record later requests`,
  );
}

async function withSnapshot<T>({ snapshots }: AdminContext, work: (snapshot: AdminSnapshot) => Promise<T>): Promise<T> {
  const { snapshot, leave } = snapshots.enter();
  try {
    return await work(snapshot);
  } finally {
    leave();
  }
}

interface AnswerContext extends Pick<AdminContext, "fitting" | "resolve" | "store" | "nowMs"> {
  readonly snapshot: AdminSnapshot;
  readonly signal: AbortSignal;
  readonly asksModels: boolean;
  readonly warn: (what: string) => void;
}

function answering(options: PreviewOptions, { asksModels, ...context }: AnswerContext): AnswerJob {
  const { snapshot, fitting, resolve } = context;
  const ratioOf = fitting.learned.ratio;
  const { correct } = fitting.summaryCosts;
  let summarize: ReturnType<typeof previewSummarizer> | undefined;
  return async (question) => {
    if (question.kind === "terms") {
      const found: FoundTerms = findTerms(options, question.hint, { snapshot, resolve, ratioOf, correct });
      if (asksModels) summarize = previewSummarizer(found, { ...context, record: callRecorder(context, snapshot) });
      return { kind: "terms", terms: found.terms };
    }
    if (summarize === undefined)
      throw new LonghaulError("internal.bug", "a summary was requested without permission to call models");
    return { kind: "summary", answer: await summarize(question.ask) };
  };
}

const SHOWN_CHARS = 300;

/** Returns the messages of a conversation that are pinned by hash or by the marker in their text. */
export function pinsOf({ messages }: Pick<Conversation, "messages">, hashes: readonly string[]): PinsAnswer["pins"] {
  return messages.flatMap((message) => {
    const { role, blocks } = message;
    const hash = fingerprint(message, sha256);
    const text = blocks.map(blockText).join("\n");
    const isMarked = isUserAuthored(message) && text.includes(PIN_MARKER);
    return isMarked || hashes.includes(hash) ? [{ hash, role, text: text.slice(0, SHOWN_CHARS), isMarked }] : [];
  });
}

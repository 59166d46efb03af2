import { NO_USAGE, promptTokens, type Usage } from "@longhaul/conversation/advanced";
import { cleanName, type SizedNote } from "@longhaul/fit";
import { describeSession, isClientsOwn } from "@longhaul/logs";
import { billOf, type ChangedPrompt, uncachedCost } from "@longhaul/models/advanced";
import type { RequestEvent, SessionDescription } from "@longhaul/store";
import type { EndedRequest } from "../events/observer.ts";
import type { Endpoint } from "../request/endpoints.ts";
import type { RequestRecord } from "../request/request-record.ts";

/** The facts that are known only at the end. */
export interface Ending {
  readonly status: number;
  /** Time until the whole answer was sent. */
  readonly ms: number;
  readonly usage: Usage | undefined;
  /** Whether the client disconnected. */
  readonly isGone: boolean;
}

interface EventEnding extends Ending {
  readonly endpoint: Endpoint;
  /** Whether sessions get titles. */
  readonly hasTitles: boolean;
  /** Removes credentials: clients choose the names of models and sessions. */
  readonly redact: (text: string) => string;
}

/** Makes the event of a finished request, with what only some observers need. */
export function endedRequest(ending: EventEnding, facts: RequestRecord): EndedRequest {
  const { sentTo, received, sent, traceparent } = facts;
  const match = sentTo?.match;
  const event = requestEvent(ending, facts);
  return {
    event,
    description: descriptionOf(event, ending, facts),
    platform: match?.model.platform ?? "",
    family: match === undefined || UNLISTED.has(match.matchedBy) ? "" : match.model.name,
    received,
    sent,
    traceparent,
  };
}

/** Reads what makes a session recognizable from one of its first requests: its bytes are read again only then. */
function descriptionOf(
  { tenant, session }: RequestEvent,
  { hasTitles, redact }: EventEnding,
  { sized }: RequestRecord,
): SessionDescription | undefined {
  const opening = session === "" ? undefined : sized?.opening();
  if (opening === undefined) return undefined;
  const { client, clientVersion, ...words } = describeSession(opening);
  const { title, project, branch } = hasTitles ? words : NO_WORDS;
  if (!hasTitles || (title !== "" && project !== "")) opening.isEnough();
  const safe = (text: string) => redact(cleanName(text));
  return {
    tenant,
    session,
    title: safe(title),
    project: safe(project),
    branch: safe(branch),
    client: safe(client),
    clientVersion: safe(clientVersion),
  };
}

const NO_WORDS = { title: "", project: "", branch: "" };

/** How a name is matched that the catalog does not list. */
const UNLISTED = new Set<string>(["family", "default"]);

function requestEvent(ending: EventEnding, facts: RequestRecord): RequestEvent {
  const { endpoint, status, isGone, redact } = ending;
  const { id, atMs, identity, model = "", sentTo, error, warnings, sized, condensed, attempts } = facts;
  const named = (text: string) => (text === "" ? "" : redact(cleanName(text)));
  return {
    id,
    atMs,
    tenant: identity?.tenant ?? "",
    keyId: identity?.keyId ?? "",
    session: named(sized?.session ?? ""),
    parent: named(sized?.parent ?? ""),
    wire: endpoint.wire,
    action: isAside(facts) ? "aside" : endpoint.action,
    model: named(model),
    sentAs: named(sentTo?.model ?? ""),
    upstream: sentTo?.upstream ?? "",
    status,
    errorCode: error?.code ?? "",
    errorMessage: facts.errorMessage ?? "",
    isGone,
    ...times(ending, facts),
    attempts,
    ...tokens(ending.usage),
    ...sizes(ending.usage, facts),
    strategy: condensed?.strategy ?? "",
    origin: condensed?.origin ?? "",
    ...money(ending.usage, facts),
    copiedMarks: facts.copiedMarks?.() ?? 0,
    warnings: warnings.slice(0, MAX_WARNINGS).map(({ feature }) => named(feature)),
  };
}

/** Returns whether a request is the client's own, such as one for a title, and not a turn of its session. */
function isAside({ endpoint, sized }: RequestRecord): boolean {
  if (endpoint?.action !== "generate") return false;
  const opening = sized?.aside();
  return opening !== undefined && isClientsOwn(opening);
}

/** Returns the sizes of the prompt: by the vendor's count if it reported one, else by our own. */
function sizes(usage: Usage | undefined, { sized, condensed }: RequestRecord) {
  if (sized === undefined) return { windowTokens: 0, originalTokens: 0, sentTokens: 0, anatomy: {} };
  const { windowTokens, originalTokens, sentTokens: estimated, isAnchored } = sized;
  // If the vendor compacted first, that iteration read the sent prompt.
  const reported = usage === undefined ? 0 : promptTokens(usage.iterations?.[0] ?? usage);
  const sentTokens = reported > 0 ? reported : estimated;
  // The original of a condensed prompt has its own report, unless both grew by the same messages.
  const difference = condensed === undefined || isAnchored ? sentTokens - estimated : 0;
  const scale = estimated === 0 ? 1 : sentTokens / estimated;
  const anatomy = Object.entries(sized.anatomy()).map(([part, tokens]) => [part, Math.round(tokens * scale)]);
  return {
    windowTokens,
    originalTokens: Math.max(1, originalTokens + difference),
    sentTokens,
    anatomy: Object.fromEntries(anatomy),
  };
}

const MAX_WARNINGS = 50;

/**
 * `addedMs` is the gateway's own share of the time between the last byte of the request and the first byte of the answer. Waiting for a summary
 * counts as the gateway's own.
 */
function times({ ms }: Ending, { receivedMs = 0, firstByteMs = ms, waitedMs }: RequestRecord) {
  const addedMs = Math.max(0, firstByteMs - receivedMs - waitedMs);
  return { ms: Math.round(ms), firstByteMs: Math.round(firstByteMs), addedMs: Math.round(addedMs * 100) / 100 };
}

function tokens({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, ...usage }: Usage = NO_USAGE) {
  const { reasoningTokens = 0 } = usage;
  return { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens };
}

function money(usage: Usage | undefined, { sentTo, sized, condensed }: RequestRecord) {
  const model = sentTo?.match?.model;
  if (usage === undefined || model === undefined) return { costUsd: 0, savedUsd: 0, deduplicatedUsd: 0, cachedUsd: 0 };
  const { costUsd, untouchedUsd } = billOf(usage, model, condensed && sized && changedPrompt(usage, sized));
  const savedUsd = untouchedUsd - costUsd;
  const deduplicatedUsd = condensed?.isDeduplicated === true ? savedUsd : 0;
  return { costUsd, savedUsd, deduplicatedUsd, cachedUsd: uncachedCost(usage, model) - costUsd };
}

/** If our count of the sent prompt is not corrected by a report yet, the original's is used alone. */
function changedPrompt(usage: Usage, sized: SizedNote): ChangedPrompt {
  return sized.isAnchored ? sized : { ...sized, sentTokens: promptTokens(usage) };
}

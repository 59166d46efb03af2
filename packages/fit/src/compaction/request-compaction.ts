import {
  type Block,
  type CompactionBlock,
  isJsonObject,
  type JsonObject,
  type Message,
  tryParseJson,
} from "@longhaul/conversation/advanced";
import type { Model } from "@longhaul/models";
import type { Config } from "@longhaul/settings";
import type { Outgoing } from "@longhaul/upstream";
import { checkJsonLimits, codecOf, type Span } from "@longhaul/wire";
import type { Destination } from "../destinations/destination.ts";
import { splitScanned } from "../request/body-bytes.ts";
import type { Call } from "../request/call.ts";
import { editsIn, handlesBlocks, isCompactEdit, removedBetas, withBetas } from "./betas.ts";
import { type CompactionPlan, compactionPlan, compactsOnDemand, triggerWithin } from "./compaction-plan.ts";
import { isCompaction } from "./strip-compaction.ts";

export interface CompactionRequest {
  readonly call: Pick<Call, "body" | "headers" | "endpoint">;
  /** The positions of the body's fields, if they are known already. */
  readonly fields?: ReadonlyMap<string, Span>;
  readonly destination: Destination;
  readonly settings: Config["compaction"];
  readonly windowTokens: number;
  /** Whether this upstream refused the million-token beta to this credential. */
  readonly isLongContextRefused?: boolean;
}

export interface RequestCompaction {
  readonly plan: CompactionPlan;
  /** The prompt size from which the model is asked to compact in a separate request; absent if it is not asked. */
  readonly askTokens?: number;
  /** Whether its answer may contain blocks that the client must not see. */
  readonly strips: boolean;
  /**
   * Adds the edits and betas that the request needs and removes those that the upstream must not get. `blocks` are our own blocks in the
   * request.
   */
  prepare(outgoing: Outgoing, blocks: readonly CompactionBlock[]): Outgoing;
}

/** Decides how vendor compaction affects a request. */
export function requestCompaction(request: CompactionRequest): RequestCompaction {
  const { destination, isLongContextRefused = false } = request;
  const { wire, match, handle } = destination;
  const asks = {
    ...(isAsked(request) && { askTokens: triggerWithin(request.windowTokens, request.settings.triggerTokens) }),
  };
  if (codecOf(wire).traits.compaction !== "edit") {
    return { plan: { kind: "none", reason: "other-format" }, ...asks, strips: false, prepare: (outgoing) => outgoing };
  }
  const plan = planFor(request);
  const added = plan.kind === "none" ? [] : plan.betas;
  const remove = removedBetas(handle.connection.upstream, isLongContextRefused);
  const edits = plan.kind === "edit" ? { edits: plan.edits } : {};
  const prepare: RequestCompaction["prepare"] = (outgoing, blocks) => {
    const ours = blockBetas([{ role: "assistant", blocks }], match.model);
    return withBetas(outgoing, { ...edits, add: [...added, ...ours], remove });
  };
  const isOurs = plan.kind === "none" && plan.reason !== "client-compacts";
  return { plan, ...(isOurs && asks), strips: plan.kind === "edit", prepare };
}

/** Returns whether the model is asked to compact on demand. Responses API clients do that themselves. */
function isAsked({ call, destination, settings }: CompactionRequest): boolean {
  const { wire, match } = destination;
  if (!settings.enabled || !settings.onDemand || !compactsOnDemand(match.model, destination)) return false;
  return codecOf(wire).traits.compaction === "edit" || call.endpoint.wire !== wire;
}

function planFor({ call, fields, destination, settings, windowTokens }: CompactionRequest): CompactionPlan {
  const hasEdits = codecOf(call.endpoint.wire).traits.compaction === "edit";
  const clientEdits = hasEdits ? readEdits(call.body, fields) : [];
  const client = { wire: call.endpoint.wire, headers: call.headers, edits: clientEdits };
  if (handlesBlocks(client) && !clientEdits.some(isCompactEdit)) return { kind: "none", reason: "client-compacts" };
  return compactionPlan({ model: destination.match.model, destination, settings, windowTokens, clientEdits });
}

const FIELD = "context_management";

function readEdits(body: Uint8Array, known: CompactionRequest["fields"]): readonly JsonObject[] {
  const fields = known ?? splitScanned(body, "messages")?.fields;
  if (fields === undefined) return editsIn(parse(body));
  const span = fields.get(FIELD);
  return span === undefined ? [] : editsIn({ [FIELD]: parse(body.subarray(span.from, span.to)) });
}

/** A body that is not a JSON object asks for nothing; it is refused elsewhere. */
function parse(bytes: Uint8Array): JsonObject {
  checkJsonLimits(bytes);
  const value = tryParseJson(Buffer.from(bytes).toString());
  return isJsonObject(value) ? value : {};
}

/**
 * Returns the betas for the compaction blocks in a request: a block that was requested is signed and has its own beta. None if the model's
 * blocks need none.
 */
export function blockBetas(messages: readonly Message[], { betas }: Pick<Model, "betas">): readonly string[] {
  const blocks = messages.flatMap((message) => message.blocks).filter(isCompaction);
  const needed = blocks.map((block) => betas[isSigned(block) ? "compaction-on-demand" : "compaction-threshold"]);
  return [...new Set(needed)].filter((beta) => beta !== undefined);
}

function isSigned({ extra }: Block): boolean {
  return typeof extra?.signature === "string";
}

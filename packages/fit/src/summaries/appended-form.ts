import type { Ask } from "@longhaul/condense";
import type { TokenCounter } from "@longhaul/models";
import type { Outgoing } from "@longhaul/upstream";
import { wireDestination } from "../destinations/wire-destination.ts";
import { appendedWords, boundsOf } from "./appended-words.ts";
import type { Candidate } from "./candidates.ts";
import { appendText, holdsInOrder, type OpenedBody } from "./opened-body.ts";

/** A request that was sent, and the room that there is. */
export interface Sent {
  readonly opened: OpenedBody;
  /** All of its prompt. */
  readonly tokens: number;
  readonly windowTokens: number;
}

/** An ask below a request that was sent, and how large its prompt is. */
export interface Appended {
  readonly outgoing: Outgoing;
  readonly promptTokens: number;
}

/**
 * An ask as one more message below a request that the model has in its cache: a tenth of the price of sending the messages again. Nothing
 * where the request does not hold them, would not be answered with text, or has no room for it.
 */
export function appendedForm(
  ask: Ask,
  { opened, tokens, windowTokens }: Sent,
  { destination, headers, counter }: Pick<Candidate, "destination" | "headers"> & { readonly counter: TokenCounter },
): Appended | undefined {
  const bounds = boundsOf(ask);
  if (ask.range === undefined || bounds === undefined || !takesMore(opened)) return undefined;
  const words = appendedWords(ask, bounds);
  const promptTokens = tokens + counter.countText(words);
  if (promptTokens + ask.maxTokens > windowTokens) return undefined;
  if (!holdsInOrder(opened, [bounds.first, bounds.last])) return undefined;
  const { wire, model } = destination;
  const body = appendText(opened, words, wireDestination(destination));
  const { stream } = opened.request;
  return { promptTokens, outgoing: { wire, action: "generate", method: "POST", model, stream, body, headers } };
}

/** Fields with which the vendor holds part of the conversation itself, or adds to it, or answers later (Responses). */
const KEPT_THERE = ["conversation", "previous_response_id", "background"];

/** Whether a request may go on with words of ours, and its answer be a text. */
function takesMore({ request, lastMessage, fields }: OpenedBody): boolean {
  const { toolChoice, outputFormat } = request;
  const isForced = toolChoice?.kind === "required" || toolChoice?.kind === "tool";
  const isOpenCall = lastMessage.blocks.some(({ type }) => type === "tool-call");
  const isKeptThere = KEPT_THERE.some((name) => fields[name] !== undefined && fields[name] !== null);
  return !isForced && outputFormat === undefined && !isOpenCall && !isKeptThere;
}

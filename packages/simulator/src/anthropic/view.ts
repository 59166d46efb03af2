import { type JsonObject, numberIn } from "../core/json.ts";
import { demand, Rejection } from "../core/rejection.ts";
import type { World } from "../core/world.ts";
import type { Binding } from "./binding.ts";
import { type Segment, segmentsOf, totalTokens } from "./caching.ts";
import { sinceCompaction } from "./compaction.ts";
import { type AppliedEdit, editContext } from "./context-editing.ts";
import { editsIn, hasBeta, type Message, type MessagesRequest, mustFitOutput } from "./request.ts";

/** What the model reads of a request, after everything that the API takes out of it. */
export interface View {
  readonly segments: readonly Segment[];
  readonly tokens: number;
  readonly applied: readonly AppliedEdit[];
  /** Before the edits. */
  readonly originalTokens: number;
}

/** Leaves out what compaction blocks stand for, then makes the edits that the request asks for. */
export function viewOf(request: MessagesRequest, binding: Binding, world: World): View {
  const { body } = request;
  const partsOf = (messages: readonly Message[]) => segmentsOf({ body, messages, tokens: binding.tokens }, world);
  const messages = sinceCompaction(binding.messages);
  const edits = editsIn(body);
  const count = (edited: readonly Message[]) => totalTokens(partsOf(edited));
  const edited = editContext(messages, edits, count);
  const segments = partsOf(edited.messages);
  const tokens = totalTokens(segments);
  return { segments, tokens, applied: edited.applied, originalTokens: edits.length === 0 ? tokens : count(messages) };
}

/** What would be left of a view once its messages were replaced by a summary. */
export function compactedView(
  view: View,
  { body, block }: { body: JsonObject; block: JsonObject },
  world: World,
): View {
  const messages = [{ role: "assistant", blocks: [block] }];
  const segments = segmentsOf({ body, messages, tokens: new Map() }, world);
  return { ...view, segments, tokens: totalTokens(segments) };
}

const MILLION = 1_000_000;
const SHORT_WINDOW = 200_000;

/** The window of a request: some models have a longer one behind a beta. */
export function windowOf(request: MessagesRequest, { settings }: World): number {
  const { model, betas } = request;
  const isAsked = betas.has("context-1m-2025-08-07");
  demand(!isAsked || settings.hasLongContext, "The long context beta is not yet available for this subscription.");
  const isLonger =
    isAsked &&
    hasBeta(request, "context-1m") &&
    model.window === SHORT_WINDOW &&
    /^claude-sonnet-4(-0|-5)?$/.test(model.name);
  return isLonger ? MILLION : model.window;
}

/** Refuses a prompt that is longer than the window; for older models also one that leaves no room for `max_tokens`. */
export function checkWindow(request: MessagesRequest, tokens: number, window: number): void {
  if (tokens > window) throw new Rejection(400, `prompt is too long: ${tokens} tokens > ${window} maximum`);
  const max = numberIn(request.body.max_tokens) ?? 0;
  demand(
    !mustFitOutput(request.model) || tokens + max <= window,
    `input length and \`max_tokens\` exceed context limit: ${tokens} + ${max} > ${window}, decrease input length or \`max_tokens\` and try again`,
  );
}

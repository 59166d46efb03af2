import {
  type AddReferencesOptions,
  addReferencesToNew,
  extendProjection,
  openReferenceIndex,
  PROJECTION_VERSION,
  type Projection,
  projectedMessages,
  type RawMessages,
  type ReferenceIndex,
  type SentMessages,
  type Slot,
} from "@longhaul/condense/advanced";
import type { Message } from "@longhaul/conversation";
import type { CachingCounter } from "@longhaul/models";
import type { Epoch } from "@longhaul/store";
import { codecOf } from "@longhaul/wire";
import { decodeSpan, sha256 } from "../history/known-messages.ts";
import type { Rendering } from "../history/parts.ts";
import { writeSlots } from "../history/write-slots.ts";
import { formName } from "../memory/epochs.ts";
import { makePauses } from "../threads/timing.ts";
import { epochOf, type FitRequest, type Form, renderedForm } from "./fit-request.ts";

/**
 * Adds references to the messages that are sent for the first time, those after the last reply. Messages that were sent before stay the
 * same. Returns the form itself if there is nothing to gain.
 */
export async function withReferences(fitRequest: FitRequest, form: Form): Promise<Form> {
  const { history, state, prompt, ratio } = fitRequest;
  const from = firstNew(fitRequest, form);
  if (history.layout === undefined || !hasResults(history, from)) return form;
  const counter = await state.counter(prompt.tokenizer, ratio);
  const before = form.epoch?.projection ?? NOTHING_DONE;
  const raw = rawMessages(fitRequest);
  const sent = projectedMessages(before, history.messages.length, raw);
  const tail = history.messages.length - from;
  const options = { from: sent.count - tail, references: "results", counter, hash: sha256 } as const;
  const known = takeIndex(fitRequest, form.epoch, from) ?? (await readIndex(sent, options));
  const { changed, index } = refer(sent, options, known);
  const bytes = fitRequest.call.body.length;
  if (changed.size === 0) {
    state.indexes.set(indexName(fitRequest, form.epoch, from), { index, bytes });
    return form;
  }
  const slots = grownSlots(changed, before);
  const projection = extendProjection(before, slots, raw);
  const rendering = grownRendering({ fitRequest, form, counter }, slots, projection);
  const epoch = await keepTurn(fitRequest, form, { projection, from });
  state.indexes.set(indexName(fitRequest, epoch, from), { index, bytes });
  state.renderings.keep(formName(fitRequest.scope, epoch), prompt.wire, rendering);
  state.anchors.carry(formName(fitRequest.scope, form.epoch), formName(fitRequest.scope, epoch), history.prefixes());
  return renderedForm(fitRequest, epoch, rendering);
}

const NOTHING_DONE: Projection = { version: PROJECTION_VERSION, messages: 0, entries: [] };

/** Returns the index of the first message that no earlier request contained. A reply to it would follow it. */
function firstNew({ history }: FitRequest, { epoch }: Form): number {
  const replied = history.messages.findLastIndex(({ role }) => role === "assistant") + 1;
  return Math.max(replied, epoch?.projection.messages ?? 0);
}

/** Returns whether any message from this index on may hold a tool result. Only results get references. */
function hasResults({ messages }: FitRequest["history"], from: number): boolean {
  return messages.slice(from).some(({ isPlainText }) => !isPlainText);
}

function rawMessages({ history, call }: FitRequest): RawMessages {
  const read = new Map<number, Message | undefined>();
  const rawAt = (index: number) => {
    const span = history.layout?.spans[index];
    const found =
      read.get(index) ?? (span && decodeSpan(call.body.subarray(span.from, span.to), codecOf(call.codec.id)));
    read.set(index, found);
    return found;
  };
  return { rawAt, hash: sha256 };
}

/** Messages that are read between two pauses. */
const READ_AT_ONCE = 10;

/** Reads the earlier messages of a conversation that is first seen in the middle. */
async function readIndex(sent: SentMessages, options: AddReferencesOptions): Promise<ReferenceIndex> {
  const index = openReferenceIndex();
  const pauses = makePauses();
  for (let count = READ_AT_ONCE; count < options.from; count += READ_AT_ONCE) {
    addReferencesToNew({ ...sent, count }, { ...options, from: count - 1, index });
    await pauses.take();
  }
  return index;
}

/** An index of another branch may not match this one; then a new one is made. */
function refer(sent: SentMessages, options: AddReferencesOptions, known: ReferenceIndex | undefined) {
  const fresh = () => {
    const index = openReferenceIndex();
    return { index, changed: addReferencesToNew(sent, { ...options, index }) };
  };
  if (known === undefined) return fresh();
  try {
    return { index: known, changed: addReferencesToNew(sent, { ...options, index: known }) };
  } catch {
    return fresh();
  }
}

/** A turn adds a few messages; an index that is further back belongs to another branch. */
const MAX_STEPS_BACK = 50;

/**
 * Takes the index that covers the most of these messages. It is stored again under the messages that it covers then, so no other branch
 * finds it.
 */
function takeIndex(fitRequest: FitRequest, epoch: Epoch | undefined, messages: number): ReferenceIndex | undefined {
  const { indexes } = fitRequest.state;
  for (let known = messages; known > Math.max(0, messages - MAX_STEPS_BACK); known--) {
    const name = indexName(fitRequest, epoch, known);
    const found = indexes.get(name);
    if (found === undefined) continue;
    indexes.delete(name);
    return found.index;
  }
  return undefined;
}

/** An index belongs to the exact messages that it covers, as they were sent: a condensation starts another one. */
function indexName({ scope, history }: FitRequest, epoch: Epoch | undefined, messages: number): string {
  return `${epoch?.from === 0 ? formName(scope, epoch) : scope}/${history.prefixes()[messages - 1] ?? ""}`;
}

/** Returns the messages from the end of the projection to the last one with references. Messages without references need not be read. */
function grownSlots(changed: ReadonlyMap<number, Slot>, before: Projection): Slot[] {
  const byIndex = new Map([...changed.values()].flatMap((slot) => (slot.kind === "kept" ? [[slot.index, slot]] : [])));
  const last = Math.max(...byIndex.keys());
  return Array.from({ length: last + 1 - before.messages }, (_, offset): Slot => {
    const index = before.messages + offset;
    return byIndex.get(index) ?? { kind: "kept", index, message: UNREAD, changes: [], sources: [] };
  });
}

const UNREAD: Message = { role: "user", blocks: [] };

interface Growing {
  readonly fitRequest: FitRequest;
  readonly form: Form;
  readonly counter: CachingCounter;
}

function grownRendering(
  { fitRequest, form, counter }: Growing,
  slots: readonly Slot[],
  projection: Projection,
): Rendering {
  const { history, prompt, ratio } = fitRequest;
  const writing = { conversation: history.head.conversation, prompt, counter };
  const parts = writeSlots(form.rendering?.parts ?? [], slots, writing);
  const prints = history.messages.slice(0, projection.messages).map(({ fingerprint }) => fingerprint);
  return { messages: projection.messages, parts, prints, ratio: form.rendering?.ratio ?? ratio };
}

interface Grown {
  readonly projection: Projection;
  readonly from: number;
}

/** Stores how this turn was sent, in place of the turn before the last: a client may repeat the last one. */
async function keepTurn(fitRequest: FitRequest, form: Form, { projection, from }: Grown): Promise<Epoch> {
  const { state, destination } = fitRequest;
  const { strategy } = destination.context;
  const nothing = { strategy, isPlaceholder: false, tokensBefore: 0, tokensAfter: 0, targetTokens: 0, costUsd: 0 };
  const made = { ...(form.epoch ?? nothing), from: Math.max(1, from), projection };
  const epoch = epochOf(fitRequest, made, { base: form.epoch, reads: "messages" });
  await state.epochs.put(epoch);
  const earlier = state.epochs
    .known(fitRequest)
    .filter((each) => each.from > 0)
    .slice(2);
  for (const each of earlier) await state.epochs.remove(each);
  return epoch;
}

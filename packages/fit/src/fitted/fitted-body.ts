import {
  type CopyWatch,
  type KnownReferences,
  knownReferences,
  marksIn,
  type Projection,
  prefixSearch,
  project,
  watchCopies,
} from "@longhaul/condense/advanced";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonText,
  type Request,
} from "@longhaul/conversation/advanced";
import type { LimitField } from "@longhaul/wire";
import type { Fitted } from "../fitting/fit.ts";
import { marksFor } from "../history/cache-mark.ts";
import type { Layout } from "../history/history.ts";
import { sha256 } from "../history/known-messages.ts";
import { partsEdit } from "../history/parts.ts";
import { type ByteEdit, setField, spliceBytes } from "../request/body-bytes.ts";
import { once } from "../threads/timing.ts";

/** Applies the changes of fitting to the client's body. Returns undefined if the positions of its messages are unknown. */
export function fittedBody(body: Uint8Array, fitted: Fitted): Uint8Array | undefined {
  const { form, fitRequest, maxOutputTokens } = fitted;
  if (form.rendering === undefined && maxOutputTokens === undefined) return body;
  const { layout } = fitRequest.history;
  if (layout === undefined) return undefined;
  const { rendering } = form;
  const markOf = rendering && marksFor(fitRequest.history, rendering);
  const messages = rendering === undefined ? [] : [partsEdit(body, layout, { ...rendering, markOf })];
  const { limitFields: fields } = fitRequest.call.codec.traits;
  const limit = maxOutputTokens === undefined ? [] : limitEdits(body, layout, { fields, tokens: maxOutputTokens });
  return spliceBytes(body, [...messages, ...limit]);
}

/** Returns the prefix of a client's body that was sent before: the same bytes without the messages since then. */
export function sentBody(body: Uint8Array, { form, fitRequest }: Fitted, messages: number): Uint8Array | undefined {
  const { layout } = fitRequest.history;
  if (layout === undefined) return undefined;
  const { rendering } = form;
  const sent = { ...layout, spans: layout.spans.slice(0, messages) };
  const whole = { from: layout.start, to: layout.spans.at(-1)?.to ?? layout.start };
  const nothing = { messages: 0, parts: [], prints: [], ratio: 1 };
  const { bytes } = partsEdit(body, sent, rendering ?? nothing);
  return spliceBytes(body, [{ ...whole, bytes }]);
}

/** Applies the changes of fitting to a request that is encoded for another format or model. */
export function changedRequest(request: Request, { form, maxOutputTokens }: Fitted): Request {
  const { conversation } = request;
  const projection = form.epoch?.projection;
  return {
    ...request,
    ...(projection === undefined ? {} : { conversation: project(conversation, projection, sha256).conversation }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
}

interface OutputLimit {
  readonly fields: readonly LimitField[];
  readonly tokens: number;
}

function limitEdits(body: Uint8Array, layout: Layout, { fields, tokens }: OutputLimit): ByteEdit[] {
  const given = fields.filter(([name]) => layout.fields.has(name));
  return given.flatMap(([name, ...inside]) => {
    if (inside.length === 0) return [setField(body, layout, [name, tokens])];
    const config = readObject(body, layout, name);
    const inner = inside.find((each) => config?.[each] !== undefined);
    return inner === undefined ? [] : [setField(body, layout, [name, { ...config, [inner]: tokens }])];
  });
}

function readObject(body: Uint8Array, { fields }: Layout, name: string): JsonObject | undefined {
  const span = fields.get(name);
  const value: JsonValue =
    span === undefined ? null : parseJsonText(Buffer.from(body.subarray(span.from, span.to)).toString());
  return isJsonObject(value) ? value : undefined;
}

/** Returns the references in the sent request, which a model may copy into its answer; undefined if there are none. */
export function knownReferencesIn({ fitRequest, form }: Fitted): KnownReferences | undefined {
  const projection = form.epoch?.projection;
  const texts = projection === undefined ? [] : referenceTexts(projection);
  if (projection === undefined || texts.length === 0) return undefined;
  // The whole request is read only if a reference is really copied.
  const known = once(() => knownReferences(project(fitRequest.call.wholeRequest().conversation, projection, sha256)));
  return {
    isPrefix: prefixSearch(texts),
    expand: (reference) => (texts.includes(reference) ? known().expand(reference) : undefined),
  };
}

/** Returns a watch for marks that the model copies into the arguments of its calls; undefined if the original was sent. */
export function copyWatchFor({ form }: Fitted): CopyWatch | undefined {
  const projection = form.epoch?.projection;
  return projection && watchCopies(once(() => marksIn(projection)));
}

function referenceTexts({ entries }: Projection): readonly string[] {
  const changes = entries.flatMap((entry) => (entry.kind === "change" ? entry.changes : []));
  const pieces = changes.flatMap((change) => (change.kind === "text" ? change.pieces : []));
  return pieces.flatMap((piece) => ("made" in piece && piece.reference !== undefined ? [piece.made] : []));
}

import { table } from "@longhaul/conversation";
import { type Destination, decodePaced, makePauses, mustParse, record } from "@longhaul/fit";
import { asksToCompact, compactOnTrigger } from "./actions/compact.ts";
import { countTokens } from "./actions/count-tokens.ts";
import { listModels } from "./actions/list-models.ts";
import { pass } from "./actions/pass.ts";
import type { Arrived, Call, Received } from "./call.ts";
import type { ServeContext } from "./context.ts";
import type { Outcome } from "./http/outcome.ts";
import { redactBesides } from "./logging/redact.ts";
import { warningHeaders } from "./reasoning/tell-adjustments.ts";
import { admit } from "./stages/admit.ts";
import { type Answer, attempt, Refusal } from "./stages/attempt.ts";
import { authenticate } from "./stages/authenticate.ts";
import { contextHeaders } from "./stages/context-headers.ts";
import { carryOutEdits, type EditedCall } from "./stages/edit.ts";
import { measure } from "./stages/measure.ts";
import { pause } from "./stages/pause.ts";
import { noteOwner, recall } from "./stages/recall.ts";
import { resolve, wishOf } from "./stages/resolve.ts";
import { translate } from "./stages/translate.ts";
import { translateRefusal } from "./stages/translate-error.ts";

/** What each action of the model API does. */
const ACTIONS = table({ generate, "count-tokens": countTokens, "list-models": listModels, pass } as const);

/** Serves a request up to the first byte of its answer. An upstream's refusal is an answer too; what else goes wrong is thrown. */
export async function serve(arrived: Arrived, context: ServeContext): Promise<Outcome> {
  const known = await authenticate(arrived, context);
  const left = await admit(known, context);
  const outcome = await act({ ...known, body: await arrived.readBody() }, context);
  return { ...outcome, headers: { ...outcome.headers, ...left } };
}

async function act(received: Received, context: ServeContext): Promise<Outcome> {
  try {
    return await ACTIONS[received.endpoint.action](received, context);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    context.note({ error: error.error });
    return translateRefusal(received, error, redactBesides(context.snapshot.redact, received.headers));
  }
}

/** The life of a request for an answer of a model, or for a compaction of its input. */
async function generate(received: Received, context: ServeContext): Promise<Outcome> {
  const pauses = makePauses();
  const call = recall(await decodePaced(received), context);
  context.note({ model: call.model });
  const destinations = resolve(wishOf(call), context.snapshot);
  if (mustParse(call, destinations)) await call.prepare();
  await pauses.take();
  if (!asksToCompact(call)) return await answer(call, destinations, context);
  const compactHere = () => compactOnTrigger(received, context);
  if (destinations[0]?.wire !== call.codec.id) return await compactHere();
  return await answer(call, destinations, context).catch((error: unknown) => {
    // A server of the Responses API may not know the item that asks for it.
    if (error instanceof Refusal && error.error.code === "upstream.refused") return compactHere();
    throw error;
  });
}

async function answer(call: Call, destinations: readonly Destination[], context: ServeContext): Promise<Outcome> {
  const [first] = destinations;
  if (context.snapshot.config.log.tokens && first !== undefined) {
    context.note({ promptTokens: await measure(call, first, context) });
  }
  const edited: EditedCall = first === undefined ? { call } : await carryOutEdits(call, first, context);
  if (edited.report?.compaction?.pausesAfter === true) return pause(call, edited.report, context);
  return await attempt(edited.call, destinations, { ...context, accept: (answer) => accept(edited, answer, context) });
}

async function accept({ call, report }: EditedCall, answer: Answer, context: ServeContext): Promise<Outcome> {
  const { fitted } = answer;
  const outcome = await translate(call, answer, { ...context, contextEdits: report });
  if (fitted !== undefined) context.note({ learn: (usage) => record(fitted, usage) });
  const told = { ...(fitted && contextHeaders(fitted)), ...warningHeaders(answer.encoded.warnings) };
  const owned = answer.encoded.isSameFormat ? noteOwner(outcome, call, context) : outcome;
  return { ...owned, headers: { ...owned.headers, ...told } };
}

import type { Outcome } from "./http/outcome.ts";
import type { Snapshot } from "./snapshot.ts";
import { type AttemptContext, attempt, Refusal } from "./stages/attempt.ts";
import { decode, type Received } from "./stages/decode.ts";
import { resolve } from "./stages/resolve.ts";
import { translate, translateRefusal } from "./stages/translate.ts";

/** What the pipeline takes from outside. */
export interface PipelineContext extends AttemptContext {
  readonly snapshot: Snapshot;
  readonly nowSeconds: () => number;
}

/** The life of a request, from its bytes to the first byte of its answer. An upstream's refusal is an answer too; what else goes wrong is thrown. */
export async function serve(received: Received, context: PipelineContext): Promise<Outcome> {
  try {
    const call = decode(received);
    const targets = resolve({ model: call.model, wire: call.endpoint.wire }, context.snapshot);
    const answer = await attempt(call, targets, context);
    return await translate(call, answer, context.nowSeconds);
  } catch (error) {
    if (error instanceof Refusal) return translateRefusal(received, error);
    throw error;
  }
}

import type { ContextEditsReport } from "@longhaul/conversation";

/** A stream translator: no I/O, no timers, no hidden state. A state may be stepped from more than once. */
export interface Stepper<In, Out, State = unknown> {
  start(context?: ReplyContext): State;
  step(state: State, event: In): Step<State, Out>;
  /** What is still to be said when the input has ended. */
  end(state: State): readonly Out[];
}

/** The next state, and what happened. */
export type Step<State, Out> = readonly [State, readonly Out[]];

/** What a reply's own bytes don't say. */
export interface ReplyContext {
  /** Who made the reply, where that is not the format's own vendor. Read by decoders. */
  readonly vendor?: string;
  /** When the reply was made, in seconds since 1970. Written by encoders of formats that have a place for it. */
  readonly createdSeconds?: number;
  /** An estimate of the prompt, for formats that tell the client before the upstream has told us. */
  readonly inputTokens?: number;
  /** Whether the client wants a chat stream to end with usage. @default true */
  readonly streamUsage?: boolean;
  /** What became of the context edits that the client asked for. Written by encoders of formats that have a place for it. */
  readonly contextEdits?: ContextEditsReport;
}

/** One server-sent event, its data still as text. */
export interface WireEvent {
  readonly event?: string;
  readonly data: string;
  /** A line after the event that is not part of any event, for SDKs that throw only then. Readers of events skip it. */
  readonly bare?: string;
}

/** A stepper at work on one stream. */
export interface Run<In, Out> {
  /** Returns the outputs for the next inputs. */
  feed(inputs: readonly In[]): Out[];
  /** Returns the last outputs, after all inputs. */
  end(): readonly Out[];
}

/** Starts a run from a state. */
export function runSteps<In, Out, State>(
  { step, end }: Pick<Stepper<In, Out, State>, "step" | "end">,
  start: State,
): Run<In, Out> {
  let state = start;
  return {
    // A loop, because streams have thousands of events and `flatMap` takes longer.
    feed: (inputs) => {
      const outputs: Out[] = [];
      for (const input of inputs) {
        const [next, out] = step(state, input);
        state = next;
        for (const output of out) outputs.push(output);
      }
      return outputs;
    },
    end: () => end(state),
  };
}

/** Work that pauses after each of its steps. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Takes all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

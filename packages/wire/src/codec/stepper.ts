import type { ContextEditsReport, StreamEvent } from "@longhaul/conversation/advanced";

/** A stream translator without I/O, timers or hidden state. The same state may be stepped more than once. */
export interface Stepper<In, Out, State = unknown> {
  start(context?: ReplyContext): State;
  step(state: State, event: In): Step<State, Out>;
  /** Returns the remaining output after the last input. */
  end(state: State): readonly Out[];
}

/** The stream event of a type. */
export type EventOf<T extends StreamEvent["type"]> = Extract<StreamEvent, { type: T }>;

/** The next state and the output. */
export type Step<State, Out> = readonly [State, readonly Out[]];

/** Facts about a reply that its bytes do not contain. */
export interface ReplyContext {
  /** The vendor of the model, if it is not the format's vendor. Used by decoders. */
  readonly vendor?: string;
  /** Creation time in seconds since 1970. Used by encoders of formats that have a field for it. */
  readonly createdSeconds?: number;
  /** Estimated prompt tokens, for formats that report usage before the upstream does. */
  readonly inputTokens?: number;
  /** Whether a chat stream ends with usage. @default true */
  readonly streamUsage?: boolean;
  /** Result of the context edits that the client requested. Used by encoders of formats that have a field for it. */
  readonly contextEdits?: ContextEditsReport;
}

/** One server-sent event with unparsed data. */
export interface WireEvent {
  readonly event?: string;
  readonly data: string;
  /** A line after the event that belongs to no event. Event readers skip it, but Google's SDK throws only for text outside events. */
  readonly bare?: string;
}

/** A stepper running on one stream. */
export interface Run<In, Out> {
  /** Returns the outputs for the next inputs. */
  feed(inputs: readonly In[]): Out[];
  /** Returns the remaining outputs after the last input. */
  end(): readonly Out[];
}

/** Starts a run from a state. */
export function runSteps<In, Out, State>(
  { step, end }: Pick<Stepper<In, Out, State>, "step" | "end">,
  start: State,
): Run<In, Out> {
  let state = start;
  return {
    // A loop is faster than `flatMap`, and streams have thousands of events.
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

/** Runs a step for each value and collects the output. */
export function stepEach<State, In, Out>(
  state: State,
  values: readonly In[],
  step: (state: State, value: In) => Step<State, Out>,
): Step<State, Out> {
  let next = state;
  const outputs: Out[] = [];
  for (const value of values) {
    const [after, more] = step(next, value);
    next = after;
    outputs.push(...more);
  }
  return [next, outputs];
}

/** Work that pauses between steps. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** How many entries of a list are handled between two pauses. */
const STRIDE = 256;

/** Maps a list and pauses from time to time: a list may have thousands of entries. */
export function* mapSteps<In, Out>(list: readonly In[], map: (entry: In, index: number) => Out): Steps<Out[]> {
  const mapped: Out[] = [];
  for (const [index, entry] of list.entries()) {
    if (index % STRIDE === STRIDE - 1) yield;
    mapped.push(map(entry, index));
  }
  return mapped;
}

/** Runs all steps without pausing. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

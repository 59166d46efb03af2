import type { Stepper } from "./codec.ts";

/** A stepper at work on one stream. */
export interface Run<In, Out> {
  /** Returns what comes out for these inputs, which follow those of the last call. */
  feed(inputs: readonly In[]): Out[];
  /** Returns what is still to come when the inputs have ended. */
  end(): readonly Out[];
}

/** Starts a run from a state. */
export function runSteps<In, Out, State>(
  { step, end }: Pick<Stepper<In, Out, State>, "step" | "end">,
  start: State,
): Run<In, Out> {
  let state = start;
  return {
    // Streams have thousands of events, and `flatMap` takes three times as long.
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

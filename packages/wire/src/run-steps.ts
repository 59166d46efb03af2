import type { Stepper } from "./codec.ts";

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

import { Latest } from "@longhaul/conversation";
import {
  type Calibration,
  type Lesson,
  learn,
  type Model,
  startCalibration,
  TOKENIZER_FAMILIES,
} from "@longhaul/models";

/** What the replies of each model have taught about how it counts. */
export interface Calibrations {
  /** Tokens of a model for one of its encoding; nothing where its replies have taught nothing yet. */
  ratio(id: string): number | undefined;
  /** Learns from a reply of a model. */
  learn(id: string, model: Model, lesson: Lesson): void;
}

const MAX_MODELS = 1_000;

/** An empty memory in this process, which forgets the model that was not heard of for longest. */
export function makeCalibrations(maxModels = MAX_MODELS): Calibrations {
  const calibrations = new Latest<Calibration>(maxModels);
  return {
    ratio: (id) => calibrations.get(id)?.ratio,
    learn: (id, { tokenizer }, lesson) => {
      const before = calibrations.get(id) ?? startCalibration(TOKENIZER_FAMILIES[tokenizer].ratio);
      const after = learn(before, lesson);
      if (after.learnt > 0) calibrations.put(id, after);
    },
  };
}

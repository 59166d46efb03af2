export type { FittingOptions, Form, FormMemory } from "../contract.ts";
export { makeFormMemory } from "../contract.ts";
export {
  type CondensedMessages,
  condenseMessages,
  type FitMessagesOptions,
  fitMessages,
  fitMessagesHook,
  type Summarizer,
} from "./fit-messages.ts";

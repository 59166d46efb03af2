export type { FittingOptions, FittingSettings, Form, FormMemory } from "../contract.ts";
export { makeFormMemory } from "../contract.ts";
export {
  type CondensedMessages,
  type CondenseMessagesOptions,
  condenseMessages,
  type FittedMessages,
  fitMessages,
} from "./condense-messages.ts";
export type { MessageFormat } from "./formats.ts";

export type { FittingOptions } from "../fitting-call.ts";
export type { Form, FormMemory } from "../form-memory.ts";
export { makeFormMemory } from "../form-memory.ts";
export { type FitMessagesOptions, fitMessages, fitMessagesHook, type Summarizer } from "./fit-messages.ts";

export type { FittingOptions } from "../fitting-call.ts";
export type { Form, FormMemory } from "../form-memory.ts";
export { makeFormMemory } from "../form-memory.ts";
export { type FitOptions, fitToWindow } from "./fit-to-window.ts";

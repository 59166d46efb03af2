export type { FittingOptions, Form, FormMemory } from "../contract.ts";
export { makeFormMemory } from "../contract.ts";
export { type FitOptions, fitToWindow } from "./fit-to-window.ts";

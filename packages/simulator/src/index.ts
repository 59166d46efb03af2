export type { Behavior, Ending, ScriptedCall } from "./core/behavior.ts";
export type { WorldOptions } from "./core/make-world.ts";
export type { ApiId, Prompt, PromptTool, PromptTurn } from "./core/prompt.ts";
export type { AwsCredentials, GoogleAccount } from "./core/world.ts";
export { FAULT_NAMES, type FaultRule } from "./http/faults.ts";
export type { RecordedRequest, Totals } from "./http/records.ts";
export type { Wait } from "./http/send-steps.ts";
export type { Pace } from "./http/steps.ts";
export { openSimulator, type Simulator, type SimulatorOptions } from "./simulator.ts";

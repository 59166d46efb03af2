export type { Behavior, Ending, ScriptedCall } from "./core/behavior.ts";
export type { ApiId, Prompt, PromptTool, PromptTurn } from "./core/prompt.ts";
export type { AwsCredentials, GoogleAccount, WorldOptions } from "./core/world.ts";
export { FAULT_NAMES, type FaultRule } from "./http/faults.ts";
export type { RecordedRequest, Totals } from "./http/records.ts";
export type { Pace, Wait } from "./http/steps.ts";
export { openSimulator, type Simulator, type SimulatorOptions } from "./simulator.ts";

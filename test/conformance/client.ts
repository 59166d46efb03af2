/** A tool call received by a client. */
export interface SeenCall {
  readonly name: string;
  readonly input: unknown;
}

/** A client's task: one prompt, continued until the model stops calling tools. */
export interface Task {
  readonly model: string;
  readonly prompt: string;
  readonly stream: boolean;
  readonly system?: string;
  /** A PNG as base64, sent with the prompt. */
  readonly image?: string;
  /** Names of tools with one argument, `path`. */
  readonly tools?: readonly string[];
  readonly think?: boolean;
}

/** A client's result. */
export interface Outcome {
  /** All calls, by round. */
  readonly rounds: readonly (readonly SeenCall[])[];
  readonly text: string;
  readonly thinking: string;
  /** Input tokens reported with the last reply. */
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** An official SDK. */
export interface Client {
  readonly name: string;
  readonly wire: string;
  run(task: Task): Promise<Outcome>;
}

/** The result of every tool. */
export function resultOf(input: unknown): string {
  return `content of ${JSON.stringify(input)}`;
}

/** The input schema of every tool. */
export const PATH_SCHEMA = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object" as const,
  properties: { path: { type: "string" as const, minLength: 1 } },
  required: ["path"],
  additionalProperties: false,
};

/** More rounds than any script needs. */
export const MAX_ROUNDS = 6;

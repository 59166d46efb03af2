/** One tool call as a client saw it. */
export interface SeenCall {
  readonly name: string;
  readonly input: unknown;
}

/** What a client is to do: one prompt, carried on until the model stops calling tools. */
export interface Task {
  readonly model: string;
  readonly prompt: string;
  readonly stream: boolean;
  readonly system?: string;
  /** A PNG as base64, put beside the prompt. */
  readonly image?: string;
  /** Names of tools with one argument, `path`. */
  readonly tools?: readonly string[];
  readonly think?: boolean;
}

/** What a client got. */
export interface Outcome {
  /** Every call, round by round. */
  readonly rounds: readonly (readonly SeenCall[])[];
  readonly text: string;
  readonly thinking: string;
  /** Input tokens that the last answer reported. */
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** An official SDK, as people use it. */
export interface Client {
  readonly name: string;
  /** The format that it speaks. */
  readonly wire: string;
  run(task: Task): Promise<Outcome>;
}

/** What every tool answers. */
export function resultOf(input: unknown): string {
  return `content of ${JSON.stringify(input)}`;
}

/** The schema of every tool. */
export const PATH_SCHEMA = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object" as const,
  properties: { path: { type: "string" as const, minLength: 1 } },
  required: ["path"],
  additionalProperties: false,
};

/** More rounds than any script has. */
export const MAX_ROUNDS = 6;

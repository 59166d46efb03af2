import type { ScriptedCall } from "@longhaul/simulator";

/** A client program, and how it is run without a terminal. */
export interface Client {
  /** Its id in `longhaul connect`. */
  readonly id: string;
  /** Its name in tests, if it is run in several ways. @default its id */
  readonly variant?: string;
  /** Its npm package. */
  readonly package: string;
  readonly version: string;
  readonly wire: "anthropic-messages" | "openai-chat" | "openai-responses" | "gemini";
  readonly model: string;
  /** Another vendor's model that answers instead. @default none */
  readonly answeredBy?: string;
  /** Whether the server compacts its history, long before the gateway must condense. @default false */
  readonly compacts?: boolean;
  readonly program: string;
  /** The program's folder under `node_modules`. @default ".bin" */
  readonly programs?: string;
  /** How it is pointed at the gateway: by `longhaul run`, by `longhaul connect --write`, or by its own first run. */
  readonly way: "run" | "write" | { readonly ownArgs: (setting: Setting) => readonly string[] };
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The arguments that make it do a task and exit. */
  args(setting: Setting): readonly string[];
  /** The call with which the model reads a file. */
  read(path: string): ScriptedCall;
  /** The call with which the model starts a sub-agent, if the client has them. */
  delegate?(task: string): ScriptedCall;
  /** The call with which the model ends, if the client needs one. */
  finish?(words: string): ScriptedCall;
}

/** Returns a client's name in tests; the same client may be run with several models. */
export function nameOf({ id, variant = id, answeredBy }: Client): string {
  return answeredBy === undefined ? variant : `${variant} on ${answeredBy}`;
}

/** The values for a client's arguments. */
interface Setting {
  /** The gateway's URL without a trailing slash. */
  readonly gateway: string;
  readonly task: string;
  readonly model: string;
}

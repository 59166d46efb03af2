import type { ScriptedCall } from "@longhaul/simulator";

/** A program that people use with a model, and how it is run without a terminal. */
export interface Client {
  /** As `longhaul connect` knows it. */
  readonly id: string;
  /** What tests call it, where it is run in several ways. @default its id */
  readonly variant?: string;
  /** What npm calls it. */
  readonly package: string;
  readonly version: string;
  readonly wire: "anthropic-messages" | "openai-chat" | "openai-responses" | "gemini";
  readonly model: string;
  /** Another vendor's model that answers in its place. @default none does */
  readonly answeredBy?: string;
  /** Whether it has its own history compacted by the server, long before the gateway has to condense. @default false */
  readonly compacts?: boolean;
  readonly program: string;
  /** Where the program is, under `node_modules`. @default ".bin" */
  readonly programs?: string;
  /** How it is pointed at the gateway: by `longhaul run`, by `longhaul connect --write`, or by its own first run. */
  readonly way: "run" | "write" | { readonly ownArgs: (setting: Setting) => readonly string[] };
  /** Variables that it is started with besides. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What makes it do a task and end. */
  args(setting: Setting): readonly string[];
  /** How the model asks this client for a file. */
  read(path: string): ScriptedCall;
  /** How the model starts a sub-agent, if the client has them. */
  delegate?(task: string): ScriptedCall;
  /** How the model says its last words, where the client wants more than to hear them. */
  finish?(words: string): ScriptedCall;
}

/** What tests call a client: the same one may be run with several models. */
export function nameOf({ id, variant = id, answeredBy }: Client): string {
  return answeredBy === undefined ? variant : `${variant} on ${answeredBy}`;
}

/** What a client is given. */
interface Setting {
  /** The gateway, without a slash at the end. */
  readonly gateway: string;
  readonly task: string;
  readonly model: string;
}

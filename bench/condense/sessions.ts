import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Conversation } from "@longhaul/conversation";
import { readLog } from "@longhaul/logs";

/** Real sessions that are measured together: a long one by itself, or many short ones of a kind. */
export interface SessionGroup {
  readonly name: string;
  readonly conversations: readonly Conversation[];
  readonly isLong: boolean;
}

const FOLDER = new URL("../../../shared/data/sessions/", import.meta.url);
const LONG = ["claude-code", "pi", "roo"] as const;
const SHORT = ["openai-tools"] as const;

/** The real sessions, where they are at hand; else none. */
export function readSessions(): SessionGroup[] {
  if (!existsSync(FOLDER)) return [];
  const long = LONG.flatMap((folder) =>
    filesIn(folder).map((file) => ({ name: `${folder}/${file}`, conversations: [read(folder, file)], isLong: true })),
  );
  const short = SHORT.map((folder) => {
    const conversations = filesIn(folder).map((file) => read(folder, file));
    return { name: `${folder} (${conversations.length})`, conversations, isLong: false };
  });
  return [...long, ...short];
}

function filesIn(folder: string): string[] {
  return readdirSync(new URL(folder, FOLDER)).sort();
}

function read(folder: string, file: string): Conversation {
  return readLog(readFileSync(new URL(`${folder}/${file}`, FOLDER), "utf8")).conversation;
}

/** The mean of numbers. */
export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

import { LonghaulError } from "@longhaul/conversation";
import { serveJobs } from "../threads/thread.ts";

/** A thread that asks what to say before a text. */
export interface EchoProtocol {
  readonly job: string;
  readonly question: string;
  readonly told: string;
  readonly done: string;
}

serveJobs<EchoProtocol>(async (text, ask) => {
  if (text === "") throw new LonghaulError("log.unreadable", "there is nothing to say");
  return `${await ask(text)} ${text}`;
});

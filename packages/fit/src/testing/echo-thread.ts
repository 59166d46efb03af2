import { LonghaulError } from "@longhaul/conversation";
import { serveJobs } from "../threads/thread.ts";

/** A thread that asks for a prefix and echoes a text with it. */
export interface EchoProtocol {
  readonly job: string;
  readonly question: string;
  readonly answer: string;
  readonly done: string;
}

serveJobs<EchoProtocol>(async (text, ask) => {
  if (text === "") throw new LonghaulError("log.unreadable", "there is nothing to say");
  return `${await ask(text)} ${text}`;
});

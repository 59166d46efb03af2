import { LonghaulError } from "@longhaul/conversation";
import { inTime, LATE } from "@longhaul/fit";

/** What a promise comes to, if it does so in time; else it is given up as `store.unavailable`. */
export async function within<T>(limitMs: number, asked: Promise<T>): Promise<T> {
  const answer = await inTime(limitMs, asked);
  if (answer !== LATE) return answer;
  throw new LonghaulError("store.unavailable", `the database did not answer within ${limitMs} ms`);
}

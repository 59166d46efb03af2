import { LonghaulError } from "@longhaul/conversation";

/** What a promise comes to, if it does so in time; else it is given up as `store.unavailable`. */
export async function within<T>(limitMs: number, asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new LonghaulError("store.unavailable", `the database did not answer within ${limitMs} ms`);
    timer = setTimeout(() => reject(error), limitMs);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What stands for something that did not come in time. */
export const LATE: unique symbol = Symbol("late");

/** What a promise comes to, if it does so in time; else `LATE`, whatever becomes of it. */
export async function inTime<T>(limitMs: number, asked: Promise<T>): Promise<T | typeof LATE> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(resolve, limitMs, LATE);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

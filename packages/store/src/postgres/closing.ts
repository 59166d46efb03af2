const LIMIT_MS = 1_000;

/** Waits for connections to close, but not for a server that does not answer any more. */
export async function closing(end: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LIMIT_MS);
  });
  await Promise.race([end.catch(() => {}), late]);
  clearTimeout(timer);
}

import type { Page } from "playwright-core";

/** The parts of Chromium's work for a page, apart from painting. */
const WORK = new Set(["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"]);

/**
 * Starts to measure a page. The function returns the milliseconds of processor time that scripts, styles and layout have taken since: other
 * programs on a busy machine are not counted, as they would be by a clock.
 */
export async function measureWork(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const sum = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.filter(({ name }) => WORK.has(name)).reduce((total, { value }) => total + value * 1_000, 0);
  };
  const before = await sum();
  return async () => (await sum()) - before;
}

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** What is wrong with the page that is shown, for those who use it otherwise than by eye and mouse: in light, and in dark on a phone. */
export async function axeFaults(page: Page): Promise<string[]> {
  const before = page.viewportSize() ?? PHONE;
  const faults: string[] = [];
  for (const [theme, size] of [
    ["light", before],
    ["dark", PHONE],
  ] as const) {
    await page.setViewportSize(size);
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    const { violations } = await new AxeBuilder({ page }).analyze();
    faults.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${theme}: ${id} at ${html}`)));
  }
  await page.setViewportSize(before);
  return faults;
}

/** How much wider the page is than a phone: nothing, where it need not be scrolled sideways. */
export async function phoneOverflow(page: Page): Promise<number> {
  const before = page.viewportSize() ?? PHONE;
  await page.setViewportSize(PHONE);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await page.setViewportSize(before);
  return over;
}

const PHONE = { width: 390, height: 800 };

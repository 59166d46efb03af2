import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** What is wrong with the page that is shown, for those who use it otherwise than by eye and mouse; in both themes. */
export async function axeFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const theme of ["light", "dark"]) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    const axe = new AxeBuilder({ page });
    // Nothing but colours depends on the theme.
    const { violations } = await (theme === "dark" ? axe.withRules("color-contrast") : axe).analyze();
    faults.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${theme}: ${id} at ${html}`)));
  }
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

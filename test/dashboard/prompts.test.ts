import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { axeFaults, phoneOverflow } from "./page.ts";
import { openRig, type Rig } from "./rig.ts";
import { settingAt } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig({ profiles: { cheap: { upstream: "simulated", model: "gpt-4o-mini" } } });
  await rig.show("prompts");
});
afterAll(() => rig.close());
afterEach(() => expect(rig.complaints).toEqual([]));

const button = (name: string) => rig.page.getByRole("button", { name, exact: true });
const prompt = () => rig.page.getByLabel("Instructions to the summariser");
const shown = () => rig.page.locator(".told");
const told = (words: string) => rig.page.locator(".toasts").getByText(words).first().waitFor();

describe("a prompt", () => {
  it("is shown with an excerpt of a conversation, as a model is told it", async () => {
    await rig.page.getByText("about $", { exact: false }).first().waitFor();
    await prompt().fill("Sum this up in {words} words: {formatted_messages} That was all of it.");
    await shown().getByText("That was all of it.").waitFor();
    expect(await shown().textContent()).toMatch(/Sum this up in \d+ words:.*\[assistant\].*\[… \d+ characters …\]/s);
  });

  it("is used everywhere, and taken back", async () => {
    const mine = "Keep every decision with its reason.";
    await prompt().fill(mine);
    await button("Apply").click();
    await told("The prompt is used from the next summary on.");
    await expect.poll(() => settingAt(rig, "context.prompt")).toBe(mine);
    await button("Back to the default").click();
    await told("The default prompt is used again.");
    await expect.poll(() => settingAt(rig, "context.prompt")).toBeUndefined();
    expect(await prompt().inputValue()).toContain("You write the record");
  });

  it("is refused while it is typed", async () => {
    await prompt().fill("Use {language}.");
    await rig.page.getByText("unknown placeholder {language}").waitFor();
    expect(await button("Apply").isDisabled()).toBe(true);
    await prompt().fill("");
    await rig.page.getByText("the prompt is blank").waitFor();
  });

  it("is set for one strategy, beside its other settings, and for one profile", async () => {
    await rig.page.getByLabel("Used by").selectOption("sandwich");
    await rig.page.getByLabel("Holds for").selectOption("cheap");
    await prompt().fill("Only the middle.");
    await button("Apply").click();
    await told("The prompt is used from the next summary on.");
    await expect
      .poll(() => settingAt(rig, "profiles.cheap.context.strategies.sandwich"))
      .toEqual({ prompt: "Only the middle." });
    await expect.poll(() => settingAt(rig, "context.strategies.sandwich")).toBeUndefined();
  });

  it("says that one for every strategy goes before it", async () => {
    await rig.page.getByLabel("Used by").selectOption("");
    await prompt().fill("For all of them.");
    await button("Apply").click();
    await rig.page.getByLabel("Used by").selectOption("sandwich");
    await rig.page.getByText("It goes before this one.").waitFor();
    expect(await prompt().inputValue()).toBe("Only the middle.");
  });
});

it("can be used by everybody", async () => {
  expect(await axeFaults(rig.page)).toEqual([]);
  expect(await phoneOverflow(rig.page)).toBe(0);
});

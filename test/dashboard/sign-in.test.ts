import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { axeFaults, phoneOverflow } from "./page.ts";
import { ADMIN_TOKEN, openRig, type Rig } from "./rig.ts";
import { post } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.close());

/** What a browser says of an answer that is an error, which is not to be avoided. */
const REFUSED = expect.stringContaining("401");

const button = (name: string) => rig.page.getByRole("button", { name, exact: true });

describe("signing in", () => {
  afterEach(() => expect(rig.complaints.splice(0)).toSatisfy((all: unknown[]) => all.every(isRefused)));

  it("takes the token out of the address", async () => {
    expect(new URL(rig.page.url()).hash).toBe("#/");
    await rig.page.getByRole("heading", { name: "Nothing has come through yet" }).waitFor();
  });

  it("lasts over a reload", async () => {
    await rig.page.reload();
    await rig.page.getByRole("heading", { name: "Nothing has come through yet" }).waitFor();
  });

  it("ends with the button that says so, and stays ended", async () => {
    await button("Sign out").click();
    await button("Sign in").waitFor();
    await rig.page.reload();
    await button("Sign in").waitFor();
    expect(await rig.page.locator("nav").count()).toBe(0);
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });

  it("refuses a wrong token, and says what to do", async () => {
    await rig.page.getByLabel("Token").fill("not-the-token");
    await button("Sign in").click();
    await rig.page.getByRole("alert").getByText("this token is wrong").waitFor();
    expect(await rig.page.locator("nav").count()).toBe(0);
  });

  it("lets the admin's own token in, to the page that was asked for", async () => {
    await rig.show("upstreams");
    await rig.page.getByLabel("Token").fill(ADMIN_TOKEN);
    await button("Sign in").click();
    await rig.page.getByRole("heading", { name: "Upstreams" }).waitFor();
  });

  it("is asked for again when the gateway no longer knows the browser", async () => {
    await rig.context.clearCookies();
    await rig.show("keys");
    await button("Sign in").waitFor();
    await rig.page.goto("about:blank");
    await rig.page.goto(`${rig.gateway.adminUrl}/#token=${await rig.gateway.mintAdminToken()}`);
    await rig.page.getByRole("heading", { name: "Nothing has come through yet" }).waitFor();
  });

  it("works once with one address", async () => {
    const address = `${rig.gateway.adminUrl}/#token=${await rig.gateway.mintAdminToken()}`;
    for (const shown of ["Nothing has come through yet", "this token is wrong"]) {
      const page = await rig.context.browser()?.newPage({ locale: "en-US" });
      await page?.goto(address);
      await page?.getByText(shown).waitFor();
      await page?.close();
    }
  });
});

function isRefused(complaint: unknown): boolean {
  return REFUSED.asymmetricMatch(complaint) || complaint === "asked about:blank";
}

it("says that the gateway is away, and goes on by itself once it is back", async () => {
  await rig.show("sessions");
  await rig.page.getByText("No session yet").waitFor();
  await rig.page.evaluate(() => {
    document.documentElement.dataset.seen = "before";
  });
  const notice = rig.page.getByText("The gateway does not answer. What you see is from before");
  const whileAway = notice.waitFor();
  await rig.restart(() => whileAway);
  await notice.waitFor({ state: "detached" });
  await post(rig, { session: "after-the-restart" }, { messages: [{ role: "user", content: "hello" }] });
  await rig.page.getByRole("link", { name: "after-the-restart" }).waitFor();
  expect(await rig.page.evaluate(() => document.documentElement.dataset.seen)).toBe("before");
});

it("goes on by itself where something else answered in the gateway's place", async () => {
  const notice = rig.page.getByText("The gateway does not answer. What you see is from before");
  await rig.page.route("**/api/stream", (route) => route.fulfill({ status: 502, body: "nobody is there" }));
  await rig.restart();
  await notice.waitFor();
  const refused = rig.page.waitForResponse((response) => response.url().endsWith("/api/stream"));
  expect((await refused).status()).toBe(502);
  await rig.page.unroute("**/api/stream");
  await notice.waitFor({ state: "detached" });
});

it("asks to sign in where the gateway came back and no longer knows the browser", async () => {
  // A fresh page, which has no more to ask: only its stream can tell.
  await rig.page.reload();
  await rig.page.getByRole("link", { name: "after-the-restart" }).waitFor();
  await rig.restart(() => rig.context.clearCookies());
  await button("Sign in").waitFor();
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { axeFaults, phoneOverflow } from "./page.ts";
import { ADMIN_TOKEN, openRig, type Rig } from "./rig.ts";
import { post } from "./traffic.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.close());

/** The browser logs every error status itself. */
const REFUSED = expect.stringContaining("401");

const button = (name: string) => rig.page.getByRole("button", { name, exact: true });

describe("signing in", () => {
  afterEach(() => expect(rig.complaints.splice(0)).toSatisfy((all: unknown[]) => all.every(isRefused)));

  it("removes the token from the address", async () => {
    expect(new URL(rig.page.url()).hash).toBe("#/");
    await rig.page.getByRole("heading", { name: "No traffic yet" }).waitFor();
  });

  it("survives a reload", async () => {
    await rig.page.reload();
    await rig.page.getByRole("heading", { name: "No traffic yet" }).waitFor();
  });

  it("ends with Sign out, also after a reload", async () => {
    await button("Sign out").click();
    await button("Sign in").waitFor();
    await rig.page.reload();
    await button("Sign in").waitFor();
    expect(await rig.page.locator("nav").count()).toBe(0);
    expect(await axeFaults(rig.page)).toEqual([]);
    expect(await phoneOverflow(rig.page)).toBe(0);
  });

  it("rejects a wrong token with a message", async () => {
    await rig.page.getByLabel("Token").fill("not-the-token");
    await button("Sign in").click();
    await rig.page.getByRole("alert").getByText(/token/).waitFor();
    expect(await rig.page.locator("nav").count()).toBe(0);
  });

  it("accepts the admin token and shows the page in the address", async () => {
    await rig.show("upstreams");
    await rig.page.getByLabel("Token").fill(ADMIN_TOKEN);
    await button("Sign in").click();
    await rig.page.getByRole("heading", { name: "Upstreams" }).waitFor();
  });

  it("is required again when the cookie is no longer valid", async () => {
    await rig.context.clearCookies();
    await rig.show("keys");
    await button("Sign in").waitFor();
    await rig.page.goto("about:blank");
    await rig.page.goto(`${rig.gateway.adminUrl}/#token=${await rig.gateway.mintAdminToken()}`);
    await rig.page.getByRole("heading", { name: "No traffic yet" }).waitFor();
  });

  it("works only once with the same address", async () => {
    const address = `${rig.gateway.adminUrl}/#token=${await rig.gateway.mintAdminToken()}`;
    for (const shown of [".page", '[role=alert]:has-text("This link has been used already")']) {
      const page = await rig.context.browser()?.newPage({ locale: "en-US" });
      await page?.goto(address);
      await page?.locator(shown).waitFor();
      await page?.close();
    }
  });
});

function isRefused(complaint: unknown): boolean {
  return REFUSED.asymmetricMatch(complaint) || complaint === "requested about:blank";
}

it("warns while the gateway is down, and reconnects by itself", async () => {
  await rig.show("sessions");
  await rig.page.getByText("No sessions yet").waitFor();
  await rig.page.evaluate(() => {
    document.documentElement.dataset.seen = "before";
  });
  const notice = rig.page.getByText("The gateway is not responding. This page shows the last known data");
  const whileAway = notice.waitFor();
  await rig.restart(() => whileAway);
  await notice.waitFor({ state: "detached" });
  await post(rig, { session: "restarted" }, { messages: [{ role: "user", content: "after the restart" }] });
  await rig.page.getByRole("link", { name: "after the restart" }).waitFor();
  expect(await rig.page.evaluate(() => document.documentElement.dataset.seen)).toBe("before");
});

it("reconnects by itself after a proxy returned an error page", async () => {
  const notice = rig.page.getByText("The gateway is not responding. This page shows the last known data");
  await rig.page.route("**/api/stream", (route) => route.fulfill({ status: 502, body: "bad gateway" }));
  await rig.restart();
  await notice.waitFor();
  const refused = rig.page.waitForResponse((response) => response.url().endsWith("/api/stream"));
  expect((await refused).status()).toBe(502);
  await rig.page.unroute("**/api/stream");
  await notice.waitFor({ state: "detached" });
});

it("requires a sign-in when the gateway restarts and rejects the cookie", async () => {
  // A fresh page has no open requests, so only its event stream can fail.
  await rig.page.reload();
  await rig.page.getByRole("link", { name: "after the restart" }).waitFor();
  await rig.restart(() => rig.context.clearCookies());
  await button("Sign in").waitFor();
});

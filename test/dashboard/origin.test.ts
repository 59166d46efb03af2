import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { KeysAnswer } from "@longhaul/admin/api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openRig, type Rig } from "./rig.ts";
import { ask } from "./traffic.ts";

/** Sends the same request as the dashboard to create a key, before the page is loaded. */
const SCRIPT = `
  const asking = new XMLHttpRequest();
  asking.open("POST", "/api/keys", false);
  asking.setRequestHeader("content-type", "application/json");
  asking.setRequestHeader("x-longhaul-admin", "1");
  asking.send(JSON.stringify({ name: "stolen" }));
`;
const PAGE = `<!doctype html><script>${SCRIPT}</script><img src=x onerror='${SCRIPT}'><svg onload='${SCRIPT}'>`;

let upstream: Server;
let attacker: Server;
let rig: Rig;
let types: string[] = [];
let formPage = "";
beforeAll(async () => {
  upstream = await listen(() => PAGE);
  attacker = await listen(() => formPage);
  const baseUrl = addressOf(upstream);
  rig = await openRig({
    upstreams: {
      gpt: { kind: "openai", baseUrl: `${baseUrl}/v1`, apiKey: "operators", maxRetries: 0 },
      google: { kind: "gemini", baseUrl, apiKey: "operators", maxRetries: 0 },
    },
    routes: [
      { match: "gpt-*", upstream: "gpt" },
      { match: "*", upstream: "google" },
    ],
  });
});
afterAll(async () => {
  await rig.close();
  for (const server of [upstream, attacker]) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server that answers every request with a page, of the content types in `types`. */
async function listen(page: () => string): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    const headers = { "content-type": types.shift() ?? "text/html", "content-disposition": "inline" };
    response.writeHead(200, headers).end(page());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function keyNames(): Promise<string[]> {
  const { keys } = await ask<KeysAnswer>(rig, "/keys");
  return keys.map(({ name }) => name);
}

const LINKS = [
  "/v1/files/file-1",
  "/v1/files/file-1/content",
  "/v1/files/%2e%2e/page",
  "/v1/responses/resp_1",
  "/v1/batches/b1?key=any",
  "/v1beta/models?key=any",
];

it.each(LINKS)("creates no key when a signed-in admin opens %s", async (path) => {
  for (const type of ["text/html", "image/svg+xml", "application/xhtml+xml"]) {
    types = [type];
    const page = await rig.context.newPage();
    await page.goto(rig.gateway.url);
    await page.evaluate((to) => location.assign(to), path);
    await page.waitForURL((url) => url.pathname !== "/");
    await page.waitForLoadState("load");
    await page.close();
    expect(await keyNames()).toEqual([]);
  }
});

const FORMS = [
  ["/v1/embeddings", `{"model":"gpt-4o","x":"`],
  ["/v1beta/models/gemini-2.5-pro:generateContent?key=any", `{"contents":[],"x":"`],
  ["/api/keys", `{"name":"stolen","x":"`],
] as const;

it.each(FORMS)("creates no key when another site posts a form to %s", async (path, field) => {
  const target = `${rig.gateway.url}${path}`;
  const input = `<input name='${field}' value='"}'>`;
  formPage = `<form id=f method=post enctype="text/plain" action="${target}">${input}</form><script>f.submit()</script>`;
  types = [];
  const page = await rig.context.newPage();
  const answered = page.waitForResponse((response) => response.url() === target);
  await page.goto(addressOf(attacker));
  expect((await answered).status()).toBe(403);
  await page.close();
  expect(await keyNames()).toEqual([]);
});

it("creates a key when the dashboard sends the request", async () => {
  await rig.page.evaluate(SCRIPT);
  expect(await keyNames()).toEqual(["stolen"]);
});

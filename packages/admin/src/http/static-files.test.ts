import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFiles, type SendFile } from "./static-files.ts";

describe("openFiles", () => {
  let folder: string;
  let server: Server;
  let url: string;
  let send: SendFile;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "longhaul-files-"));
    mkdirSync(join(folder, "assets"));
    writeFileSync(join(folder, "index.html"), "<h1>pages</h1>");
    writeFileSync(join(folder, "assets", "a-1.js"), "export {};");
    writeFileSync(join(folder, ".built"), "stamp");
    send = openFiles(folder);
    server = createServer((request, response) => {
      if (!send(request, response, request.url ?? "/")) response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    rmSync(folder, { recursive: true });
    await new Promise((resolve) => server.close(resolve));
  });

  it("adds the command that its texts name to the page", async () => {
    writeFileSync(join(folder, "index.html"), '<html lang="en"></html>');
    send = openFiles(folder, "npx longhaul");
    expect(await (await fetch(`${url}/`)).text()).toBe('<html data-command="npx longhaul" lang="en"></html>');
  });

  it("sends the page with a strict content security policy", async () => {
    const response = await fetch(`${url}/`);
    expect(await response.text()).toBe("<h1>pages</h1>");
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("cache-control")).toBe("no-cache");
  });

  it("lets browsers cache hashed assets", async () => {
    const response = await fetch(`${url}/assets/a-1.js`);
    expect(await response.text()).toBe("export {};");
    expect(response.headers.get("cache-control")).toContain("immutable");
    expect(response.headers.get("content-encoding")).toBe("gzip");
  });

  it("sends plain bytes without accept-encoding, and no body for HEAD", async () => {
    const plain = await fetch(`${url}/`, { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    const head = await fetch(`${url}/`, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
  });

  it.each(["/.built", "/assets", "/../secret", "/index.html", "/assets/../index.html"])(
    "has nothing at %s",
    async (path) => {
      expect((await fetch(url + path)).status).toBe(404);
    },
  );

  it("serves no file for POST", async () => {
    expect((await fetch(`${url}/`, { method: "POST" })).status).toBe(404);
  });

  it("serves a notice if the dashboard was not built", async () => {
    send = openFiles(undefined);
    expect(await (await fetch(`${url}/`)).text()).toContain("was not built");
  });
});

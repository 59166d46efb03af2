import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";
import { table } from "@longhaul/conversation/advanced";
import { once } from "@longhaul/fit";

/** Sends the dashboard's file at a path and returns true, or returns false if there is none. */
export type SendFile = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

type File = ReturnType<typeof makeFile>;

const TYPES: Readonly<Record<string, string>> = table({
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
});

/** Allows no external or inline script and no framing, so that text from a conversation can never run. */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const SHARED = {
  "content-security-policy": CONTENT_POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Serves the files of a folder, read once, without sign-in: they contain no data. Without a folder, serves a page that says so. */
export function openFiles(folder: string | undefined, command?: string): SendFile {
  const files =
    folder === undefined
      ? new Map([["/", makeFile("/index.html", Buffer.from(NO_PAGES))]])
      : readFiles(folder, command);
  return (request, response, path) => {
    const isRead = request.method === "GET" || request.method === "HEAD";
    const file = isRead ? files.get(path) : undefined;
    if (file === undefined) return false;
    const isGzip = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
    const bytes = isGzip ? file.gzip() : file.bytes;
    const encoding = isGzip ? { "content-encoding": "gzip" } : {};
    response.writeHead(200, { ...file.headers, ...encoding, vary: "accept-encoding", "content-length": bytes.length });
    response.end(request.method === "HEAD" ? undefined : bytes);
    return true;
  };
}

function readFiles(folder: string, command: string | undefined): Map<string, File> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = new Map<string, File>();
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join("/")}`;
    if (TYPES[extname(path)] === undefined) continue;
    const bytes = readFileSync(file);
    if (path === "/index.html") files.set("/", makeFile(path, withCommand(bytes, command)));
    else files.set(path, makeFile(path, bytes));
  }
  return files;
}

/** Adds the command that the page's texts name. */
function withCommand(page: Buffer, command: string | undefined): Buffer {
  if (command === undefined) return page;
  return Buffer.from(page.toString("utf8").replace("<html ", `<html data-command="${command}" `));
}

function makeFile(path: string, bytes: Buffer) {
  // Names under /assets contain a hash of the content.
  const cache = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
  const headers = { ...SHARED, "content-type": TYPES[extname(path)] ?? "", "cache-control": cache };
  return { bytes, gzip: once(() => gzipSync(bytes)), headers };
}

const NO_PAGES = `<!doctype html><html lang="en"><title>Longhaul</title><h1>Longhaul</h1>
<p>The gateway is running. The dashboard was not built; the admin API is at /api/openapi.json.</p></html>
`;

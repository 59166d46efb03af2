import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { makeTerminal, type TestTerminal, type TestUser } from "./terminal.ts";

/** Claude Code in miniature: reads the base URL from its settings, and sends its login. */
export const CLAUDE = `
const { env } = JSON.parse(require("node:fs").readFileSync(process.env.HOME + "/.claude/settings.json", "utf8"));
const login = require("node:fs").readFileSync(process.env.HOME + "/.claude/.credentials.json", "utf8");
send(env.ANTHROPIC_BASE_URL + "/v1/messages", login, { model: "claude-haiku-4-5", max_tokens: 50, messages: [{ role: "user", content: "Hi" }] });
`;
/** Codex in miniature. */
export const CODEX = `
const config = require("node:fs").readFileSync(process.env.HOME + "/.codex/config.toml", "utf8");
const [, url] = /base_url = "(.*)"/.exec(config);
const [, token] = /experimental_bearer_token = "(.*)"/.exec(config);
send(url + "/responses", token, { model: "gpt-5", input: "Hi" });
`;
const SEND = `
async function send(url, token, body) {
  const headers = { authorization: "Bearer " + token, "content-type": "application/json", "anthropic-version": "2023-06-01" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) { console.error("no answer: " + answer.status); process.exitCode = 1; }
}`;

export interface Home {
  readonly folder: string;
  readonly path: (name: string) => string;
  readonly write: (name: string, text: string) => void;
  readonly terminal: (variables?: Record<string, string>, user?: TestUser) => TestTerminal;
}

/** Makes an empty home in a folder, with its own programs on the PATH, and all vendors at one address. */
export async function makeHomeIn(
  root: string,
  vendorUrl: string,
  programs: Readonly<Record<string, string>>,
): Promise<Home> {
  const folder = mkdtempSync(join(root, "h"));
  const path = (name: string) => join(folder, name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  for (const [name, text] of Object.entries(programs)) {
    write(`bin/${name}`, `#!${process.execPath}\n${SEND}\n${text}`);
    chmodSync(path(`bin/${name}`), 0o755);
  }
  const port = await freePort();
  const vendors = { ANTHROPIC_BASE_URL: vendorUrl, OPENAI_BASE_URL: `${vendorUrl}/v1` };
  return {
    folder,
    path,
    write,
    terminal: (variables = {}, user = {}) =>
      makeTerminal(folder, { PATH: path("bin"), PORT: port, ...vendors, ...variables }, user),
  };
}

/** Returns a port that no program uses. */
export async function freePort(): Promise<string> {
  const unused = createServer();
  await new Promise<void>((resolve) => unused.listen(0, "127.0.0.1", resolve));
  const address = unused.address();
  await new Promise((resolve) => unused.close(resolve));
  return typeof address === "object" && address !== null ? String(address.port) : "";
}

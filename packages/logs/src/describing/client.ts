/** The program that sent a request. Unknown texts are empty. */
export interface Client {
  readonly name: string;
  readonly version: string;
}

/** Names of clients by the product in their user agent, in lower case. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["claude-cli", "Claude Code"],
  ["claude-code", "Claude Code"],
  ["codex_cli_rs", "Codex"],
  ["codex_exec", "Codex"],
  ["codex-tui", "Codex"],
  ["codex_vscode", "Codex"],
  ["codex", "Codex"],
  ["opencode", "opencode"],
  ["geminicli", "Gemini CLI"],
  ["qwencode", "Qwen Code"],
  ["cline", "Cline"],
  ["roocode", "Roo Code"],
  ["kilo-code", "Kilo Code"],
  ["githubcopilotchat", "Copilot"],
  ["copilot-cli", "Copilot CLI"],
  ["aider", "aider"],
  ["goose", "goose"],
  ["zed", "Zed"],
  ["cursor", "Cursor"],
  ["pi", "pi"],
  ["crush", "Crush"],
  ["curl", "curl"],
]);

/** A product with its version, such as `claude-cli/2.1.139` or `OpenAI/JS 6.1.0`. */
const PRODUCT = /([A-Za-z@][\w.@-]*)\/(?:(JS|Python|Go|Java|Ruby|PHP|\.NET) )?v?(\d[\w.+-]*)/g;
const MAX_CHARS = 300;

/** Reads the client from a user agent: a known one if the agent names one anywhere, otherwise its first product. */
export function clientOf(userAgent: string): Client {
  const products = [...userAgent.slice(0, MAX_CHARS).matchAll(PRODUCT)].map(([, product = "", sdk, version = ""]) => ({
    known: NAMES.get(product.toLowerCase().replace(/-tui$/, "")),
    name: sdk === undefined ? product : `${product} SDK (${sdk})`,
    version,
  }));
  const found = products.find(({ known }) => known !== undefined) ?? products[0];
  return found === undefined ? { name: "", version: "" } : { name: found.known ?? found.name, version: found.version };
}

/** How a client is pointed at the gateway. */
export interface ClientLines {
  readonly name: string;
  /** For a shell, or a file that `where` names. */
  readonly lines: string;
  readonly where: string;
}

/** The lines for each client, with this gateway's address in them. */
export function clientLines(url: string): readonly ClientLines[] {
  return [
    { name: "Claude Code", where: "in a shell", lines: `export ANTHROPIC_BASE_URL=${url}\nclaude` },
    {
      name: "Codex",
      where: "~/.codex/config.toml",
      lines: `model_provider = "longhaul"\n\n[model_providers.longhaul]\nname = "Longhaul"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"`,
    },
    { name: "Gemini CLI", where: "in a shell", lines: `export GOOGLE_GEMINI_BASE_URL=${url}\ngemini` },
    {
      name: "opencode",
      where: "opencode.json",
      lines: `{\n  "provider": {\n    "anthropic": { "options": { "baseURL": "${url}/v1" } }\n  }\n}`,
    },
    { name: "Cline, Roo, Zoo", where: "in the settings of the extension", lines: `Use custom base URL: ${url}` },
    { name: "OpenAI SDK", where: "in a shell", lines: `export OPENAI_BASE_URL=${url}/v1` },
    { name: "Anthropic SDK", where: "in a shell", lines: `export ANTHROPIC_BASE_URL=${url}` },
  ];
}

import type { JsonValue } from "@longhaul/conversation";

/**
 * The way to point one client at the gateway. In texts, `{url}` is the gateway's URL, `{model}` a model, `{key}` the API key that the user
 * gave, and `{anyKey}` that key or a placeholder, for clients that do not start without a key. Without a key, settings with `{key}` are
 * left out, so that the client sends its own login. `{headerKey}` is a gateway key that is sent beside the login,
 * and `{ownKey}` the user's key or a reminder to create one, where no placeholder works.
 */
export interface Client {
  readonly id: string;
  readonly name: string;
  readonly program?: string;
  /** Arguments before the user's own. */
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Variables that only `run` sets, because a settings file replaces them otherwise. */
  readonly runEnvironment?: Readonly<Record<string, string>>;
  /** Flag for a settings file that overrides the others, for clients whose settings override their variables. */
  readonly settingsFlag?: string;
  /** The user's settings files, never a project's. */
  readonly files?: readonly ClientFile[];
  readonly steps?: readonly string[];
  readonly notes?: readonly string[];
  /** Present if `setup` can connect the client. */
  readonly traces?: ClientTraces;
}

/** Signs of a client on a machine, and the call that tests its connection. */
export interface ClientTraces {
  /** Files that exist, or contain a text, once the user has logged in; the gateway can forward these logins to their vendors. */
  readonly logins?: readonly { readonly file: string; readonly containing?: string }[];
  /** Variable that contains a login of this kind. */
  readonly loginVariable?: string;
  /** Variables with an API key. The gateway reads them, too. */
  readonly variables: readonly string[];
  /** Files of a login that works only at the vendor's own address. */
  readonly boundLogins?: readonly string[];
  /** Folder of session logs that `analyze` can read. */
  readonly logs?: string;
  /** Arguments that make the client send one short request and exit. */
  readonly probe: readonly string[];
}

export interface ClientFile {
  /** Default folder, and the environment variable that overrides it. */
  readonly folder: string;
  readonly variable?: string;
  /** Possible file names. The first one that exists is used; if none does, the first is created. */
  readonly names: readonly string[];
  readonly format: "json" | "toml" | "yaml" | "env";
  readonly opening?: string;
  readonly settings: readonly ClientSetting[];
  /** Objects that `--undo` removes as a whole or not at all, because the client rejects incomplete ones. */
  readonly wholes?: readonly (readonly string[])[];
}

/** One setting in a settings file. In YAML, `name=x` in a path is the list entry whose name is x. */
export interface ClientSetting {
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** Whether the value is one header of a text that may have others, one per line. */
  readonly isHeader?: true;
}

const OWN_LOGIN = (client: string, vendor: string) =>
  `By default, the gateway forwards ${client}'s own login to ${vendor} upstream that has no apiKey. If the upstream has an apiKey, use --key with a gateway key, or with any value if the gateway requires none.`;

const PROBE = "This is a test of Longhaul: reply with the word OK.";

/** Lets Claude Code send conversations that are longer than the model's window. The limit is far above any window, in tokens. */
const OWN_COMPACTION_OFF = { DISABLE_AUTO_COMPACT: "1", CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE: "10000000" };

export const CLIENTS: readonly Client[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    program: "claude",
    environment: {
      ANTHROPIC_BASE_URL: "{url}",
      ANTHROPIC_AUTH_TOKEN: "{key}",
      ANTHROPIC_CUSTOM_HEADERS: "x-longhaul-key: {headerKey}",
      ...OWN_COMPACTION_OFF,
    },
    settingsFlag: "--settings",
    files: [
      {
        folder: "~/.claude",
        variable: "CLAUDE_CONFIG_DIR",
        names: ["settings.json"],
        format: "json",
        settings: [
          { path: ["env", "ANTHROPIC_BASE_URL"], value: "{url}" },
          { path: ["env", "ANTHROPIC_AUTH_TOKEN"], value: "{key}" },
          { path: ["env", "ANTHROPIC_CUSTOM_HEADERS"], value: "x-longhaul-key: {headerKey}", isHeader: true },
          ...Object.entries(OWN_COMPACTION_OFF).map(([name, value]) => ({ path: ["env", name], value })),
        ],
      },
    ],
    notes: [
      OWN_LOGIN("Claude Code", "an Anthropic"),
      'With a subscription and a gateway that requires API keys, set ANTHROPIC_CUSTOM_HEADERS="x-longhaul-key: <key>" instead of using --key.',
      'DISABLE_AUTO_COMPACT and CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE leave compaction to the gateway: without the first, Claude Code compacts conversations itself; without the second, it then stops at its own window with "Prompt is too long".',
      "With an API key instead of a subscription, ENABLE_PROMPT_CACHING_1H=1 keeps the prompt cache warm through longer pauses.",
    ],
    traces: {
      logins: [
        { file: "~/.claude/.credentials.json" },
        // On macOS the login is in the keychain; this file names the account.
        { file: "~/.claude.json", containing: '"oauthAccount"' },
      ],
      loginVariable: "CLAUDE_CODE_OAUTH_TOKEN",
      variables: ["ANTHROPIC_API_KEY"],
      logs: "~/.claude/projects",
      probe: ["--model", "haiku", "-p", PROBE],
    },
  },
  {
    id: "codex",
    name: "Codex CLI",
    program: "codex",
    args: [
      "-c",
      "model_provider=longhaul",
      "-c",
      'model_providers.longhaul={name="Longhaul",base_url="{url}/v1",wire_api="responses",env_key="LONGHAUL_KEY"}',
    ],
    runEnvironment: { LONGHAUL_KEY: "{anyKey}" },
    files: [
      {
        folder: "~/.codex",
        variable: "CODEX_HOME",
        names: ["config.toml"],
        format: "toml",
        settings: [
          { path: ["model_provider"], value: "longhaul" },
          { path: ["model_providers", "longhaul", "name"], value: "Longhaul" },
          { path: ["model_providers", "longhaul", "base_url"], value: "{url}/v1" },
          { path: ["model_providers", "longhaul", "wire_api"], value: "responses" },
          { path: ["model_providers", "longhaul", "experimental_bearer_token"], value: "{anyKey}" },
        ],
        wholes: [["model_providers", "longhaul"]],
      },
    ],
    notes: ["If the gateway has no OpenAI API key, pass yours: --key sk-…"],
    traces: {
      variables: ["OPENAI_API_KEY"],
      boundLogins: ["~/.codex/auth.json"],
      logs: "~/.codex/sessions",
      probe: ["exec", "--skip-git-repo-check", PROBE],
    },
  },
  {
    id: "opencode",
    name: "opencode",
    program: "opencode",
    runEnvironment: {
      OPENCODE_CONFIG_CONTENT:
        '{"provider":{"anthropic":{"options":{"baseURL":"{url}/v1","apiKey":"{anyKey}"}},"openai":{"options":{"baseURL":"{url}/v1","apiKey":"{anyKey}"}}}}',
    },
    files: [
      {
        folder: "~/.config/opencode",
        variable: "OPENCODE_CONFIG_DIR",
        names: ["opencode.json", "opencode.jsonc"],
        format: "json",
        settings: [
          { path: ["provider", "anthropic", "options", "baseURL"], value: "{url}/v1" },
          { path: ["provider", "anthropic", "options", "apiKey"], value: "{key}" },
          { path: ["provider", "openai", "options", "baseURL"], value: "{url}/v1" },
          { path: ["provider", "openai", "options", "apiKey"], value: "{key}" },
        ],
      },
    ],
    notes: [OWN_LOGIN("opencode", "an Anthropic or OpenAI")],
    traces: { variables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"], probe: ["run", PROBE] },
  },
  {
    id: "kilo-code",
    name: "Kilo Code CLI",
    program: "kilo",
    runEnvironment: {
      KILO_CONFIG_CONTENT:
        '{"provider":{"anthropic":{"options":{"baseURL":"{url}/v1","apiKey":"{anyKey}"}},"openai":{"options":{"baseURL":"{url}/v1","apiKey":"{anyKey}"}}}}',
    },
    notes: ["Choose an Anthropic or OpenAI model: --model anthropic/{model}"],
  },
  {
    id: "pi",
    name: "pi",
    files: [
      {
        folder: "~/.pi/agent",
        variable: "PI_CODING_AGENT_DIR",
        names: ["models.json"],
        format: "json",
        settings: [
          { path: ["providers", "anthropic", "baseUrl"], value: "{url}" },
          { path: ["providers", "anthropic", "apiKey"], value: "{key}" },
          { path: ["providers", "openai", "baseUrl"], value: "{url}/v1" },
          { path: ["providers", "openai", "apiKey"], value: "{key}" },
        ],
      },
    ],
    notes: [OWN_LOGIN("pi", "an Anthropic or OpenAI")],
  },
  {
    id: "gemini-cli",
    name: "Gemini CLI",
    program: "gemini",
    environment: { GOOGLE_GEMINI_BASE_URL: "{url}", GEMINI_API_KEY: "{anyKey}" },
    files: [
      {
        folder: "~/.gemini",
        names: [".env"],
        format: "env",
        settings: [
          { path: ["GOOGLE_GEMINI_BASE_URL"], value: "{url}" },
          { path: ["GEMINI_API_KEY"], value: "{anyKey}" },
        ],
      },
      {
        folder: "~/.gemini",
        names: ["settings.json"],
        format: "json",
        settings: [{ path: ["security", "auth", "selectedType"], value: "gemini-api-key" }],
      },
    ],
    notes: ["A .env file in the project folder overrides this one."],
    traces: {
      variables: ["GEMINI_API_KEY"],
      boundLogins: ["~/.gemini/oauth_creds.json"],
      logs: "~/.gemini/tmp",
      probe: ["-p", PROBE],
    },
  },
  {
    id: "cline",
    name: "Cline",
    steps: [
      "cline auth -p openai-compatible -k {anyKey} -m {model} -b {url}/v1",
      "Or in the extension, set API Provider to “OpenAI Compatible”, Base URL to {url}/v1, API Key to {anyKey} and Model ID to {model}.",
    ],
    notes: ["Cline's other providers have no setting for a base URL."],
  },
  {
    id: "continue",
    name: "Continue",
    files: [
      {
        folder: "~/.continue",
        variable: "CONTINUE_GLOBAL_DIR",
        names: ["config.yaml"],
        format: "yaml",
        opening: "name: Longhaul\nversion: 1.0.0\nschema: v1\n",
        settings: [
          {
            path: ["models", "name=Longhaul"],
            value: {
              name: "Longhaul",
              provider: "openai",
              model: "{model}",
              apiBase: "{url}/v1",
              apiKey: "{anyKey}",
            },
          },
        ],
      },
    ],
    notes: ["`cn` and the extensions read the same file. Choose the model “Longhaul” in them."],
  },
  {
    id: "qwen-code",
    name: "Qwen Code",
    program: "qwen",
    args: ["--auth-type", "openai"],
    environment: { OPENAI_BASE_URL: "{url}/v1", OPENAI_API_KEY: "{anyKey}", OPENAI_MODEL: "{model}" },
    files: [
      {
        folder: "~/.qwen",
        names: [".env"],
        format: "env",
        settings: [
          { path: ["OPENAI_BASE_URL"], value: "{url}/v1" },
          { path: ["OPENAI_API_KEY"], value: "{anyKey}" },
          { path: ["OPENAI_MODEL"], value: "{model}" },
        ],
      },
    ],
    notes: ["Start it with --auth-type openai, or choose OpenAI when it asks for a login."],
    traces: { variables: ["OPENAI_API_KEY"], probe: ["--auth-type", "openai", "-p", PROBE] },
  },
  {
    id: "copilot-cli",
    name: "GitHub Copilot CLI",
    program: "copilot",
    environment: {
      COPILOT_PROVIDER_BASE_URL: "{url}/v1",
      COPILOT_PROVIDER_API_KEY: "{anyKey}",
      COPILOT_MODEL: "{model}",
      COPILOT_OFFLINE: "true",
    },
    notes: [
      "Copilot CLI also compacts conversations itself. Set COPILOT_PROVIDER_MAX_PROMPT_TOKENS=1000000 to leave that to the gateway.",
    ],
  },
  {
    id: "zoo-code",
    name: "Zoo Code, Roo Code",
    steps: [
      "In Settings > Providers, set API Provider to “OpenAI Compatible”, Base URL to {url}/v1, API Key to {anyKey} and Model to {model}.",
      "Or set API Provider to “Anthropic”, and “Use custom base URL” to {url}.",
    ],
    notes: ["Turn off automatic condensing in the settings to leave it to the gateway."],
  },
  {
    id: "cursor",
    name: "Cursor",
    steps: [
      "In Settings > Models, set Override OpenAI Base URL to https://<your public address>/v1 and OpenAI API Key to {ownKey}.",
    ],
    notes: [
      "Cursor's servers send the requests, so they need a public HTTPS address and cannot reach {url}. A public gateway requires API keys: create one with `longhaul keys create cursor`, pass it with --key, and see docs/security.md.",
    ],
  },
  {
    id: "aider",
    name: "Aider",
    program: "aider",
    args: ["--model", "openai/{model}"],
    environment: { OPENAI_API_BASE: "{url}/v1", OPENAI_API_KEY: "{anyKey}" },
  },
  {
    id: "anthropic-sdk",
    name: "Anthropic SDK",
    environment: { ANTHROPIC_BASE_URL: "{url}", ANTHROPIC_API_KEY: "{anyKey}" },
    steps: ['new Anthropic({ baseURL: "{url}", apiKey: "{anyKey}" })'],
  },
  {
    id: "openai-sdk",
    name: "OpenAI SDK",
    environment: { OPENAI_BASE_URL: "{url}/v1", OPENAI_API_KEY: "{anyKey}" },
    steps: ['new OpenAI({ baseURL: "{url}/v1", apiKey: "{anyKey}" })'],
  },
  {
    id: "google-sdk",
    name: "Google Gen AI SDK",
    environment: { GOOGLE_GEMINI_BASE_URL: "{url}", GEMINI_API_KEY: "{anyKey}" },
    steps: ['new GoogleGenAI({ apiKey: "{anyKey}", httpOptions: { baseUrl: "{url}" } })'],
  },
  {
    id: "ai-sdk",
    name: "Vercel AI SDK",
    steps: [
      'createAnthropic({ baseURL: "{url}/v1", apiKey: "{anyKey}" })',
      'createOpenAI({ baseURL: "{url}/v1", apiKey: "{anyKey}" })',
    ],
  },
  {
    id: "langchain",
    name: "LangChain.js",
    steps: [
      'new ChatAnthropic({ anthropicApiUrl: "{url}", apiKey: "{anyKey}" })',
      'new ChatOpenAI({ configuration: { baseURL: "{url}/v1" }, apiKey: "{anyKey}" })',
    ],
  },
];

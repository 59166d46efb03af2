import type { JsonValue } from "@longhaul/conversation";

/**
 * How one client is pointed at the gateway. In texts, `{url}` is the gateway's address, `{model}` a model, `{key}` the key that the user
 * gave and `{anyKey}` that key or, where none was given, a word in its place: clients refuse to start without any. A setting with `{key}`
 * is left out where there is none, so that the client sends its own login.
 */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** The program that `run` starts. */
  readonly program?: string;
  /** What it is started with before the user's own arguments. */
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Variables that only `run` sets, because a file says the same. */
  readonly runEnvironment?: Readonly<Record<string, string>>;
  /** The user's own settings; never those of a project. */
  readonly files?: readonly ClientFile[];
  /** What is done by hand. */
  readonly steps?: readonly string[];
  /** What else there is to know. */
  readonly notes?: readonly string[];
}

/** A settings file of a client. */
export interface ClientFile {
  /** Folder, and the variable that names another one. */
  readonly folder: string;
  readonly variable?: string;
  /** The first that is there; where none is, the first is made. */
  readonly names: readonly string[];
  readonly format: "json" | "toml" | "yaml" | "env";
  /** What a file that is made begins with. */
  readonly opening?: string;
  readonly settings: readonly ClientSetting[];
  /** Objects that `--undo` removes as a whole or not at all, because the client rejects a part of one. */
  readonly wholes?: readonly (readonly string[])[];
}

/** One setting in such a file. In YAML, `name=…` in a path is the entry of a list that has this name. */
interface ClientSetting {
  readonly path: readonly string[];
  readonly value: JsonValue;
}

const OWN_LOGIN =
  "Without --key, the client's own login is passed on to an upstream that has no apiKey. With --key, that key is sent instead: a key of this gateway, or any value if the gateway requires none and its upstreams have their own.";

/** The clients that are known, in the order in which they are listed. */
export const CLIENTS: readonly Client[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    program: "claude",
    environment: { ANTHROPIC_BASE_URL: "{url}", ANTHROPIC_AUTH_TOKEN: "{key}" },
    files: [
      {
        folder: "~/.claude",
        variable: "CLAUDE_CONFIG_DIR",
        names: ["settings.json"],
        format: "json",
        settings: [
          { path: ["env", "ANTHROPIC_BASE_URL"], value: "{url}" },
          { path: ["env", "ANTHROPIC_AUTH_TOKEN"], value: "{key}" },
        ],
      },
    ],
    notes: [
      OWN_LOGIN,
      'On a subscription, with a gateway that asks for keys: ANTHROPIC_CUSTOM_HEADERS="x-longhaul-key: <key>" instead of --key.',
      "Claude Code compacts by itself before the gateway has to; DISABLE_AUTO_COMPACT=1 leaves that to the gateway.",
    ],
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
    notes: ["If the gateway has no OpenAI key, pass yours: --key sk-…"],
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
    notes: [OWN_LOGIN],
  },
  {
    id: "kilo-code",
    name: "Kilo Code CLI",
    program: "kilo",
    runEnvironment: {
      KILO_CONFIG_CONTENT:
        '{"provider":{"anthropic":{"options":{"baseURL":"{url}/v1","apiKey":"{anyKey}"}},"openai":{"options":{"baseURL":"{url}/v1","apiKey":"{anyKey}"}}}}',
    },
    notes: ["Choose a model of Anthropic or OpenAI there: --model anthropic/{model}"],
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
    notes: [OWN_LOGIN],
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
    notes: ["A .env in the project's folder goes before the user's own."],
  },
  {
    id: "cline",
    name: "Cline",
    steps: [
      "cline auth -p openai-compatible -k {anyKey} -m {model} -b {url}/v1",
      "In the extension: API Provider “OpenAI Compatible”, Base URL {url}/v1, API Key {anyKey}, Model ID {model}.",
    ],
    notes: ["Its other providers take no address."],
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
    notes: ["`cn` and the extensions read the same file; choose the model “Longhaul” there."],
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
    notes: ["Start it with --auth-type openai, or choose OpenAI when it asks."],
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
      "Copilot CLI compacts by itself before the gateway has to; COPILOT_PROVIDER_MAX_PROMPT_TOKENS=1000000 leaves that to the gateway.",
    ],
  },
  {
    id: "zoo-code",
    name: "Zoo Code, Roo Code",
    steps: [
      "Settings > Providers: API Provider “OpenAI Compatible”, Base URL {url}/v1, API Key {anyKey}, Model {model}.",
      "Or API Provider “Anthropic” with “Use custom base URL”: {url}",
    ],
    notes: ["Switch off automatic condensing there, so that the gateway does it."],
  },
  {
    id: "cursor",
    name: "Cursor",
    steps: ["Settings > Models: Override OpenAI Base URL: https://<your public address>/v1, OpenAI API Key {anyKey}."],
    notes: [
      "Cursor's own servers send the requests: they cannot reach {url}, but only a public address with HTTPS. Make a key first (longhaul keys create), and see docs/security.md.",
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

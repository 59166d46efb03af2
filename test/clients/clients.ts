import { type Client, nameOf } from "./client.ts";

const platform = `${process.platform}-${process.arch}`;

const CODEX: Client = {
  id: "codex",
  package: "@openai/codex",
  version: "0.166.0",
  wire: "openai-responses",
  model: "gpt-5.1",
  program: "codex",
  way: "run",
  // Its sandbox is not needed here.
  args: ({ task, model }) => [
    ...["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
    ...["--model", model, task],
  ],
  read: (path) => ({ name: "exec_command", input: { cmd: `cat ${path}` } }),
  delegate: (task) => ({ name: "spawn_agent", input: { message: task } }),
};

const OWN: readonly Client[] = [
  {
    id: "claude-code",
    package: "@anthropic-ai/claude-code",
    version: "2.1.325",
    wire: "anthropic-messages",
    model: "claude-sonnet-4-5",
    program: "claude",
    // The package's install script would copy its program.
    programs: `@anthropic-ai/claude-code-${platform}`,
    way: "run",
    args: ({ task, model }) => ["-p", task, "--model", model, "--allowedTools", "Read"],
    read: (path) => ({ name: "Read", input: { file_path: path } }),
    delegate: (task) => ({
      name: "Agent",
      input: { description: "count boats", prompt: task, subagent_type: "general-purpose" },
    }),
  },
  CODEX,
  {
    ...CODEX,
    variant: "codex with a newer model",
    // These models have their tools in the input, in namespaces; the one that runs commands takes a script.
    model: "gpt-5.6-sol",
    read: (path) => ({
      name: "exec",
      input: { input: `text((await tools.exec_command({ cmd: ${JSON.stringify(`cat ${path}`)} })).output)` },
    }),
  },
  {
    id: "opencode",
    package: "opencode-ai",
    version: "1.18.33",
    wire: "anthropic-messages",
    model: "claude-sonnet-4-5",
    program: "opencode",
    // The package's install script would copy its program.
    programs: `opencode-${platform}/bin`,
    way: "run",
    args: ({ task, model }) => ["run", "--model", `anthropic/${model}`, task],
    read: (path) => ({ name: "read", input: { filePath: path } }),
    delegate: (task) => ({
      name: "task",
      input: { description: "count boats", prompt: task, subagent_type: "general" },
    }),
  },
  {
    id: "kilo-code",
    package: "@kilocode/cli",
    version: "7.7.7",
    wire: "anthropic-messages",
    model: "claude-sonnet-4-5",
    program: "kilo",
    // The package's install script would copy its program.
    programs: `@kilocode/cli-${platform}/bin`,
    way: "run",
    args: ({ task, model }) => ["run", "--auto", "--model", `anthropic/${model}`, task],
    read: (path) => ({ name: "read", input: { filePath: path } }),
  },
  {
    id: "pi",
    package: "@mariozechner/pi-coding-agent",
    version: "0.73.1",
    wire: "anthropic-messages",
    model: "claude-sonnet-4-5",
    program: "pi",
    way: "write",
    args: ({ task, model }) => ["--offline", "-p", "--provider", "anthropic", "--model", model, task],
    read: (path) => ({ name: "read", input: { path } }),
  },
  {
    id: "gemini-cli",
    package: "@google/gemini-cli",
    version: "0.61.0",
    wire: "gemini",
    model: "gemini-2.5-pro",
    program: "gemini",
    way: "write",
    args: ({ task, model }) => ["--yolo", "--skip-trust", "--model", model, "-p", task],
    read: (path) => ({ name: "read_file", input: { file_path: path } }),
  },
  {
    id: "qwen-code",
    package: "@qwen-code/qwen-code",
    version: "0.24.4",
    wire: "openai-chat",
    model: "gpt-4.1",
    program: "qwen",
    way: "run",
    args: ({ task }) => ["--yolo", "-p", task],
    read: (path) => ({ name: "read_file", input: { file_path: path } }),
  },
  {
    id: "cline",
    package: "cline",
    version: "3.0.65",
    wire: "openai-chat",
    model: "gpt-4.1",
    program: "cline",
    way: {
      ownArgs: ({ gateway, model }) => [
        ...["auth", "-p", "openai-compatible", "-k", "any", "-m", model],
        ...["-b", `${gateway}/v1`],
      ],
    },
    args: ({ task }) => ["--yolo", task],
    read: (path) => ({ name: "read_files", input: { files: [{ path }] } }),
    finish: (summary) => ({ name: "submit_and_exit", input: { summary, verified: true } }),
  },
  {
    id: "continue",
    package: "@continuedev/cli",
    version: "1.5.47",
    wire: "openai-chat",
    model: "gpt-4.1",
    program: "cn",
    way: "write",
    args: ({ task }) => ["-p", task, "--auto"],
    read: (path) => ({ name: "Read", input: { filepath: path } }),
  },
  {
    id: "copilot-cli",
    package: "@github/copilot",
    version: "1.0.102",
    wire: "openai-chat",
    model: "gpt-4.1",
    program: "copilot",
    way: "run",
    // Otherwise it compacts by itself, long before the gateway must.
    environment: { COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "1000000" },
    args: ({ task }) => ["-p", task, "--allow-all-tools"],
    read: (path) => ({ name: "view", input: { path } }),
  },
];

/** Models of another vendor than the client's own. */
const OTHERS: Readonly<Record<string, string>> = {
  "claude-code": "gpt-4.1",
  codex: "claude-sonnet-4-5",
  "codex with a newer model": "claude-sonnet-4-5",
  "gemini-cli": "claude-sonnet-4-5",
  "qwen-code": "gemini-2.5-pro",
};

/**
 * Codex takes the gateway for OpenAI, so the server compacts its history, at a tenth of the usual size. One model of each kind of upstream
 * answers: OpenAI's own compacts, for the others the gateway does.
 */
const COMPACTING: readonly Client[] = [undefined, "claude-sonnet-4-5", "gemini-2.5-pro", "local-model"].map(
  (answeredBy) => ({
    ...CODEX,
    variant: "codex with remote compaction",
    compacts: true,
    ...(answeredBy !== undefined && { answeredBy }),
    args: ({ task, model }) => [
      ...["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
      ...["-c", 'model_providers.longhaul.name="OpenAI"', "-c", "model_auto_compact_token_limit=30000"],
      ...["--model", model, task],
    ],
  }),
);

/** All clients of the suite, some of them several times. */
export const CLIENTS: readonly Client[] = [
  ...OWN,
  ...OWN.flatMap((client) => {
    const answeredBy = OTHERS[nameOf(client)];
    return answeredBy === undefined ? [] : [{ ...client, answeredBy }];
  }),
  ...COMPACTING,
];

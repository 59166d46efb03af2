import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "@longhaul/cli";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeSession } from "../packages/cli/src/testing/logs.ts";
import { makeTerminal } from "../packages/cli/src/testing/terminal.ts";
import { longhaulCommands } from "./docs/read-page.ts";
import { readFiles } from "./repository.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-commands-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Commands that need more than Node and this repository. */
const NEEDS: readonly (readonly [RegExp, string])[] = [
  [/^longhaul run /, "the client"],
  [/--workers/, "separate processes, which another test runs"],
  [/^longhaul dashboard/, "a running gateway, which another test has"],
];

/** Files that the commands read, in the folder that is both the current folder and the home. */
const FILES: Readonly<Record<string, string>> = {
  "request.json": JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hello" }] }),
  "longhaul.yaml": "upstreams: { demo: { kind: simulator } }\nroutes: [{ match: '*', upstream: demo }]\n",
  ".env": "OPENAI_API_KEY=x\nBIG_MODEL=gpt-4o\n",
  "litellm_config.yaml":
    "model_list: [{ model_name: m, litellm_params: { model: openai/gpt-4o, api_key: os.environ/K } }]\n",
  "portkey.json": JSON.stringify({ provider: "openai", api_key: "x" }),
  ".claude-code-router/config.json": JSON.stringify({ Providers: [], Router: {} }),
};

beforeAll(() => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  mkdirSync(join(folder, ".claude", "projects"), { recursive: true });
  writeSession(folder, 12);
  writeSession(join(folder, ".claude", "projects"), 6);
});

const mentioned = readFiles((path) => path.endsWith(".md")).flatMap(longhaulCommands);
const runnable = mentioned.filter(({ line }) => !NEEDS.some(([pattern]) => pattern.test(line)));
const once = [...new Map(runnable.map((command) => [command.args.join(" "), command])).values()];

/** Commands that run until they are stopped. */
const SERVING: ReadonlySet<string> = new Set(["start", "simulate"]);

/** The first turns of the demo are enough here: its own test plays it until the window is full. */
const DEMO_TURNS = ["--turns", "10"];

/** Replaces ports by any free one, so that other programs on this machine do not matter. */
function adapted(args: readonly string[]): string[] {
  const isListening = SERVING.has(args[0] ?? "") || args[0] === "doctor";
  const out = args.indexOf("--out");
  const named = args.map((arg, index) =>
    out !== -1 && index === out + 1 ? join(mkdtempSync(join(folder, "out-")), arg) : arg,
  );
  const plain = named.map((arg) => (Object.hasOwn(FILES, arg) ? join(folder, arg) : arg.replace(/^~/, folder)));
  if (args[0] === "demo") return [...plain, ...DEMO_TURNS];
  return isListening
    ? [...plain.filter((arg, index) => arg !== "--port" && plain[index - 1] !== "--port"), "--port", "0"]
    : plain;
}

it("finds commands in the pages", () => {
  expect(once.length).toBeGreaterThan(20);
  expect(NEEDS.filter(([pattern]) => !mentioned.some(({ line }) => pattern.test(line)))).toEqual([]);
});

it.each(once.map((command) => [command.page, command.line, command.args] as const))(
  "%s: %s",
  async (_page, _line, args) => {
    const isSetup = args[0] === "setup";
    const environment = { XDG_DATA_HOME: join(folder, "data"), ...(isSetup && { PORT: "0" }) };
    const terminal = makeTerminal(folder, environment, { agrees: true });
    if (isSetup || SERVING.has(args[0] ?? "")) terminal.stop();
    const exit = await run(adapted(args), terminal);
    expect([
      exit,
      terminal
        .errors()
        .replace(/^(?!longhaul: ).*$/gm, "")
        .trim(),
    ]).toEqual([0, ""]);
  },
);

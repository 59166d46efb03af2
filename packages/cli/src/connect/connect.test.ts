import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@longhaul/store";
import { afterAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { styleOf } from "../terminal/output.ts";
import { changedTerminal } from "../terminal/terminal.ts";
import { makeTerminal, type TestUser } from "../testing/terminal.ts";
import { CLIENTS } from "./clients.ts";
import { diff, hideSecrets } from "./describe-change.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(root, { recursive: true }));

function homeOf() {
  const home = mkdtempSync(join(root, "h"));
  const call = async (args: readonly string[], sitting: TestUser = {}) => {
    const terminal = makeTerminal(home, {}, sitting);
    const exit = await run(["connect", ...args], terminal);
    return { exit, output: terminal.output(), errors: terminal.errors(), questions: terminal.questions() };
  };
  return { home, call };
}

describe("connect", () => {
  it("lists clients, and prints the settings of one", async () => {
    const { call } = homeOf();
    const { output } = await call([]);
    expect(output).toMatch(/^Client +Name +Setup\nclaude-code +Claude Code +connect --write, run\n/);
    expect(output).toMatch(/^cursor +Cursor +manual\n/m);
    expect((await call(["codex", "--url", "http://g:1"])).output).toContain('base_url = "http://g:1/v1"');
  });

  const WARNING = "Warning: the built-in simulator, not a model, will answer";
  it.each([
    [["codex"], WARNING],
    [["codex", "--write", "--yes"], WARNING],
    [["codex", "--key", "sk-unknown-key-of-another"], WARNING],
    [["codex", "--key", "sk-proj-key-of-a-project"], ""],
    [["codex", "--url", "http://localhost:1"], ""],
    [["cursor"], WARNING],
    [["opencode"], "Note: no upstream is configured. opencode's own"],
    [["codex", "--undo", "--yes"], ""],
    [
      ["claude-code"],
      "Note: no upstream is configured. Claude Code's own Anthropic, OpenAI or Gemini key or login goes to",
    ],
  ])("warns about the simulator if nothing is configured: %j", async (args, warning) => {
    const { errors } = await homeOf().call(args);
    if (warning === "") expect(errors).toBe("");
    else expect(errors).toContain(warning);
  });

  it.each([
    ["upstreams: { s: { kind: simulator } }\nroutes: [{ match: '*', upstream: s }]\n", WARNING],
    ["upstreams: { c: { kind: anthropic } }\nroutes: [{ match: '*', upstream: c }]\n", ""],
  ])("warns only if the configured route leads to the simulator: %s", async (text, warning) => {
    const { call, home } = homeOf();
    writeFileSync(join(home, "longhaul.yaml"), text);
    const { errors } = await call(["claude-code"]);
    if (warning === "") expect(errors).toBe("");
    else expect(errors).toContain(warning);
  });

  const KEYS_NEEDED =
    "Warning: the gateway requires API keys. Create one with `longhaul keys create codex`, and pass it with --key.\n";

  it("shows no key that a gateway on another machine would reject", async () => {
    const { output, errors } = await homeOf().call(["codex", "--url", "https://gateway.example.org"]);
    expect(errors).toBe(
      "Warning: a gateway on another machine requires API keys. Create one there with `longhaul keys create codex`, and pass it with --key.\n",
    );
    expect(output).toContain('experimental_bearer_token = "<key>"');
    expect((await homeOf().call(["codex", "--url", "https://gateway.example.org", "--key", "k"])).errors).toBe("");
  });

  it("warns if this gateway has keys, and shows where the client needs one", async () => {
    const { call, home } = homeOf();
    expect(await run(["keys", "create", "laptop"], makeTerminal(home))).toBe(0);
    expect((await call(["codex"])).errors).toContain(KEYS_NEEDED);
    const claude = await call(["claude-code"]);
    expect(claude.errors).toContain("requires API keys");
    expect(claude.output).toContain('"ANTHROPIC_CUSTOM_HEADERS": "x-longhaul-key: <key>"');
  });

  describe("with a gateway that requires keys", () => {
    const settings = (home: string) => JSON.parse(readFileSync(join(home, ".claude", "settings.json"), "utf8")).env;
    const keysIn = async (home: string) => {
      const terminal = makeTerminal(home);
      await run(["keys", "list", "--json"], terminal);
      return JSON.parse(terminal.output()).keys.map(({ name }: { name: string }) => name);
    };

    it("creates a key for the client, keeps it on the next write, and deletes it on undo", async () => {
      const { call, home } = homeOf();
      await run(["keys", "create", "laptop"], makeTerminal(home));
      const written = await call(["claude-code", "--write", "--yes"]);
      expect(written.output).toMatch(/Claude Code got the API key "claude-code" \(lh_\w{4}…\)\./);
      const { ANTHROPIC_CUSTOM_HEADERS: header } = settings(home);
      expect(header).toMatch(/^x-longhaul-key: lh_\w{43}$/);
      expect(written.output).not.toContain(header.slice("x-longhaul-key: ".length));
      expect((await call(["claude-code", "--write", "--yes"])).output).toContain("Claude Code is already connected to");
      expect(settings(home).ANTHROPIC_CUSTOM_HEADERS).toBe(header);
      expect((await keysIn(home)).sort()).toEqual(["claude-code", "laptop"]);
      const undone = await call(["claude-code", "--undo", "--yes"]);
      expect(undone.output).toContain('Deleted the API key "claude-code".\nThe gateway still requires API keys');
      expect(undone.output).not.toContain(header.slice("x-longhaul-key: ".length));
      expect(await keysIn(home)).toEqual(["laptop"]);
    });

    it("keeps the user's own headers and the key beside them", async () => {
      const { call, home } = homeOf();
      mkdirSync(join(home, ".claude"));
      const text = '{ "env": { "ANTHROPIC_CUSTOM_HEADERS": "x-mine: 1" } }\n';
      writeFileSync(join(home, ".claude", "settings.json"), text);
      await run(["keys", "create", "laptop"], makeTerminal(home));
      await call(["claude-code", "--write", "--yes"]);
      const { ANTHROPIC_CUSTOM_HEADERS: headers } = settings(home);
      expect(headers).toMatch(/^x-mine: 1\nx-longhaul-key: lh_\w{43}$/);
      expect((await call(["claude-code", "--write", "--yes"])).output).toContain("Claude Code is already connected to");
      await call(["claude-code", "--undo", "--yes"]);
      expect(readFileSync(join(home, ".claude", "settings.json"), "utf8")).toBe(text);
      expect(await keysIn(home)).toEqual(["laptop"]);
    });

    it("replaces a key that was revoked", async () => {
      const { call, home } = homeOf();
      await run(["keys", "create", "laptop"], makeTerminal(home));
      await call(["claude-code", "--write", "--yes"]);
      const { ANTHROPIC_CUSTOM_HEADERS: header } = settings(home);
      await run(["keys", "revoke", "claude-code"], makeTerminal(home));
      await call(["claude-code", "--write", "--yes"]);
      expect(settings(home).ANTHROPIC_CUSTOM_HEADERS).not.toBe(header);
      expect(settings(home).ANTHROPIC_CUSTOM_HEADERS).toMatch(/^x-longhaul-key: lh_\w{43}$/);
    });

    it("deletes its key if the user has deleted the settings since", async () => {
      const { call, home } = homeOf();
      await run(["keys", "create", "laptop"], makeTerminal(home));
      for (const args of [
        ["connect", "claude-code", "--undo", "--yes"],
        ["setup", "--undo", "--yes"],
      ]) {
        await call(["claude-code", "--write", "--yes"]);
        rmSync(join(home, ".claude", "settings.json"));
        expect(await run(args, makeTerminal(home))).toBe(0);
        expect(await keysIn(home)).toEqual(["laptop"]);
      }
    });

    it("deletes its key when a later write leaves it out", async () => {
      const { call, home } = homeOf();
      await run(["keys", "create", "laptop"], makeTerminal(home));
      await call(["claude-code", "--write", "--yes"]);
      writeFileSync(join(home, "longhaul.yaml"), "server: { keys: 'off' }\n");
      const { output } = await call(["claude-code", "--write", "--yes"]);
      expect(output).toContain('The API key "claude-code" (lh_');
      expect(settings(home)).not.toHaveProperty("ANTHROPIC_CUSTOM_HEADERS");
      expect(await keysIn(home)).toEqual(["laptop"]);
    });

    it("leaves no key behind if the settings cannot be written", async () => {
      const { home } = homeOf();
      await run(["keys", "create", "laptop"], makeTerminal(home));
      const file = join(home, ".claude", "settings.json");
      mkdirSync(join(home, ".claude"));
      writeFileSync(file, "{}\n");
      const terminal = makeTerminal(home);
      const confirm = async () => {
        // Another program changes the file while the question is open.
        writeFileSync(file, '{ "theme": "dark" }\n');
        return true;
      };
      expect(await run(["connect", "claude-code", "--write"], changedTerminal(terminal, { confirm }))).toBe(1);
      expect(terminal.errors()).toContain("another program has just changed it; try again");
      expect(await keysIn(home)).toEqual(["laptop"]);
    });

    it("deletes no key that the user created, even if it has the client's name", async () => {
      const { call, home } = homeOf();
      const terminal = makeTerminal(home);
      await run(["keys", "create", "claude-code", "--json"], terminal);
      await call(["claude-code", "--write", "--yes", "--key", JSON.parse(terminal.output()).key]);
      await call(["claude-code", "--undo", "--yes"]);
      expect(await keysIn(home)).toEqual(["claude-code"]);
    });

    it("says before the question that the last key will be deleted", async () => {
      const { call, home } = homeOf();
      await run(["keys", "create", "laptop"], makeTerminal(home));
      await call(["claude-code", "--write", "--yes"]);
      await run(["keys", "delete", "laptop"], makeTerminal(home));
      const kept = await call(["claude-code", "--undo"], { agrees: false });
      expect(kept.output).toContain("No other API key exists: afterwards, a gateway on localhost requires none.\n");
      expect(await keysIn(home)).toEqual(["claude-code"]);
      expect((await call(["claude-code", "--undo", "--yes"])).output).toContain(
        "The gateway requires no API keys now.",
      );
      expect(await keysIn(home)).toEqual([]);
    });

    it("deletes no key that the user gave", async () => {
      const { call, home } = homeOf();
      const terminal = makeTerminal(home);
      await run(["keys", "create", "laptop", "--json"], terminal);
      await call(["claude-code", "--write", "--yes", "--key", JSON.parse(terminal.output()).key]);
      await call(["claude-code", "--undo", "--yes"]);
      expect(await keysIn(home)).toEqual(["laptop"]);
    });

    it("keeps a vendor's key", async () => {
      const { call, home } = homeOf();
      await call(["codex", "--write", "--yes", "--key", "sk-proj-key-of-a-project"]);
      expect((await call(["codex", "--write", "--yes"])).output).toContain("Codex CLI is already connected to");
      expect(readFileSync(join(home, ".codex", "config.toml"), "utf8")).toContain('"sk-proj-key-of-a-project"');
    });
  });

  it.each(["http://[x", "http://a b", "ftp://g", "g:4141"])("rejects the URL %s with an example", async (url) => {
    for (const flags of [[], ["--write", "--yes"]])
      expect(await homeOf().call(["codex", "--url", url, ...flags])).toMatchObject({
        exit: 1,
        errors: `longhaul: --url: "${url}" is not a URL; use for example http://127.0.0.1:4141\n`,
      });
  });

  it.each(["--write", "--undo"])("rejects %s without a client", async (flag) => {
    const { exit, output, errors } = await homeOf().call([flag]);
    expect({ exit, output }).toEqual({ exit: 1, output: "" });
    expect(errors).toContain(`no client given; use \`longhaul connect <client> ${flag}\``);
  });

  it("shows the changes, asks, writes and reverts them", async () => {
    const { call, home } = homeOf();
    mkdirSync(join(home, ".codex"));
    const file = join(home, ".codex", "config.toml");
    const text = '# mine\nmodel = "gpt-5"\nmodel_provider = "azure"\n\n[tui]\ntheme = "dark"\n';
    writeFileSync(file, text);
    const refused = await call(["codex", "--write"], { agrees: false });
    expect(refused).toMatchObject({ exit: 0, questions: ["Write these changes?"] });
    expect(refused.output).toMatch(/- model_provider = "azure"\n\+ model_provider = "longhaul".*Nothing was written/s);
    expect(readFileSync(file, "utf8")).toBe(text);
    const written = await call(["codex", "--write"], { agrees: true });
    expect(written.output).toContain(`Wrote ${file}.\nRevert it with \`longhaul connect codex --undo\`.\n`);
    expect(readFileSync(file, "utf8")).toContain('theme = "dark"\n\n[model_providers.longhaul]\nname = "Longhaul"\n');
    expect((await call(["codex", "--write"])).output).toBe(
      `Codex CLI is already connected to http://127.0.0.1:4141.\nNo changes to make in ${file}.\n`,
    );
    expect((await call(["codex", "--undo", "--yes"])).output).toContain(`Restored ${file}.`);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(existsSync(`${file}.longhaul-undo`)).toBe(false);
    expect((await call(["codex", "--undo", "--yes"])).output).toBe(`No changes to make in ${file}.\n`);
  });

  it.each([
    ["http://127.0.0.1:1", "no gateway is running at", "Start it with `longhaul start`"],
    ["http://gateway.invalid", "the gateway at", "Check its address and the network"],
  ])("warns after writing if no gateway answers at %s, with both remedies", async (url, start, remedy) => {
    const { errors } = await homeOf().call(["claude-code", "--write", "--yes", "--url", url, "--key", "k"]);
    expect(errors).toContain(`Warning: ${start} ${url}`);
    expect(errors).toContain(`so Claude Code gets no answers. ${remedy}, or go back with \`longhaul connect`);
  });

  it("considers stored settings", async () => {
    const { home, call } = homeOf();
    const path = join(home, ".local", "share", "longhaul", "longhaul.db");
    const store = await openStore({ path, nowMs: Date.now });
    const entries = [
      { path: "upstreams.claude.kind", value: "anthropic" },
      { path: "upstreams.claude.apiKey", value: "sk-ant-api03-key" },
      { path: "routes", value: [{ match: "*", upstream: "claude" }] },
    ];
    await store.settings.change({ entries, by: "test", atMs: 1 });
    await store.close();
    expect((await call(["claude-code"])).errors).toBe("");
    expect((await call(["codex"])).errors).toBe(
      "Warning: no upstream serves Codex CLI's requests, for example for gpt-5.1. Set OPENAI_API_KEY where the gateway runs, or add a route for them.\n",
    );
  });

  it("asks for a key of its own where a placeholder does not work", async () => {
    const { call } = homeOf();
    expect((await call(["cursor"])).output).toContain(
      "OpenAI API Key to the key that `longhaul keys create cursor` prints",
    );
    expect((await call(["cursor"])).errors).not.toContain("--key");
    expect((await call(["cursor", "--key", "lh_k"])).output).toContain("OpenAI API Key to lh_k.");
  });

  it("writes none of a client's files if one of them is invalid", async () => {
    const { call, home } = homeOf();
    mkdirSync(join(home, ".gemini"));
    writeFileSync(join(home, ".gemini", "settings.json"), "{ broken");
    expect(await call(["gemini-cli", "--write", "--yes"])).toMatchObject({
      exit: 1,
      errors: expect.stringContaining("settings.json: not valid JSON"),
    });
    expect(readdirSync(join(home, ".gemini"))).toEqual(["settings.json"]);
  });

  it("names the target of a link, and a file that no longer exists", async () => {
    const { call, home } = homeOf();
    mkdirSync(join(home, ".codex"));
    const [file, target] = [join(home, ".codex", "config.toml"), join(home, "mine.toml")];
    writeFileSync(target, "");
    symlinkSync(target, file);
    expect((await call(["codex", "--write", "--yes"])).output).toContain(`${file} (a link to ${target})\n`);
    rmSync(file);
    expect((await call(["codex", "--undo", "--yes"])).output).toBe(
      `${file} no longer exists.\nNo changes to make in ${file}.\n`,
    );
    expect(readdirSync(join(home, ".codex"))).toEqual([]);
  });

  it("creates and removes several files of a client that had none", async () => {
    const { call, home } = homeOf();
    expect((await call(["gemini-cli", "--write", "--yes", "--key", "k"])).exit).toBe(0);
    const [env, settings] = [".env", "settings.json"].map((name) => join(home, ".gemini", name));
    expect(readFileSync(env ?? "", "utf8")).toBe("GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:4141\nGEMINI_API_KEY=k\n");
    expect((await call(["gemini-cli", "--undo", "--yes"])).output).toContain(`Removed ${env}.\nRemoved ${settings}.\n`);
    expect([env, settings].map((path) => existsSync(path ?? ""))).toEqual([false, false]);
  });

  it("writes nothing without --yes if standard input is not a terminal", async () => {
    const { call, home } = homeOf();
    const { exit, errors } = await call(["claude-code", "--write"]);
    expect([exit, errors]).toEqual([1, expect.stringContaining("use --yes to write without asking")]);
    expect(existsSync(join(home, ".claude"))).toBe(false);
  });

  it.each([
    [["cursor", "--write"], 1, "Cursor has no settings file to write"],
    [["emacs"], 2, "Choose from claude-code, codex, opencode, kilo-code, pi,"],
    [["codex", "--write", "--undo"], 2, "cannot be used with"],
  ])("rejects %j", async (args, code, why) => {
    const { exit, errors } = await homeOf().call(args);
    expect([exit, errors]).toEqual([code, expect.stringContaining(why)]);
  });
});

const plain = styleOf({ hasColours: false });
const numbers = Array.from({ length: 12 }, (_, index) => `line ${index}`);

it("shows changed lines with two lines of context", () => {
  const after = numbers.with(5, "other").concat("more");
  expect(diff(`${numbers.join("\n")}\n`, `${after.join("\n")}\n`, plain)).toBe(
    [
      "  line 3",
      "  line 4",
      "- line 5",
      "+ other",
      "  line 6",
      "  line 7",
      "  …",
      "  line 10",
      "  line 11",
      "+ more",
      "",
    ].join("\n"),
  );
});

it("shows a text that is added or removed as a whole", () => {
  expect(diff("", "a\nb\n", plain)).toBe("+ a\n+ b\n");
  expect(diff("a\n", "", plain)).toBe("- a\n");
  expect(diff("a\n", "a\n", plain)).toBe("");
});

it("colours the lines if the terminal has colours", () => {
  expect(diff("", "a\n", styleOf({ hasColours: true }))).toBe("\u001b[32m+ a\u001b[39m\n");
});

describe("hideSecrets", () => {
  it.each([
    ['"GITHUB_TOKEN": "ghp_0123456789abcdef",', '"GITHUB_TOKEN": "ghp_0123…",'],
    ['"GITHUB_TOKEN": "short",', '"GITHUB_TOKEN": "…",'],
    ['"password": "several words, \\"quoted\\"", "a": 1', '"password": "…", "a": 1'],
    ["db_password: several words", "db_password: …"],
    ["SECRET_KEY_BASE=abc # mine", "SECRET_KEY_BASE=…"],
    ["apiKey = 'it is'", "apiKey = '…'"],
    ['"Authorization": "Bearer abc"', '"Authorization": "Bearer …"'],
    ['"HEADERS": "x-mine-token: abc\\nx-team: 2"', '"HEADERS": "x-mine-token: …\\nx-team: 2"'],
    ['"args": ["--api-key", "abc", "-v"]', '"args": ["--api-key", "…", "-v"]'],
    ['      "--token",\n      "abc",', '      "--token",\n      "…",'],
    ["command: run --token abc", "command: run --token …"],
    ['"url": "postgres://me:abc@host/db"', '"url": "postgres://me:…@host/db"'],
    ['"other": "sk-ant-api03-0123456789"', '"other": "sk-ant-…"'],
    ['"other": "aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3"', '"other": "…"'],
  ])("hides the secret in %j", (text, shown) => {
    expect(hideSecrets(text)).toBe(shown);
  });

  it.each([
    ['"MAX_OUTPUT_TOKENS": 8192,'],
    ['"ANTHROPIC_BASE_URL": "http://127.0.0.1:4141",'],
    ['  "key": {\n+   "a": 1\n'],
    ['  "selectedType": "gemini-api-key",\n+ "a": 1\n'],
    ["  keys:\n+   a: 1\n"],
    ["GEMINI_API_KEY=longhaul"],
    ['"model": "claude-sonnet-4-5-20250929"'],
  ])("leaves %j as it is", (text) => {
    expect(hideSecrets(text)).toBe(text);
  });

  it("reads a long word in time that grows with its length", () => {
    const word = "-key".repeat(800);
    expect(hideSecrets(word)).toBe(word);
  }, 2_000);

  it("hides every key that a client's settings contain, whatever its form", () => {
    for (const { files = [] } of CLIENTS)
      for (const { settings } of files)
        for (const { path, value } of settings) {
          const filled = JSON.stringify(value).replace(/\{(?:key|anyKey|headerKey)\}/, "my own key");
          expect(hideSecrets(`${path.at(-1)}: ${filled}`)).not.toContain("my own key");
        }
  });

  it("hides secrets in the lines around a change, and keeps their colours", async () => {
    const { call, home } = homeOf();
    mkdirSync(join(home, ".claude"));
    const env = { GITHUB_TOKEN: "ghp_0123456789abcdef0123456789abcdef0123" };
    writeFileSync(join(home, ".claude", "settings.json"), JSON.stringify({ env }, null, 2));
    const { output } = await call(["claude-code", "--write", "--yes", "--key", "my-own-secret"]);
    expect(output).toContain('"GITHUB_TOKEN": "ghp_0123…"');
    expect(output).toContain('"ANTHROPIC_AUTH_TOKEN": "…"');
    const colours = styleOf({ hasColours: true });
    expect(hideSecrets(diff("", "TOKEN=abc\n", colours))).toBe("\u001b[32m+ TOKEN=…\u001b[39m\n");
  });
});

import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ConnectRow, crlf } from "./connect-rows.ts";

const OURS = `[model_providers.longhaul]
name = "Longhaul"
base_url = "http://127.0.0.1:1/v1"
wire_api = "responses"
experimental_bearer_token = "longhaul"
`;
const PAIRS =
  'name = "Longhaul", base_url = "http://127.0.0.1:1/v1", wire_api = "responses", experimental_bearer_token = "longhaul"';
const DOTTED = OURS.split("\n")
  .slice(1, -1)
  .map((line) => `model_providers.longhaul.${line}\n`)
  .join("");
const USE = 'model_provider = "longhaul"\n';
const TUI = '[tui]\ntheme = "dark"\n';

export const CODEX_ROWS: readonly ConnectRow[] = [
  { name: "no file", written: `${USE}\n${OURS}` },
  { name: "an empty file", text: "", written: `${USE}\n${OURS}` },
  { name: "comments only", text: "# mine\n", written: `# mine\n${USE}\n${OURS}` },
  { name: "keys only", text: 'model = "m"\n', written: `model = "m"\n${USE}\n${OURS}` },
  {
    name: "keys and a table",
    text: `model = "m" # best\n\n${TUI}`,
    written: `model = "m" # best\n${USE}\n${TUI}\n${OURS}`,
  },
  { name: "tables only", text: TUI, written: `${USE}\n${TUI}\n${OURS}` },
  {
    name: "comments of the file and of a table",
    text: `# file\n\n# about the look\n${TUI}# end\n`,
    written: `# file\n\n${USE}\n# about the look\n${TUI}# end\n\n${OURS}`,
  },
  {
    name: "another provider, with a comment",
    text: "model_provider = 'azure' # work\n",
    written: `model_provider = "longhaul" # work\n\n${OURS}`,
  },
  {
    name: "an inline table",
    text: `model_providers = { azure = { name = "A" } } # all\n\n${TUI}`,
    written: `model_providers = { azure = { name = "A" }, longhaul = { ${PAIRS} } } # all\n${USE}\n${TUI}`,
  },
  {
    name: "an empty inline table",
    text: "model_providers = {}\n",
    written: `model_providers = { longhaul = { ${PAIRS} } }\n${USE}`,
  },
  {
    name: "our provider inline with other values",
    text: `model_providers = {longhaul={name='Mine',retries=4}}\n${USE}`,
    written: `model_providers = {longhaul={name="Longhaul",retries=4, ${PAIRS.replace('name = "Longhaul", ', "")}}}\n${USE}`,
  },
  {
    name: "an inline table under a header",
    text: `[model_providers]\nazure = { name = "A" }\n\n# look\n${TUI}`,
    written: `${USE}\n[model_providers]\nazure = { name = "A" }\n\n# look\n${TUI}\n${OURS}`,
  },
  {
    name: "our provider inline under a header",
    text: `${USE}[model_providers]\nlonghaul = { name = "Mine" }\n`,
    written: `${USE}[model_providers]\nlonghaul = { ${PAIRS} }\n`,
  },
  {
    name: "dotted keys",
    text: `model_providers.azure.name = "A" # a\nmodel = "m"\n${TUI}`,
    written: `model_providers.azure.name = "A" # a\n${DOTTED}model = "m"\n${USE}${TUI}`,
  },
  {
    name: "our provider as dotted keys",
    text: `model_providers.longhaul.name = "Mine"\n${TUI}`,
    written: `${DOTTED}${USE}${TUI}`,
  },
  {
    name: "dotted keys under a header",
    text: `${USE}[model_providers]\nlonghaul . name = "Mine"\n  azure.name = "A"\n`,
    written: `${USE}[model_providers]\nlonghaul . name = "Longhaul"\n${DOTTED.replaceAll("model_providers.", "").replace(/^.*\n/, "")}  azure.name = "A"\n`,
  },
  {
    name: "our table with other values, keys and comments",
    text: `${USE}[model_providers.longhaul] # mine\n# the name\nname = "Mine" # old\nretries = 4\n\n${TUI}`,
    written: `${USE}[model_providers.longhaul] # mine\n# the name\nname = "Longhaul" # old\nretries = 4\n${OURS.replace(/^.*\n.*\n/, "")}\n${TUI}`,
  },
  {
    name: "quoted names",
    text: `'model_provider' = "azure"\n["model_providers".'longhaul']\n"name" = "Mine"\n`,
    written: `'model_provider' = "longhaul"\n["model_providers".'longhaul']\n"name" = "Longhaul"\n${OURS.replace(/^.*\n.*\n/, "")}`,
  },
  { name: "an array of tables", text: '[[mcp]]\nname = "a"\n', written: `${USE}\n[[mcp]]\nname = "a"\n\n${OURS}` },
  {
    name: "a table below ours",
    text: '[model_providers.longhaul.http_headers]\nx = "1"\n',
    written: `${USE}\n[model_providers.longhaul.http_headers]\nx = "1"\n\n${OURS}`,
  },
  {
    name: "strings that look like tables",
    text: `notes = """\n[model_providers.longhaul]\nmodel_provider = "x"\n"""\nmore = '''\n[a]'''\n`,
    written: `notes = """\n[model_providers.longhaul]\nmodel_provider = "x"\n"""\nmore = '''\n[a]'''\n${USE}\n${OURS}`,
  },
  {
    name: "arrays, dates and special numbers",
    text: "a = [\n  1, # one\n  [2],\n]\nd = 1979-05-27T07:32:00Z\nf = nan\ni = 9_007_199_254_740_993\nh = 0xff\n",
    written: `a = [\n  1, # one\n  [2],\n]\nd = 1979-05-27T07:32:00Z\nf = nan\ni = 9_007_199_254_740_993\nh = 0xff\n${USE}\n${OURS}`,
  },
  { name: "CRLF", text: crlf(`model = "m"\n\n${TUI}`), written: crlf(`model = "m"\n${USE}\n${TUI}\n${OURS}`) },
  { name: "a byte order mark", text: `\uFEFF${TUI}`, written: `\uFEFF${USE}\n${TUI}\n${OURS}` },
  {
    name: "a byte order mark, CRLF and an open last line",
    text: `\uFEFF${crlf('# mine\nmodel = "m"')}`,
    written: `\uFEFF${crlf(`# mine\nmodel = "m"\n${USE}\n${OURS}`)}`,
  },
  { name: "an open last line", text: 'model = "m" # x', written: `model = "m" # x\n${USE}\n${OURS}` },
  {
    name: "indented keys",
    text: '\tmodel = "m"\n\t[tui]\n\t\ta = 1\n',
    written: `\tmodel = "m"\n\t${USE}\t[tui]\n\t\ta = 1\n\n${OURS}`,
  },
  { name: "blank lines at the end", text: `${TUI}\n\n`, written: `${USE}\n${TUI}\n\n${OURS}` },
  {
    name: "the same keys in a profile",
    text: '[profiles.x]\nmodel_provider = "azure"\n',
    written: `${USE}\n[profiles.x]\nmodel_provider = "azure"\n\n${OURS}`,
  },
  { name: "exactly our settings", text: `${USE}\n${OURS}`, written: `${USE}\n${OURS}` },
  {
    name: "an open array",
    text: "a = 1\nb = [1,\nc = 2\n",
    refused: /config\.toml: not valid TOML: .*\(line 3, column 1\); fix it first/,
  },
  { name: "a key twice", text: "a = 1\na = 2\n", refused: "(line 2, column 1); fix it first" },
  { name: "a table twice", text: `${TUI}${TUI}`, refused: "not valid TOML" },
  { name: "a merge conflict", text: `<<<<<<< mine\n${TUI}`, refused: "not valid TOML" },
  { name: "bytes that are not UTF-8", text: Buffer.from([0x61, 0x3d, 0x22, 0xff, 0x22]), refused: "not UTF-8 text" },
  {
    name: "a string instead of the providers",
    text: 'model_providers = "x"\n',
    refused: "model_providers is a string instead of an object",
  },
  {
    name: "a list instead of the providers",
    text: '[[model_providers]]\nname = "x"\n',
    refused: "model_providers is a list",
  },
  {
    name: "a string instead of our provider",
    text: '[model_providers]\nlonghaul = "x"\n',
    refused: "model_providers.longhaul is a string",
  },
  {
    name: "a table instead of a name",
    text: "[model_provider]\na = 1\n",
    refused: "model_provider is an object instead of a plain value",
  },
  { name: "a read-only file", text: TUI, mode: 0o444, refused: "config.toml: it is read-only; make it writable first" },
  {
    name: "a read-only folder",
    text: TUI,
    arrange: (_, path) => chmodSync(dirname(path), 0o555),
    refused: "is read-only",
  },
  {
    name: "a link to nothing",
    arrange: (_, path) => symlinkSync("gone.toml", path),
    refused: "a link to a file that does not exist",
  },
  {
    name: "a link to itself",
    arrange: (_, path) => symlinkSync(path, path),
    refused: "a link to a file that does not exist",
  },
  { name: "a folder instead of the file", arrange: (_, path) => mkdirSync(path), refused: "not a regular file" },
  {
    name: "a file instead of the folder",
    arrange: (_, path) => {
      rmSync(dirname(path), { recursive: true });
      writeFileSync(dirname(path), "");
    },
    refused: "is not a folder",
  },
  { name: "a link to a file elsewhere", arrange: linked, written: `${USE}\n${TUI}\n${OURS}` },
  {
    name: "a link to a read-only file",
    arrange: (home, path) => {
      linked(home, path);
      chmodSync(join(home, "dotfiles", "c"), 0o400);
    },
    refused: "read-only",
  },
  {
    name: "a link to another folder",
    arrange: (home, path) => {
      rmSync(dirname(path), { recursive: true });
      mkdirSync(join(home, "dotfiles"));
      symlinkSync(join(home, "dotfiles"), dirname(path));
    },
    written: `${USE}\n${OURS}`,
  },
  {
    name: "a file for everyone, without a key",
    text: TUI,
    mode: 0o644,
    written: `${USE}\n${TUI}\n${OURS}`,
    writtenMode: 0o644,
  },
  {
    name: "a file for everyone, with a key",
    text: TUI,
    mode: 0o644,
    key: "sk-1",
    written: `${USE}\n${TUI}\n${withKey("sk-1")}`,
    writtenMode: 0o600,
  },
  {
    name: "a file for a group, with a key",
    text: TUI,
    mode: 0o660,
    key: "sk-1",
    written: `${USE}\n${TUI}\n${withKey("sk-1")}`,
    writtenMode: 0o600,
  },
  { name: "no file, with a key", key: 'q"\\', written: `${USE}\n${withKey('q\\"\\\\')}`, writtenMode: 0o600 },
  {
    name: "a table that was added since",
    text: TUI,
    written: `${USE}\n${TUI}\n${OURS}`,
    since: (text) => `${text}\n[mcp]\na = 1 # mine\n`,
    undone: `${TUI}\n[mcp]\na = 1 # mine\n`,
  },
  {
    name: "another provider that was chosen since",
    text: "model_provider = 'azure' # work\n",
    written: `model_provider = "longhaul" # work\n\n${OURS}`,
    since: (text) => text.replace('"longhaul" # work', '"mine" # now'),
    undone: 'model_provider = "mine" # now\n',
    kept: ["model_provider"],
  },
  {
    name: "our provider, changed since",
    text: "model_provider = 'azure' # work\n",
    written: `model_provider = "longhaul" # work\n\n${OURS}`,
    since: (text) => text.replace("http://127.0.0.1:1/v1", "http://other/v1"),
    undone: `model_provider = 'azure' # work\n\n${OURS.replace("http://127.0.0.1:1", "http://other")}`,
    kept: ["model_providers.longhaul"],
  },
  {
    name: "a key that was added to our provider since",
    text: `${TUI}`,
    written: `${USE}\n${TUI}\n${OURS}`,
    since: (text) => `${text}retries = 4\n`,
    undone: `${TUI}\n${OURS}retries = 4\n`,
    kept: ["model_providers.longhaul"],
  },
  {
    name: "an inline table, changed since",
    text: `model_providers = { azure = { name = "A" } }\n`,
    written: `model_providers = { azure = { name = "A" }, longhaul = { ${PAIRS} } }\n${USE}`,
    since: (text) => text.replace('"A"', '"B"'),
    undone: `model_providers = { azure = { name = "B" } }\n`,
  },
  {
    name: "dotted keys, changed since",
    text: `model_providers.azure.name = "A"\n`,
    written: `model_providers.azure.name = "A"\n${DOTTED}${USE}`,
    since: (text) => `# new\n${text}`,
    undone: `# new\nmodel_providers.azure.name = "A"\n`,
  },
  {
    name: "our own table, with other keys changed since",
    text: `[model_providers.longhaul]\nname = 'Mine' # old\n\n${TUI}`,
    written: `${USE}\n[model_providers.longhaul]\nname = "Longhaul" # old\n${OURS.replace(/^.*\n.*\n/, "")}\n${TUI}`,
    since: (text) => text.replace("dark", "light"),
    undone: `[model_providers.longhaul]\nname = 'Mine' # old\n\n${TUI.replace("dark", "light")}`,
  },
  {
    name: "CRLF, changed since",
    text: crlf(`\n${TUI}`),
    written: crlf(`\n${USE}\n${TUI}\n${OURS}`),
    since: (text) => `${text}\r\n# mine\r\n`,
    undone: crlf(`\n${TUI}\n# mine\n`),
  },
  {
    name: "a new file, to which something was added since",
    written: `${USE}\n${OURS}`,
    since: (text) => `# mine\n${text}`,
    undone: "# mine\n",
  },
  { name: "a new file, deleted since", written: `${USE}\n${OURS}`, since: () => undefined },
  { name: "a file that was restored by hand since", text: TUI, written: `${USE}\n${TUI}\n${OURS}`, since: () => TUI },
  {
    name: "a file that was broken since",
    text: TUI,
    written: `${USE}\n${TUI}\n${OURS}`,
    since: (text) => `${text}[`,
    undone: `${USE}\n${TUI}\n${OURS}[`,
    undoRefused: "not valid TOML",
  },
];

function linked(home: string, path: string): void {
  mkdirSync(join(home, "dotfiles"));
  writeFileSync(join(home, "dotfiles", "c"), TUI, { mode: 0o640 });
  symlinkSync(join(home, "dotfiles", "c"), path);
}

function withKey(key: string): string {
  return OURS.replace('"longhaul"', `"${key}"`);
}

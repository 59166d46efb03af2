/** One existing configuration. Without `refused`, `--write` must make exactly `written`, and `--undo` exactly `undone`. */
export interface ConnectRow {
  readonly name: string;
  /** The text before; absent if there is no file. */
  readonly text?: string | Buffer;
  readonly mode?: number;
  /** Arranges what a text cannot: links, folders, other files. */
  readonly arrange?: (home: string, path: string) => void;
  readonly key?: string;
  readonly written?: string;
  readonly writtenMode?: number;
  /** The reason that `--write` gives for writing nothing. */
  readonly refused?: string | RegExp;
  /** A change after `--write`; `undefined` deletes the file. */
  readonly since?: (text: string) => string | undefined;
  /** The text after `--undo`; if absent, everything is as it was before `--write`. */
  readonly undone?: string;
  /** The paths that `--undo` names as kept. */
  readonly kept?: readonly string[];
  /** The reason that `--undo` gives for undoing nothing. */
  readonly undoRefused?: string;
}

export function crlf(text: string): string {
  return text.replaceAll("\n", "\r\n");
}

const URL_ONLY = '"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"';
const COMPACTION = ['"DISABLE_AUTO_COMPACT": "1"', '"CLAUDE_CODE_BLOCKING_LIMIT_OVERRIDE": "10000000"'];
/** The written settings, one per line with this indentation. */
const settings = (indent: string) => [URL_ONLY, ...COMPACTION].join(`,\n${indent}`);
export const CLAUDE_ROWS: readonly ConnectRow[] = [
  { name: "no file", written: `{\n  "env": {\n    ${settings("    ")}\n  }\n}\n` },
  { name: "an empty file", text: "", written: `{\n  "env": {\n    ${settings("    ")}\n  }\n}\n` },
  {
    name: "comments and trailing commas",
    text: '{\n  // look\n  "theme": "dark", /* not light */\n  "env": {\n    "A": "1", // one\n  },\n}\n',
    written: `{\n  // look\n  "theme": "dark", /* not light */\n  "env": {\n    "A": "1", // one\n    ${settings("    ")},\n  },\n}\n`,
  },
  {
    name: "a comment behind the last value",
    text: '{\n    "env": {\n        "A": "1" // one\n    }\n}\n',
    written: `{\n    "env": {\n        "A": "1", // one\n        ${settings("        ")}\n    }\n}\n`,
  },
  {
    name: "tabs, CRLF and a byte order mark",
    text: `\uFEFF${crlf('{\n\t"a": [1, { "b": null }]\n}')}`,
    written: `\uFEFF${crlf(`{\n\t"a": [1, { "b": null }],\n\t"env": {\n\t\t${settings("\t\t")}\n\t}\n}`)}`,
  },
  {
    name: "one line",
    text: '{"a":1,"env":{"A":"1"}}',
    written: `{"a":1,"env":{"A":"1",${[URL_ONLY, ...COMPACTION].join(", ")}}}`,
  },
  {
    name: "an object with a comment",
    text: '{ "env": { /* none */ } }\n',
    written: `{ "env": { /* none */\n  ${settings("  ")}\n} }\n`,
  },
  {
    name: "a value that is null",
    text: '{ "env": { "ANTHROPIC_BASE_URL": null } }\n',
    written: `{ "env": { ${[URL_ONLY, ...COMPACTION].join(", ")} } }\n`,
  },
  {
    name: "an object that is null",
    text: '{ "env": null }\n',
    refused: "settings.json: env is null instead of an object; change or remove it",
  },
  { name: "a list instead of an object", text: '{ "env": [] }\n', refused: "env is a list" },
  {
    name: "an object instead of a text",
    text: '{ "env": { "ANTHROPIC_BASE_URL": {} } }\n',
    refused: "env.ANTHROPIC_BASE_URL is an object",
  },
  { name: "a list instead of the whole", text: "[]\n", refused: "the whole file is a list" },
  { name: "the same name twice", text: '{ "env": {}, "env": {} }\n', refused: "env is set more than once" },
  {
    name: "an open brace",
    text: '{\n  "a": 1,\n  b: 2\n}\n',
    refused: 'not valid JSON: unexpected "b" (line 3, column 3); fix it first',
  },
  { name: "a number that is none", text: '{ "a": 1.2.3 }\n', refused: "not valid JSON" },
  {
    name: "a value that was added since",
    text: '{\n  "theme": 1\n}\n',
    written: `{\n  "theme": 1,\n  "env": {\n    ${settings("    ")}\n  }\n}\n`,
    since: (text) => text.replace('00"\n', '00",\n    "B": "2"\n'),
    undone: '{\n  "theme": 1,\n  "env": {\n    "B": "2"\n  }\n}\n',
  },
  {
    name: "an address that was changed since",
    text: '{\n  "env": { "ANTHROPIC_BASE_URL": "http://mine" }\n}\n',
    key: "lh_1",
    mode: 0o644,
    written: `{\n  "env": { ${URL_ONLY}, "ANTHROPIC_AUTH_TOKEN": "lh_1", ${COMPACTION.join(", ")} }\n}\n`,
    writtenMode: 0o600,
    since: (text) => text.replace("http://127.0.0.1:1", "http://new"),
    undone: '{\n  "env": { "ANTHROPIC_BASE_URL": "http://new" }\n}\n',
    kept: ["env.ANTHROPIC_BASE_URL"],
  },
  {
    name: "a value elsewhere that was changed since",
    text: '{\n  "env": { "ANTHROPIC_BASE_URL" : "http:\\/\\/mine" }, // mine\n  "theme": 1\n}\n',
    written: `{\n  "env": { "ANTHROPIC_BASE_URL" : "http://127.0.0.1:1", ${COMPACTION.join(", ")} }, // mine\n  "theme": 1\n}\n`,
    since: (text) => text.replace('"theme": 1', '"theme": 2'),
    undone: '{\n  "env": { "ANTHROPIC_BASE_URL" : "http:\\/\\/mine" }, // mine\n  "theme": 2\n}\n',
  },
];

const QWEN_URL = "OPENAI_BASE_URL=http://127.0.0.1:1/v1\n";
const QWEN_REST = "OPENAI_API_KEY=longhaul\nOPENAI_MODEL=m\n";
export const QWEN_ROWS: readonly ConnectRow[] = [
  { name: "no file", written: QWEN_URL + QWEN_REST },
  {
    name: "export, quotes and comments",
    text: "# mine\nexport OPENAI_BASE_URL = 'http://mine' # old\nA=\"x # y\"\n#OPENAI_MODEL=no\n",
    written: `# mine\nexport OPENAI_BASE_URL = http://127.0.0.1:1/v1 # old\nA="x # y"\n#OPENAI_MODEL=no\n${QWEN_REST}`,
  },
  {
    name: "CRLF and an open last line",
    text: "A=1\r\nOPENAI_MODEL=x",
    written: crlf(`A=1\nOPENAI_MODEL=m\n${QWEN_URL}OPENAI_API_KEY=longhaul\n`),
  },
  {
    name: "a byte order mark",
    text: "\uFEFFOPENAI_MODEL=\n",
    written: `\uFEFFOPENAI_MODEL=m\n${QWEN_URL}OPENAI_API_KEY=longhaul\n`,
  },
  {
    name: "a text of several lines and references",
    text: 'A="one\nOPENAI_MODEL=no\n"\nB=${A}\n',
    written: `A="one\nOPENAI_MODEL=no\n"\nB=\${A}\n${QWEN_URL}${QWEN_REST}`,
  },
  {
    name: "a variable twice",
    text: "OPENAI_MODEL=a\nB=1\nexport OPENAI_MODEL=b\n",
    refused: "OPENAI_MODEL is set more than once (lines 1 and 3); keep one of them",
  },
  {
    name: "a key with signs of its own",
    key: "a b$c#d",
    written: `${QWEN_URL}OPENAI_API_KEY='a b$c#d'\nOPENAI_MODEL=m\n`,
    writtenMode: 0o600,
  },
  { name: "a key with line breaks", key: "a\nb", refused: "cannot write a value with line breaks" },
  {
    name: "variables that were changed and added since",
    text: "OPENAI_MODEL='mine'\n",
    written: `OPENAI_MODEL=m\n${QWEN_URL}OPENAI_API_KEY=longhaul\n`,
    since: (text) => `${text.replace("http://127.0.0.1:1", "http://new")}C=3\n`,
    undone: "OPENAI_MODEL='mine'\nOPENAI_BASE_URL=http://new/v1\nC=3\n",
    kept: ["OPENAI_BASE_URL"],
  },
];

const ENTRY = ["name: Longhaul", "provider: openai", "model: m", "apiBase: http://127.0.0.1:1/v1", "apiKey: longhaul"];
const entryAt = (indent: string) =>
  ENTRY.map((line, index) => `${indent}${index === 0 ? "- " : "  "}${line}\n`).join("");
const FLOW =
  '{"name":"Longhaul","provider":"openai","model":"m","apiBase":"http://127.0.0.1:1/v1","apiKey":"longhaul"}';
const CANNOT_EDIT = "config.yaml: cannot be edited without changing other settings";
export const CONTINUE_ROWS: readonly ConnectRow[] = [
  { name: "no file", written: `name: Longhaul\nversion: 1.0.0\nschema: v1\nmodels:\n${entryAt("  ")}` },
  {
    name: "a list with comments",
    text: "# mine\nname:   me\nmodels:\n- name: A # x\n  provider: p\n\n# end\nrules: [ a,b ]\n",
    written: `# mine\nname:   me\nmodels:\n- name: A # x\n  provider: p\n${entryAt("")}\n# end\nrules: [ a,b ]\n`,
  },
  { name: "a list in one line", text: "models: [{name: A}]\n", written: `models: [{name: A}, ${FLOW}]\n` },
  { name: "an empty list", text: "models: [] # none\n", written: `models: [${FLOW}] # none\n` },
  { name: "CRLF", text: crlf("name: me\n"), written: crlf(`name: me\nmodels:\n${entryAt("  ")}`) },
  {
    name: "our entry with other values",
    text: "models:\n  - name: Longhaul\n    model: x\n  - name: A\n",
    written: `models:\n${entryAt("  ")}  - name: A\n`,
  },
  {
    name: "an open list",
    text: "a: 1\nmodels: [\n",
    refused: /config\.yaml: not valid YAML: .*\(line \d, column \d+\); fix it first/,
  },
  { name: "a text instead of the list", text: "models: x\n", refused: "models is a string instead of a list" },
  {
    name: "our entry, used again by an alias",
    text: "models:\n  - name: Longhaul\n    model: &m x\nother: *m\n",
    refused: CANNOT_EDIT,
  },
  { name: "a list that is an alias", text: "x: &l\n  - name: A\nmodels: *l\n", refused: CANNOT_EDIT },
  { name: "a whole file in one line", text: "{y: 1}\n", refused: CANNOT_EDIT },
  { name: "two documents", text: "y: 1\n---\nz: 2\n", refused: "multiple documents (line 2, column 1); fix it" },
  { name: "no value for the list", text: "models:\nname: me\n", refused: "models is null" },
  {
    name: "an entry that was added since",
    text: "name: me\n",
    written: `name: me\nmodels:\n${entryAt("  ")}`,
    since: (text) => `${text}  - name: B\n`,
    undone: "name: me\nmodels:\n  - name: B\n",
  },
  {
    name: "our entry, changed since",
    text: "name: me\n",
    written: `name: me\nmodels:\n${entryAt("  ")}`,
    since: (text) => text.replace("model: m", "model: n"),
    undone: `name: me\nmodels:\n${entryAt("  ").replace("model: m", "model: n")}`,
    kept: ["models.name=Longhaul"],
  },
];

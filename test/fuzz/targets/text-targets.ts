import type { JsonObject, JsonValue } from "@longhaul/conversation";
import * as logs from "@longhaul/logs";
import {
  findModel,
  imageSize,
  knowsModel,
  loadCatalog,
  loadTextCounter,
  parseModelName,
  parseReasoning,
} from "@longhaul/models/advanced";
import * as settings from "@longhaul/settings";
import fc from "fast-check";
import { checkHead } from "../../../packages/gateway/src/http/guard.ts";
import { fillTemplate, findEndpoint } from "../../../packages/gateway/src/request/endpoints.ts";
import { anyScript, type Script } from "../../../packages/logs/src/testing/script.ts";
import * as vendors from "../../../packages/logs/src/testing/vendor-writers.ts";
import * as writers from "../../../packages/logs/src/testing/writers.ts";
import { SAMPLE_TEXTS } from "../../../packages/models/src/testing/any-unicode.ts";
import { makeCorpus, mutatedBytes, mutatedText, mutatedValue } from "../mutate.ts";
import { allowing, claim, type FuzzTarget, openTarget } from "../target.ts";

/** Readers of text: names, logs, settings, headers, media. */
export const TEXT_TARGETS: readonly FuzzTarget[] = [
  { name: "model-name", weight: 4, open: openModelNames },
  { name: "log", weight: 3, open: openLogs },
  { name: "config", weight: 1, open: openConfigs },
  { name: "settings-files", weight: 1, open: openSettingsFiles },
  { name: "headers", weight: 1, open: openHeaders },
  { name: "path", weight: 3, open: openPaths },
  { name: "tokens", weight: 2, open: openTokens },
  { name: "image-size", weight: 1, open: openImages },
];

const NAMES = [
  ...["claude-opus-4-6:high", "gpt-5.2(16k)", "gemini-3-pro-preview-thinking-8000", "anthropic.claude-sonnet-4-5-v1:0"],
  ...[
    "openrouter/anthropic/claude-sonnet-4.5:thinking",
    "kimi-k2-thinking-high",
    "claude-sonnet-5[1m]",
    "models/gemini-3.5-flash",
  ],
  ...[
    "o3-mini-nothinking",
    "us.anthropic.claude-opus-4-1-20250805-v1:0",
    "azure/gpt-4.1-fast",
    "grok-4:-1",
    "x:auto",
    "__proto__:high",
  ],
];

/** A model name is split without an error and starts with its base. */
function openModelNames() {
  const catalog = loadCatalog();
  const known = { isWhole: (name: string) => knowsModel(catalog, name), isBase: (name: string) => name.length > 2 };
  return openTarget<string>({
    make: (random) => {
      const name = random.pick(NAMES);
      return random.chance(5)
        ? name + random.pick(["-thinking", "(", "[1m]", "-fast", ":", " "]).repeat(random.below(3_000))
        : mutatedText(name, random);
    },
    check: (name) => {
      const { base, suffix } = parseModelName(name, known);
      claim(name.startsWith(base), `the name starts with its base ${base}`);
      claim(suffix === undefined || name.includes(suffix.text), `the name contains its suffix ${suffix?.text}`);
      parseReasoning(name);
      const { model } = findModel(catalog, name);
      claim(model.window > 0, "every model has a window");
    },
  });
}

const LINE_WRITERS = [
  writers.writeClaudeCode,
  writers.writePi,
  writers.writePiTree,
  vendors.writeCodex,
  vendors.writeBareCodex,
  vendors.writeGeminiCli,
];
const LIST_WRITERS = [
  writers.writeRoo,
  writers.writeOpenaiChat,
  writers.writeAnthropic,
  vendors.writeOpenaiResponses,
  vendors.writeGemini,
];
const READERS = logs.READERS.map(
  ({ format }) =>
    (text: string) =>
      logs.readLogAs(format, text),
);

/** For every reader, any text gives a valid reading or `log.unreadable`, and a reading can be written again. */
function openLogs(seed: number) {
  const scripts: Script[] = fc.sample(anyScript(), { seed, numRuns: 12 });
  const corpora = [...LINE_WRITERS, ...LIST_WRITERS].map((write, at) => ({
    isLines: at < LINE_WRITERS.length,
    corpus: makeCorpus(scripts.map((script): JsonValue => write(script))),
  }));
  return openTarget<{ text: string; reader: number }>({
    make: (random) => {
      const { isLines, corpus } = random.pick(corpora);
      const value = mutatedValue(random, corpus);
      const text =
        isLines && Array.isArray(value) ? value.map((line) => JSON.stringify(line)).join("\n") : JSON.stringify(value);
      return { text: random.chance(25) ? mutatedText(text, random) : text, reader: random.below(READERS.length) };
    },
    check: ({ text, reader }) => {
      const opened = allowing(/^log\.unreadable$/, () => logs.openLog(text));
      if (opened !== undefined) {
        claimSound(opened.reading);
        opened.write(opened.reading.conversation);
      }
      const reading = allowing(/^log\.unreadable$/, () => READERS[reader]!(text));
      if (reading !== undefined) claimSound(reading);
    },
  });
}

function claimSound({ conversation: { messages }, calls }: logs.LogReading): void {
  for (const { prompt, reply } of calls) {
    claim(prompt.from <= prompt.to && prompt.to <= messages.length, "a prompt is a range of the messages");
    claim(reply === undefined || messages[reply]?.role === "assistant", "a reply is the assistant's");
  }
}

const CONFIG: JsonObject = {
  version: 2,
  server: { port: 4100, host: "127.0.0.1", adminToken: "${ADMIN:-none}" },
  upstreams: {
    main: { kind: "anthropic", apiKey: "${KEY}", baseUrl: "https://localhost/v1", headers: { "x-a": "b" } },
    other: { kind: "openai", apiKey: "k" },
  },
  routes: [
    { match: "claude-*", upstream: ["main", "other"], model: "m" },
    { match: "*", upstream: "other" },
  ],
  profiles: { "my.profile": { upstream: "main", model: "m", context: { threshold: 70, strategy: "smart" } } },
  context: { strategy: "middle-out", threshold: 80, strategies: { "sliding-window": { keepTurns: 3 } }, mode: "auto" },
  models: { "gpt-4.1": { contextWindow: 1000, prices: { input: 1 } } },
  store: { url: "postgres://u:p@localhost/db" },
};
const OLD_CONFIG: JsonObject = {
  context: { strategy: "sandwich", config: { keep: 3 } },
  profiles: { p: { context: { config: {} } } },
  routes: [{ match: "*", profile: "p" }],
};
const PATHS = [
  "context.strategy",
  'models."gpt-4.1".contextWindow',
  "server.port",
  "profiles.p.context.threshold",
  "x",
  "__proto__.a",
];

/** A configuration is accepted or rejected as invalid. Invalid stored values are dropped. */
function openConfigs() {
  const corpus = makeCorpus([CONFIG, OLD_CONFIG]);
  return openTarget<{ file: JsonValue; path: string; value: JsonValue }>({
    make: (random) => ({
      file: mutatedValue(random, corpus),
      path: random.chance(60) ? random.pick(PATHS) : mutatedText(random.pick(PATHS), random),
      value: random.chance(50) ? random.pick(corpus.pieces) : mutatedValue(random, corpus),
    }),
    check: ({ file, path, value }) => {
      const environment = { KEY: "k", LONGHAUL_THRESHOLD: typeof value === "string" ? value : "80" };
      allowing(/^settings\.invalid$/, () => settings.parseConfig(file, environment));
      const stored = Object.fromEntries([[path, value]]);
      allowing(/^settings\.invalid$/, () => settings.layerSettings({ file: OLD_CONFIG, environment, stored }));
      allowing(/^settings\.invalid$/, () => settings.parsePath(path));
      settings.checkStorable(path);
    },
  });
}

/** Imported files are read or rejected as invalid. */
function openSettingsFiles() {
  const config = settings.parseConfig(null, {});
  const corpus = makeCorpus([
    { longhaul: "settings", version: 2, settings: { context: { threshold: 70 } }, secrets: ["upstreams.main.apiKey"] },
    { longhaul: "preset", version: 1, name: "n", description: "", strategy: "smart", config: { passes: [] } },
    { name: "n", description: "d", config: { passes: [{ id: "p", selection: { type: "all" }, operations: {} }] } },
    {
      globalSettings: {
        autoCondenseContext: true,
        autoCondenseContextPercent: 70,
        profileThresholds: { a: 50 },
        condensingApiConfigId: "a",
      },
      providerProfiles: { apiConfigs: { default: { id: "a" } } },
    },
  ]);
  const reads = [
    (text: string) => settings.readSettings(text, config),
    (text: string) => settings.readPreset(text),
    (text: string) => settings.importRoo(text, config),
  ];
  return openTarget<{ text: string; kind: number }>({
    make: (random) => {
      const text = JSON.stringify(mutatedValue(random, corpus));
      return { text: random.chance(20) ? mutatedText(text, random) : text, kind: random.below(reads.length) };
    },
    check: ({ text, kind }) => {
      allowing(/^settings\.invalid$/, () => reads[kind]!(text));
    },
  });
}

const HEADERS: JsonObject = {
  "x-longhaul-mode": "auto",
  "x-longhaul-strategy": "smart",
  "x-longhaul-threshold": "70",
  "x-longhaul-auto": "true",
  "x-longhaul-references": "on",
  "x-longhaul-wait-seconds": "5",
  "x-disable-compression": "1",
};

/** Request headers are valid settings or malformed. */
function openHeaders() {
  return openTarget<{ [name: string]: string }>({
    make: (random) => {
      const entries = Object.entries(HEADERS).filter(() => random.chance(40));
      return Object.fromEntries(
        entries.map(([name, value]) => {
          const odd = random.pick(["__proto__", "constructor", "tostring", "1e999", "-1", "NaN", "0x10", ""]);
          return [name, random.chance(40) ? odd : mutatedText(`${value}`, random)];
        }),
      );
    },
    check: (headers) => {
      allowing(/^request\.malformed$/, () => settings.requestContext(headers));
    },
  });
}

const TARGETS = [
  ...[
    "/v1/files/file-1/content",
    "/v1/messages/batches/b/cancel",
    "/v1beta/models/gemini-3-pro:embedContent",
    "/v1/models/a/b",
  ],
  ...[
    "/v1/responses/r/input_items?limit=2",
    "/v1/chat/completions",
    "/v1/vector_stores/v/files/f",
    "/v1/files?purpose=a",
  ],
];
const PATH_PIECES = [
  ...[
    "..",
    ".",
    "%2e%2e",
    ".%2e",
    "%2E.",
    "%2f",
    "%5c",
    "\\",
    "//",
    "/",
    "%00",
    "%252e%252e",
    "%",
    "%zz",
    "%c0%ae",
    ";",
    "?",
  ],
  ...[
    "#",
    "@",
    ":",
    "%3f",
    "%23",
    "\ud800",
    "é",
    "%e9",
    "%ed%a0%80",
    "\t",
    "%0d%0a",
    "\u2024",
    "\uff0e\uff0e",
    "__proto__",
    ":embedContent",
  ],
];

/** A passed path has the segments of its template, and a URL parser does not change it. */
function openPaths() {
  return openTarget<{ method: string; target: string; version: boolean }>({
    make: (random) => {
      const parts = random.pick(TARGETS).split("/");
      for (let left = random.below(4); left > 0; left--) {
        const at = 1 + random.below(parts.length);
        const piece = random.pick(PATH_PIECES);
        parts[at] = random.pick([piece, `${parts[at] ?? ""}${piece}`, `${piece}${parts[at] ?? ""}`]);
      }
      const target = random.chance(80) ? parts.join("/") : mutatedText(parts.join("/"), random);
      return { method: random.pick(["GET", "POST", "DELETE", "PUT"]), target, version: random.chance(30) };
    },
    check: ({ method, target, version }) => {
      const refused = /^(?:request\.malformed|auth\.denied)$/;
      const location = allowing(refused, () => checkHead({ target, hosts: ["localhost"] }, []));
      if (location === undefined) return;
      const endpoint = findEndpoint(method, location.path, version ? { "anthropic-version": "2023-06-01" } : {});
      if (endpoint?.passed === undefined) return;
      const { passed, model = "m" } = endpoint;
      const path = allowing(refused, () => fillTemplate(passed, model));
      if (path === undefined) return;
      const { pathname } = new URL(`http://localhost/v1${path}`);
      claim(pathname === `/v1${path}`, `a URL parser does not change the path to ${pathname}`);
      claim(path.split("/").length === passed.template.split("/").length, "a path has its template's segments");
    },
  });
}

/** Text has at most as many tokens as bytes. */
async function openTokens(seed: number) {
  const counters = [await loadTextCounter("o200k"), await loadTextCounter("cl100k")];
  const texts = [
    ...Object.values(SAMPLE_TEXTS),
    ...fc.sample(fc.string({ unit: "binary", maxLength: 200 }), { seed, numRuns: 30 }),
  ];
  return openTarget<{ text: string; encoding: number }>({
    make: (random) => {
      const text = random.pick(texts);
      const from = random.below(text.length + 1);
      return {
        text: mutatedText(text.slice(from, from + random.below(400)), random),
        encoding: random.below(counters.length),
      };
    },
    check: ({ text, encoding }) => {
      const tokens = counters[encoding]!(text);
      claim(
        Number.isInteger(tokens) && tokens >= 0 && tokens <= Buffer.byteLength(text),
        `${tokens} is a number of tokens`,
      );
    },
  });
}

const IMAGES = [
  "89504e470d0a1a0a0000000d4948445200000010000000200806000000",
  "ffd8ffe000104a46494600010100000100010000ffe2000c4943435f50524f46494c45ffc00011080010002003012200021101031101",
  "47494638396110002000f00000000000ffffff21f90401000000002c",
  "524946463c00000057454250565038580a000000100000000f00001f0000414c5048",
  "524946463c000000574542505650384c0a0000002f0f40070010fd8ffe0722a2ff01",
].map((hex) => Buffer.from(hex.padEnd(160, "0"), "hex"));

/** An image's size is two positive numbers or unknown. */
function openImages() {
  return openTarget<{ bytes: Uint8Array; tail: string }>({
    make: (random) => ({
      bytes: mutatedBytes(random.pick(IMAGES), random),
      tail: random.pick(["", "=", "!!!", "\n", "__proto__"]),
    }),
    check: ({ bytes, tail }) => {
      const size = imageSize(Buffer.from(bytes).toString("base64") + tail);
      claim(
        size === undefined || (size.width > 0 && size.height > 0),
        `a size is positive, not ${JSON.stringify(size)}`,
      );
    },
  });
}

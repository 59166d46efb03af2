import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import {
  addReferences,
  expandConversation,
  flatten,
  losslessPasses,
  losslessSchema,
  openDraft,
  openReferenceIndex,
  parseConfig,
  runPasses,
} from "@longhaul/condense/advanced";
import type { Conversation, Message } from "@longhaul/conversation";
import { readLog } from "@longhaul/logs";
import { makeTokenCounters, type TokenCounter } from "@longhaul/models";
import { pick, type Random, seededRandom } from "./tokens/random.ts";
import { percent, printTable, quantile, timeMs } from "./tokens/table.ts";

/** The result of lossless condensing. */
export interface LosslessFigures {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly references: number;
  /** Median CPU time, including counting and checks. */
  readonly milliseconds: number;
  /** Whether the original messages can be restored exactly from the condensed ones and the record. */
  readonly isExact: boolean;
}

const UNLIMITED = { windowTokens: 1e9, budgetTokens: 1e9, targetTokens: 1e9 };
const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32);

/** Runs a lossless configuration several times and returns its figures. */
export function measureLossless(conversation: Conversation, counter: TokenCounter, config: object): LosslessFigures {
  const passes = losslessPasses(parseConfig({ id: "lossless", schema: losslessSchema }, config));
  const run = () => {
    const step = runPasses(
      openDraft(conversation),
      { passes, stopsAtTarget: false },
      { limits: UNLIMITED, counter, hash },
    ).next();
    if (step.done !== true) throw new Error("lossless condensing must not ask for summaries");
    return step.value.draft;
  };
  const draft = run();
  const times = Array.from({ length: 5 }, () => timeMs(run));
  const projection = flatten(draft, hash);
  return {
    tokensBefore: counter.countConversation(conversation),
    tokensAfter: counter.countConversation(draft.conversation),
    references: JSON.stringify(projection).split('"reference":').length - 1,
    milliseconds: quantile(times),
    isExact: isSame(expandConversation(draft.conversation, projection, hash).messages, conversation.messages),
  };
}

/** `native` is dropped from changed blocks, so it is ignored here. */
function isSame(a: readonly (Message | undefined)[], b: readonly Message[]): boolean {
  const serialize = (messages: unknown) =>
    JSON.stringify(messages, (key, value) => (key === "native" ? undefined : value));
  return serialize(a) === serialize(b);
}

/** A coding session of about this many tokens that rereads the same few files while editing them. */
export function makeRereadingSession(tokens: number, random: Random): Conversation {
  const messages: Message[] = [{ role: "user", blocks: [{ type: "text", text: "Tidy up the project." }] }];
  const files: string[][] = [];
  for (let characters = 0, step = 0; characters < tokens * CHARACTERS_PER_TOKEN; step++) {
    if (files.length < 3 || random() < 0.3)
      files.push(Array.from({ length: 100 + 300 * random() }, () => makeLine(random)));
    const file = pick(files, random);
    for (let edits = 0; edits < 3; edits++) file[Math.floor(random() * file.length)] = makeLine(random);
    const from = Math.floor((random() * file.length) / 2);
    const shown = file.slice(from, from + 150).map((line, index) => `${String(from + index + 1).padStart(6)}→${line}`);
    const text = [...shown, ...Array.from({ length: 60 }, () => makeLine(random))].join("\n");
    const input = { file_path: `/src/file-${files.indexOf(file)}.ts`, offset: from + 1 };
    messages.push(
      { role: "assistant", blocks: [{ type: "tool-call", id: `c${step}`, name: "Read", input }] },
      {
        role: "user",
        blocks: [{ type: "tool-result", callId: `c${step}`, content: [{ type: "text", text }], isError: false }],
      },
    );
    characters += text.length;
  }
  return { system: [], tools: [], messages };
}

const CHARACTERS_PER_TOKEN = 3.6;
const WORDS = [
  "const",
  "value",
  "return",
  "await",
  "export",
  "this",
  "result",
  "map",
  "filter",
  "index",
  "block",
  "error",
];

function makeLine(random: Random): string {
  const words = Array.from({ length: 3 + 7 * random() }, () => `${pick(WORDS, random)}${Math.floor(1000 * random())}`);
  return `${"  ".repeat(3 * random())}${words.join(pick([" ", ".", ", "], random))};`;
}

const SESSIONS = new URL("../../shared/data/sessions/", import.meta.url);

function printSessions(counter: TokenCounter): void {
  if (!existsSync(SESSIONS)) return;
  const names = ["claude-code", "pi", "roo"].flatMap((folder) =>
    readdirSync(new URL(folder, SESSIONS)).map((file) => `${folder}/${file}`),
  );
  const shares: number[][] = [];
  const rows = names.map((name) => {
    const { conversation } = readLog(readFileSync(new URL(name, SESSIONS), "utf8"));
    const figures = CONFIGS.map((config) => measureLossless(conversation, counter, config));
    shares.push(figures.map(savedShare));
    const [first] = figures;
    return [
      name,
      String(first?.tokensBefore),
      ...figures.map((entry) => percent(savedShare(entry))),
      String(first?.references),
      `${first?.milliseconds.toFixed(0)} ms`,
      figures.slice(0, 2).every((entry) => entry.isExact) ? "yes" : "NO",
    ];
  });
  const means = CONFIGS.map((_, column) => percent(shares.reduce((sum, row) => sum + row[column]!, 0) / shares.length));
  const headings = ["session", "tokens", "results", "all", "obsolete too", "references", "time", "exact"];
  printTable("Lossless condensing of real sessions", headings, [...rows, ["mean", "", ...means, "", "", ""]]);
}

const CONFIGS = [
  { references: "results" },
  { references: "all" },
  { references: "results", removeObsoleteState: true },
];

function savedShare({ tokensBefore, tokensAfter }: LosslessFigures): number {
  return 1 - tokensAfter / tokensBefore;
}

function printGrowth(counter: TokenCounter): void {
  const rows = [10_000, 50_000, 100_000, 200_000, 400_000, 1_000_000].map((tokens) => {
    const figures = measureLossless(makeRereadingSession(tokens, seededRandom(tokens)), counter, {});
    return [
      String(tokens),
      String(figures.tokensBefore),
      percent(savedShare(figures)),
      `${figures.milliseconds.toFixed(1)} ms`,
      `${((1e6 * figures.milliseconds) / figures.tokensBefore).toFixed(0)} ns`,
      figures.isExact ? "yes" : "NO",
    ];
  });
  printTable("Growth on generated sessions", ["size", "tokens", "saved", "time", "per token", "exact"], rows);
}

/** Measures the cost of references for one more turn, with all earlier messages known and with none. */
function printTurns(counter: TokenCounter): void {
  const rows = [50_000, 200_000, 800_000].map((tokens) => {
    const session = makeRereadingSession(tokens, seededRandom(tokens));
    const { length } = session.messages;
    const options = { references: "results", consolidates: true, counter, hash, from: length - 2 } as const;
    const draft = openDraft(session);
    const words = openDraft({ ...session, messages: [...session.messages.slice(0, -2), ...WORDS_OF_A_USER] });
    const index = openReferenceIndex();
    const times = [
      timeTurn(() => addReferences(draft, { ...options, index })),
      timeTurn(() => addReferences(words, { ...options, index })),
      timeTurn(() => addReferences(draft, options), 10),
    ];
    return [String(tokens), String(length), ...times.map((milliseconds) => `${milliseconds.toFixed(3)} ms`)];
  });
  const headings = ["size", "messages", "a read of 210 lines", "a few words", "nothing known"];
  printTable("References in one more turn", headings, rows);
}

const WORDS_OF_A_USER: readonly Message[] = [{ role: "user", blocks: [{ type: "text", text: "Go on." }] }];

/** Milliseconds per run, averaged over many. */
function timeTurn(run: () => void, count = 500): number {
  run();
  const repeat = () => {
    for (let time = 0; time < count; time++) run();
  };
  return quantile(Array.from({ length: 5 }, () => timeMs(repeat))) / count;
}

if (import.meta.main) {
  const counter = await makeTokenCounters().counterFor("o200k");
  printSessions(counter);
  printGrowth(counter);
  printTurns(counter);
}

import { type Conversation, type Message, pureHash } from "@longhaul/conversation/advanced";
import {
  makeAssistant,
  makeConversation,
  makeText,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import fc from "fast-check";
import type { Draft, KeptSlot } from "../edits/draft.ts";
import { isInside, type Path, type TextPosition, textAt, textsIn } from "../edits/text-position.ts";
import { expandConversation } from "../rewrite/expand-conversation.ts";
import { flatten } from "../rewrite/projection.ts";

/**
 * A coding session whose tools show the same few files repeatedly: whole and in part, with and without line numbers in various formats,
 * with carriage returns, in results, JSON, arguments, errors, several results in one message, the user's own text, XML tools and commands in text.
 */
export function anySession(maxSteps = 12): fc.Arbitrary<Conversation> {
  return fc
    .tuple(anyFile(), anyFile(), fc.array(anyStep(), { minLength: 2, maxLength: maxSteps }))
    .map(([a, b, steps]) =>
      makeConversation([
        makeUser("Tidy up the two files."),
        ...steps.flatMap((step, index) => layOut(step, { files: [a, b], serial: index })),
      ]),
    );
}

const CODE = [
  "export function tidy(files: readonly string[]): readonly string[] {",
  "  const tidied = files.map((file) => file.trim());",
  "  return tidied.filter((file) => file !== '');",
  "}",
  "",
  "/** Whether a file is tidy: no blanks at its ends, and a line break behind its last line. */",
  "\texport const isTidy = (file: string): boolean => file.trim() === file;",
  "    12: a line of the file that looks as if it were numbered, which it is not",
  "12→and another one, with an arrow, for anyone who believes that arrows mean numbers",
  "多言語の行もここにあり、トークンの数え方が変わることを確かめるためのものです。",
  "[same as a marker that a person wrote into a file lines 1-9 above]",
  "  // eslint-disable-next-line no-console -- the only place that writes to the console",
];

function anyFile(): fc.Arbitrary<readonly string[]> {
  const line = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...CODE) },
    {
      weight: 1,
      arbitrary: fc.nat(99).map((serial) => `  const value${serial} = compute(${serial}, "a distinct line");`),
    },
  );
  return fc.array(line, { minLength: 3, maxLength: 30 });
}

interface Step {
  readonly kind: "read" | "write" | "command" | "json" | "failure" | "paste" | "xml" | "prompt" | "parallel" | "reply";
  readonly file: 0 | 1;
  readonly from: number;
  readonly lines: number;
  readonly style: Style;
  readonly first: number;
  readonly note: string;
}

type Style = (typeof STYLES)[number];
const STYLES = [
  "bare",
  "arrow",
  "padded",
  "bar",
  "tab",
  "colon",
  "spaced-colon",
  "carriage-return",
  "bar-return",
] as const;

function anyStep(): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.constantFrom(
      "read" as const,
      "read" as const,
      "write" as const,
      "command" as const,
      "json" as const,
      "failure" as const,
      "paste" as const,
      "xml" as const,
      "prompt" as const,
      "parallel" as const,
      "reply" as const,
    ),
    file: fc.constantFrom(0 as const, 1 as const),
    from: fc.constantFrom(0, 0, 2, 5),
    lines: fc.constantFrom(3, 8, 99),
    style: fc.constantFrom(...STYLES),
    first: fc.constantFrom(1, 1, 8, 96),
    note: fc.constantFrom("", "\n", "Done in 12 ms.\n", "\nTwo warnings were found in the files above.\n"),
  });
}

function layOut(step: Step, { files, serial }: { files: readonly (readonly string[])[]; serial: number }): Message[] {
  const lines = (files[step.file] ?? []).slice(step.from, step.from + step.lines);
  const shown = `${step.note}${lines.map((line, index) => formatLine(line, step, index)).join("\n")}`;
  const path = `/home/dev/project/src/file-${step.file}.ts`;
  const call = (name: string, input: Record<string, string>, id = `call_${serial}`) =>
    makeToolCall(id, { name, input });
  switch (step.kind) {
    case "read":
      return answered(call("read_file", { path }), makeToolResult(`call_${serial}`, shown));
    case "write":
      return answered(
        call("write_file", { path, content: lines.join("\n") }),
        makeToolResult(`call_${serial}`, "Written."),
      );
    case "command":
      return answered(
        call("bash", { command: "cat files" }),
        makeToolResult(`call_${serial}`, `${shown}\n${step.note}`),
      );
    case "json":
      return answered(
        call("shell", { command: "cat files" }),
        makeToolResult(`call_${serial}`, JSON.stringify({ output: shown, metadata: { exit_code: 0 } })),
      );
    case "failure":
      return answered(call("bash", { command: "lint" }), makeToolResult(`call_${serial}`, shown, { isError: true }));
    case "paste":
      return [makeUser(`Look at this:\n${shown}`)];
    case "reply":
      return [makeAssistant(`Here it is:\n${shown}\nThat is all.`)];
    case "xml":
      return [
        makeAssistant(`I read it.\n\n<read_file>\n<path>${path}</path>\n</read_file>`),
        makeUser([
          `[read_file for '${path}'] Result:`,
          `<file><path>${path}</path><content lines="1-${lines.length}">\n${shown}\n</content></file>`,
          `<environment_details>\n${shown}\n</environment_details>`,
        ]),
      ];
    case "prompt":
      return [
        makeAssistant("I show it.\n```\ncat files\n```"),
        makeUser(`${shown}\n(Current directory: /app)\nbash-$`),
      ];
    case "parallel":
      return [
        makeAssistant([call("read_file", { path }, `a${serial}`), call("bash", { command: "ls" }, `b${serial}`)]),
        makeUser([
          makeToolResult(`a${serial}`, [makeText(shown), makeText(lines.join("\n"))]),
          makeToolResult(`b${serial}`, shown),
        ]),
      ];
    default:
      return step.kind satisfies never;
  }
}

function answered(call: ReturnType<typeof makeToolCall>, result: ReturnType<typeof makeToolResult>): Message[] {
  return [makeAssistant(call), makeUser(result)];
}

function formatLine(line: string, { style, first }: Step, index: number): string {
  const number = String(first + index);
  switch (style) {
    case "bare":
      return line;
    case "arrow":
      return `${number.padStart(6)}→${line}`;
    case "padded":
      return `${number.padStart(3)} | ${line}`;
    case "bar":
      return `${number} | ${line}`;
    case "tab":
      return `${number.padStart(6)}\t${line}`;
    case "colon":
      return `${number}:${line}`;
    case "spaced-colon":
      return `${number}: ${line}`;
    case "carriage-return":
      return `${line}\r`;
    case "bar-return":
      return `${number} | ${line}\r`;
    default:
      return style satisfies never;
  }
}

/**
 * Returns raw texts that cannot be restored exactly from the sent conversation and the record, although every piece of them is either sent
 * or a reference.
 */
export function inexactTexts(draft: Draft): TextPosition[] {
  const projection = JSON.parse(JSON.stringify(flatten(draft, pureHash)));
  const { messages } = expandConversation(draft.conversation, projection, pureHash);
  const kept = draft.slots.filter((slot) => slot.kind === "kept");
  return kept.flatMap((slot) =>
    [...slot.sources.entries()].flatMap(([position, block]) => {
      const raw = draft.raw.messages[slot.index]?.blocks[block];
      const restored = messages[slot.index]?.blocks[position];
      return (raw === undefined ? [] : textsIn(raw))
        .filter(({ path, text }) => restored === undefined || textAt(restored, path) !== text)
        .filter(({ path, text }) => isComplete(slot, { block, path }, text.length))
        .map(({ path }) => ({ message: slot.index, block, path }));
    }),
  );
}

/** Whether the pieces of a text, with references resolved, are all of the raw text in order. */
function isComplete({ changes }: KeptSlot, { block, path }: { block: number; path: Path }, length: number): boolean {
  const here = changes.filter((change) => change.block === block && isInside(path, change.path));
  if (here.some((change) => change.kind !== "text")) return false;
  const pieces = here.flatMap((change) => (change.kind === "text" ? change.pieces : []));
  let at = here.length === 0 ? length : 0;
  for (const piece of pieces) {
    const { from, to } = "made" in piece ? (piece.reference?.standsFor ?? { from: -1, to: -1 }) : piece;
    if (from !== at) return false;
    at = to;
  }
  return at === length;
}

/** The lines that a patch or a diff adds and removes. */
interface DiffText {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Begins a file of an `apply_patch` patch or a part of a unified diff. */
const SIGNED = /^(?:\*\*\* (?:Add|Update|Delete) File: |@@ -\d)/m;
/** Begins the lines to find and those to put in their place, as `apply_diff` tools read them. */
const BLOCK = /^<{5,9} SEARCH\b/m;

/** Reads a text with both sides of an edit: signed lines, or blocks of lines to find and to replace. Undefined for any other text. */
export function readDiff(text: string): DiffText | undefined {
  if (BLOCK.test(text)) return readBlocks(text);
  return SIGNED.test(text) ? readSigned(text) : undefined;
}

/** Whether the lines of a text that it adds and removes begin with a sign. */
export function isSigned(text: string): boolean {
  return SIGNED.test(text) && !BLOCK.test(text);
}

/** Begins a line of a diff that adds or removes it. */
const SIGN = /^(?:\+(?!\+\+ )|-(?!-- ))/;

/** Returns a line of a diff without its sign. */
export function withoutSign(line: string): string {
  return SIGN.test(line) ? line.slice(1) : line;
}

function readSigned(text: string): DiffText {
  const changes = text.split("\n").filter((line) => SIGN.test(line));
  const linesWith = (sign: string) => changes.filter((line) => line.startsWith(sign)).map(withoutSign);
  return { added: linesWith("+"), removed: linesWith("-") };
}

type Side = "added" | "removed" | "none";

/** Lines that begin and end the two sides of a block. The line number of the block follows its first one. */
const SIDES: readonly { readonly side: Side; readonly line: RegExp }[] = [
  { side: "removed", line: /^<{5,9} SEARCH\b/ },
  { side: "added", line: /^={5,9}\s*$/ },
  { side: "none", line: /^>{5,9} REPLACE\b/ },
];
const BLOCK_HEADER = /^(?::\w+:\s*\d+|-{5,9})\s*$/;

function readBlocks(text: string): DiffText {
  const lines: Record<Side, string[]> = { added: [], removed: [], none: [] };
  let side: Side = "none";
  let isHeader = false;
  for (const line of text.split("\n")) {
    const next = SIDES.find((entry) => entry.line.test(line));
    isHeader = next?.side === "removed" || (isHeader && BLOCK_HEADER.test(line));
    if (next !== undefined) side = next.side;
    else if (!isHeader) lines[side].push(line);
  }
  return lines;
}

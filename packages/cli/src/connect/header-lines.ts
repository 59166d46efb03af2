// Texts with one `name: value` header per line, such as ANTHROPIC_CUSTOM_HEADERS.

/** Adds a header to a text. It replaces those with the same name. */
export function withHeader(text: string, line: string): string {
  const same = linesOf(text).filter((each) => nameOf(each) === nameOf(line));
  if (same.length === 1 && same[0] === line) return text;
  return [...linesOf(text).filter((each) => nameOf(each) !== nameOf(line)), line].join("\n");
}

/** Returns the value of a header in a text. */
export function headerIn(text: string, name: string): string | undefined {
  const line = linesOf(text).find((each) => nameOf(each) === nameOf(name));
  return line?.slice(line.indexOf(":") + 1).trim();
}

/** Returns the line of a text that has a property. */
export function findLine(text: unknown, has: (line: string) => boolean): string | undefined {
  return typeof text === "string" ? linesOf(text).find(has) : undefined;
}

/** Replaces a header by those with its name in the original text. Returns `undefined` if no header is left. */
export function withoutHeader(text: string, line: string, original: unknown): string | undefined {
  const before = typeof original === "string" ? linesOf(original) : [];
  const own = before.filter((each) => nameOf(each) === nameOf(line));
  const rest = linesOf(text).flatMap((each) => (each === line ? own : [each]));
  return rest.length === 0 ? undefined : rest.join("\n");
}

/** Returns a text without any line of this line's name. */
export function dropHeader(text: string, line: string): string {
  return linesOf(text)
    .filter((each) => nameOf(each) !== nameOf(line))
    .join("\n");
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}

/** Names of headers are case-insensitive. */
function nameOf(line: string): string {
  return (line.split(":")[0] ?? "").trim().toLowerCase();
}

import { validate } from "dockerfile-utils";

/** One instruction of a Dockerfile, with its lines joined. */
export interface Instruction {
  readonly word: string;
  readonly rest: string;
}

/** The instructions of a Dockerfile, without comments. */
export function instructionsOf(text: string): Instruction[] {
  const lines = text.split("\n").filter((line) => !/^\s*#/.test(line));
  const joined = lines.join("\n").replaceAll(/\s*\\\n\s*/g, " ");
  return joined
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => ({ word: (line.split(/\s/)[0] ?? "").toUpperCase(), rest: line.replace(/^\S+\s*/, "") }));
}

/** What is wrong with a Dockerfile: what the language's own checker says, and what should not be in an image that others rely on. */
export function dockerfileFaults(text: string): string[] {
  const instructions = instructionsOf(text);
  const last = instructions.slice(instructions.findLastIndex(({ word }) => word === "FROM"));
  const find = (word: string) => last.findLast((instruction) => instruction.word === word)?.rest;
  return [
    ...validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`),
    ...instructions.flatMap(instructionFaults),
    ...(/^[1-9]\d*(:[1-9]\d*)?$/.test(find("USER") ?? "")
      ? []
      : ["the image does not end with a user by number, not root"]),
    ...(find("HEALTHCHECK") === undefined ? ["nobody checks its health"] : []),
    ...["ENTRYPOINT", "CMD"].flatMap((word) => (isExecForm(find(word)) ? [] : [`${word} is no list of words`])),
    ...(instructions.filter(({ word }) => word === "FROM").length < 2 ? ["what builds it is left in the image"] : []),
  ];
}

function instructionFaults({ word, rest }: Instruction): string[] {
  if (word === "FROM") return /^[\w./-]+:[\w.-]*\d[\w.-]*( AS \w+)?$/.test(rest) ? [] : [`${rest} names no version`];
  if (word === "ADD") return ["ADD fetches and unpacks; COPY does not"];
  if (word === "WORKDIR" && !rest.startsWith("/")) return [`WORKDIR ${rest} depends on another`];
  const isSecret = (word === "ENV" || word === "ARG") && /(KEY|TOKEN|SECRET|PASSWORD)\b/.test(rest);
  if (isSecret) return [`${word} ${rest} would be in the image for all to read`];
  return word === "RUN" && /\b(sudo|curl|wget)\b|npm (install|ci)(?!.*--ignore-scripts)/.test(rest)
    ? [`RUN ${rest} runs what was fetched`]
    : [];
}

function isExecForm(rest: string | undefined): boolean {
  try {
    const words: unknown = JSON.parse(rest ?? "");
    return Array.isArray(words) && words.every((word) => typeof word === "string");
  } catch {
    return false;
  }
}

import { validate } from "dockerfile-utils";

/** One instruction of a Dockerfile, with its lines joined. */
export interface Instruction {
  readonly word: string;
  readonly rest: string;
}

export function instructionsOf(text: string): Instruction[] {
  const lines = text.split("\n").filter((line) => !/^\s*#/.test(line));
  const joined = lines.join("\n").replaceAll(/\s*\\\n\s*/g, " ");
  return joined
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => ({ word: (line.split(/\s/)[0] ?? "").toUpperCase(), rest: line.replace(/^\S+\s*/, "") }));
}

/** Returns the faults of a Dockerfile: those of the language's own checker, and unsafe or wasteful instructions. */
export function dockerfileFaults(text: string): string[] {
  const instructions = instructionsOf(text);
  const last = instructions.slice(instructions.findLastIndex(({ word }) => word === "FROM"));
  const find = (word: string) => last.findLast((instruction) => instruction.word === word)?.rest;
  return [
    ...validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`),
    ...instructions.flatMap(instructionFaults),
    ...(/^[1-9]\d*(:[1-9]\d*)?$/.test(find("USER") ?? "")
      ? []
      : ["the image does not end with a numeric user that is not root"]),
    ...(find("HEALTHCHECK") === undefined ? ["there is no health check"] : []),
    ...["ENTRYPOINT", "CMD"].flatMap((word) => (isExecForm(find(word)) ? [] : [`${word} is not a list`])),
    ...(instructions.filter(({ word }) => word === "FROM").length < 2 ? ["the build tools stay in the image"] : []),
  ];
}

function instructionFaults({ word, rest }: Instruction): string[] {
  if (word === "FROM") return /^[\w./-]+:[\w.-]*\d[\w.-]*( AS \w+)?$/.test(rest) ? [] : [`${rest} has no version`];
  if (word === "ADD") return ["ADD downloads and extracts; use COPY"];
  if (word === "WORKDIR" && !rest.startsWith("/")) return [`WORKDIR ${rest} depends on earlier ones`];
  const isSecret = (word === "ENV" || word === "ARG") && /(KEY|TOKEN|SECRET|PASSWORD)\b/.test(rest);
  if (isSecret) return [`${word} ${rest} would be in the image, readable by everyone`];
  return word === "RUN" && /\b(sudo|curl|wget)\b|npm (install|ci)(?!.*--ignore-scripts)/.test(rest)
    ? [`RUN ${rest} runs downloaded code`]
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

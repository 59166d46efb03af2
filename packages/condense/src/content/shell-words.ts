/** A command without its redirections, in the folder that an earlier `cd` to an absolute path changed to. */
interface SimpleCommand {
  readonly words: readonly string[];
  /** Where the command ends in the text. */
  readonly end: number;
  readonly folder: string;
}

const TOKEN =
  /(?<redirection>(?:\d|&)?>{1,2}(?:&\d|[ \t]{0,9}[^\s;&|<>]{1,300})?|<{1,3}-?[ \t]{0,9}[^\s;&|<>]{0,300})|(?<separator>[\n;&|()])|(?<word>(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s;&|<>()'"\\]+)+)/g;

const HERE_DOCUMENT = /<<-?[ \t]?['"]?(\w{1,40})['"]?/;

/** Blanks the bodies of here documents. */
function withoutBodies(text: string): string {
  let closing: string | undefined;
  const lines = text.split("\n").map((line) => {
    if (closing === undefined) {
      closing = HERE_DOCUMENT.exec(line)?.[1];
      return line;
    }
    if (line.trim() === closing) closing = undefined;
    return " ".repeat(line.length);
  });
  return lines.join("\n");
}

/** Splits a shell command into its simple commands. Words keep their quotes if they are not plain. */
export function simpleCommands(text: string): SimpleCommand[] {
  const command = withoutBodies(text);
  const commands: SimpleCommand[] = [];
  let folder = "";
  let words: string[] = [];
  const finish = (end: number): void => {
    if (words[0] === "cd") folder = absoluteOnly(pathIn(folder, words[1] ?? "~"));
    if (words.length > 0) commands.push({ words, end, folder });
    words = [];
  };
  for (const { groups = {}, index } of command.matchAll(TOKEN)) {
    if (groups.separator !== undefined) finish(index);
    else if (groups.word !== undefined) words.push(groups.word.replace(/^(['"])([^'"\\]*)\1$/, "$2"));
  }
  finish(command.length);
  return commands;
}

function absoluteOnly(path: string): string {
  return /^[/~]/.test(path) ? path : "";
}

/** Resolves a path against a folder. Without an absolute folder, it stays as written. */
export function pathIn(folder: string, path: string): string {
  const isAbsolute = absoluteOnly(path) !== "";
  if (!isAbsolute && folder === "") return path;
  const parts: string[] = [];
  for (const part of `${isAbsolute ? "" : `${folder}/`}${path}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && (part !== "" || parts.length === 0)) parts.push(part);
  }
  return parts.join("/");
}

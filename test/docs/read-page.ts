import type { TextFile } from "../architecture/source-file.ts";

/** The rows of the Markdown tables in a page, without heads and rules, each as its trimmed cells. */
export function tableRows(markdown: string): string[][] {
  const lines = markdown.split("\n");
  const isRule = (line: string | undefined) => line !== undefined && /^\|[-:| ]+\|$/.test(line);
  return lines
    .filter((line, index) => line.startsWith("|") && !isRule(line) && !isRule(lines[index + 1]))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
}

/** One call of the program that a page tells its reader to make. */
interface ShellCommand {
  readonly page: string;
  /** The line without what is said of it. */
  readonly line: string;
  readonly args: readonly string[];
}

/** The calls of `longhaul` in a page's blocks of code. Where output goes, and what is optional, is left out. */
export function longhaulCommands(page: TextFile): ShellCommand[] {
  const blocks = [...page.text.matchAll(/^```(?:sh)?\n(.*?)^```$/gms)].map(([, block = ""]) => block);
  const lines = blocks.flatMap((block) => block.split("\n")).filter((line) => /^(?:npx )?longhaul /.test(line));
  return lines.map((line) => {
    const call = line.replace(/\s+#.*$/, "").trim();
    const words = call.replace(/\s[<>|].*$/, "").replaceAll(/\s\[[^\]]*\]/g, "");
    return { page: page.path, line: call, args: wordsIn(words.replace(/^(?:npx )?longhaul /, "")) };
  });
}

function wordsIn(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

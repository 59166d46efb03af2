import type { TextFile } from "../architecture/source-file.ts";

/** Returns the rows of a page's Markdown tables as trimmed cells, without heads and rules. */
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

/** A command in a page. */
interface ShellCommand {
  readonly page: string;
  /** The line without its comment. */
  readonly line: string;
  readonly args: readonly string[];
}

/** Returns the `longhaul` commands in a page's code blocks, without redirections and optional arguments. */
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

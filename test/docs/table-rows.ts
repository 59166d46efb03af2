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

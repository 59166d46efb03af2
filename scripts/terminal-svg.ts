const ROWS = 26;
const ROW_PX = 19;
const CHAR_PX = 8.1;
const PADDING_PX = 16;
/** The lines appear evenly over this time. */
const PLAY_SECONDS = 24;
/** The last screen stays this long before the recording starts again. */
const HOLD_SECONDS = 8;

/**
 * Draws a terminal that prints the lines one after another and scrolls, as an SVG that animates itself. With reduced motion it shows the end.
 * Every line has a fixed length, so columns stay aligned in any monospaced font.
 */
export function terminalSvg(command: string, printed: readonly string[]): string {
  const lines = [`$ ${command}`, "", ...printed];
  const columns = Math.max(...lines.map((line) => line.length));
  const width = Math.ceil(columns * CHAR_PX + 2 * PADDING_PX);
  const height = ROWS * ROW_PX + 2 * PADDING_PX;
  const seconds = PLAY_SECONDS + HOLD_SECONDS;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(command)}</title>
<style>
text { font: 13.5px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d6dee7; white-space: pre }
.command { fill: #7ee787 } .condensed { fill: #ffa657 } .result { fill: #79c0ff }
.lines { animation: scroll ${seconds}s step-end infinite; transform: translateY(${scrolledPx(lines.length)}px) }
.cover { animation: uncover ${seconds}s step-end infinite; transform: translateY(${height}px) }
@keyframes scroll { ${keyframes(lines, scrolledPx)} }
@keyframes uncover { ${keyframes(lines, (count) => Math.min(count * ROW_PX + PADDING_PX, height))} }
@media (prefers-reduced-motion: reduce) { .lines, .cover { animation: none } }
</style>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
<svg aria-hidden="true" y="${PADDING_PX}" width="${width}" height="${ROWS * ROW_PX}"><g class="lines">
${lines.map(lineText).join("\n")}
</g></svg>
<rect class="cover" width="${width}" height="${height}" fill="#0d1117"/>
</svg>
`;
}

/** How far the text is moved when so many lines are printed: the newest stay visible. */
function scrolledPx(count: number): number {
  return -ROW_PX * Math.max(0, count - ROWS);
}

/** One step for each line, as percentages of the whole animation. */
function keyframes(lines: readonly string[], offsetPx: (count: number) => number): string {
  const share = PLAY_SECONDS / (PLAY_SECONDS + HOLD_SECONDS);
  const percentOf = (row: number) => ((100 * share * row) / lines.length).toFixed(2);
  return lines.map((_, row) => `${percentOf(row)}% { transform: translateY(${offsetPx(row + 1)}px) }`).join(" ");
}

function lineText(text: string, row: number): string {
  if (text === "") return "";
  const length = (text.length * CHAR_PX).toFixed(1);
  const style = styleOf(text, row);
  return `<text x="${PADDING_PX}" y="${row * ROW_PX + 14}" textLength="${length}" class="${style}" xml:space="preserve">${escaped(text)}</text>`;
}

function styleOf(text: string, row: number): string {
  if (row === 0) return "command";
  if (/condensed with/.test(text)) return "condensed";
  return /^(?:Cost|Tokens|Without Longhaul)/.test(text) ? "result" : "plain";
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

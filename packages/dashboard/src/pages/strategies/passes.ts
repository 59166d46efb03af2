import { defaultOf, isList, isRecord, type JsonRecord, type Schema, variantsOf } from "../../forms/schema.ts";

/** A pass of `smart`, as it is configured. What is wrong with one is said beside it, so any object may stand here. */
export type Pass = JsonRecord;

/** What a pass is called. */
export function passName(pass: Pass | undefined): string {
  return typeof pass?.name === "string" && pass.name.trim() !== "" ? pass.name : "a pass without a name";
}

/** The passes in a configuration, or those that its schema fills in. */
export function passesOf(config: JsonRecord, schema: Schema): readonly Pass[] {
  const passes = config.passes ?? schema.properties?.passes?.default;
  return isList(passes) ? passes.filter(isRecord) : [];
}

/** A pass taken from one place of a list to another. */
export function movePass(passes: readonly Pass[], from: number, to: number): readonly Pass[] {
  const pass = passes[from];
  if (pass === undefined || to < 0 || to >= passes.length) return passes;
  return passes.toSpliced(from, 1).toSpliced(to, 0, pass);
}

/** Where a pass stands after another one, or it itself, was taken from one place to another. */
export function indexAfterMove(at: number, from: number, to: number): number {
  if (at === from) return to;
  if (from < at && at <= to) return at - 1;
  return to <= at && at < from ? at + 1 : at;
}

/** Where a pass comes to stand that is let go over another one, above or below its middle. */
export function dropIndex(from: number, over: number, isBelow: boolean): number {
  const gap = isBelow ? over + 1 : over;
  return gap > from ? gap - 1 : gap;
}

/** The list with a pass once more, right after itself, under an id and a name of its own. */
export function duplicatePass(passes: readonly Pass[], at: number): readonly Pass[] {
  const pass = passes[at];
  if (pass === undefined) return passes;
  const copy = { ...pass, id: freeId(passes, String(pass.id ?? "pass")), name: `${passName(pass)}, again` };
  return passes.toSpliced(at + 1, 0, copy);
}

/** A pass of a mode, with what its schema fills in, that clashes with none. */
export function makePass(mode: string, itemSchema: Schema, passes: readonly Pass[]): Pass {
  const shape = variantsOf(itemSchema).find(({ value }) => value === mode);
  const filled = shape === undefined ? {} : defaultOf(shape.schema);
  const id = freeId(passes, `${mode}-pass`);
  return { ...(isRecord(filled) ? filled : {}), mode, id, name: NEW_NAMES[mode] ?? "New pass" };
}

const NEW_NAMES: Readonly<Record<string, string>> = {
  batch: "New pass over a block",
  individual: "New pass over single contents",
  cover: "New cover",
};

function freeId(passes: readonly Pass[], wish: string): string {
  const taken = new Set(passes.map(({ id }) => id));
  const stem = wish.replace(/-\d+$/, "");
  if (!taken.has(wish)) return wish;
  return Array.from(passes, (_, index) => `${stem}-${index + 2}`).find((id) => !taken.has(id)) ?? stem;
}

/** Which passes have the id of another one. */
export function duplicateIds(passes: readonly Pass[]): readonly number[] {
  return passes.flatMap(({ id }, at) => (passes.some((other, index) => index !== at && other.id === id) ? [at] : []));
}

/** What a pass does, to whom, and when, in a few words each. */
interface Badges {
  readonly mode: string;
  readonly condition: string;
  readonly selection: string;
  readonly operations: string;
}

/** The badges of a pass. */
export function badgesOf(pass: Pass): Badges {
  return {
    mode: typeof pass.mode === "string" ? pass.mode : "no mode",
    condition: spellExecution(recordIn(pass, "execution")),
    selection: spellSelection(recordIn(pass, "selection")),
    operations: spellOperations(pass),
  };
}

function spellExecution({ type, ...execution }: JsonRecord): string {
  if (type !== "conditional") return "always";
  const { tokenThreshold, windowPercent } = recordIn(execution, "condition");
  const parts = [
    ...(typeof tokenThreshold === "number" ? [`over ${tokenThreshold} tokens`] : []),
    ...(typeof windowPercent === "number" ? [`over ${windowPercent} % of the window`] : []),
  ];
  return parts.length === 0 ? "on a condition" : parts.join(" and ");
}

function spellSelection({ type, keepRecentCount = 10, keepPercentage = 30 }: JsonRecord): string {
  if (type === "preserve_recent") return `all but the newest ${keepRecentCount}`;
  if (type === "preserve_percent") return `all but the newest ${keepPercentage} %`;
  return type === "custom" ? "what you choose" : "";
}

const LEVELS = [
  ["messageText", "text"],
  ["toolParameters", "arguments"],
  ["toolResults", "results"],
] as const;

function spellOperations(pass: Pass): string {
  if (pass.mode === "cover") return "";
  if (pass.mode === "batch") return String(recordIn(pass, "batchConfig").operation ?? "");
  const defaults = recordIn(recordIn(pass, "individualConfig"), "defaults");
  return LEVELS.map(([level, words]) => [words, recordIn(defaults, level).operation] as const)
    .filter(([, operation]) => typeof operation === "string" && operation !== "keep")
    .map(([words, operation]) => `${operation} ${words}`)
    .join(", ");
}

function recordIn(value: JsonRecord, name: string): JsonRecord {
  const inner = value[name];
  return isRecord(inner) ? inner : {};
}

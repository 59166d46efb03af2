import { defaultOf, isList, isRecord, type JsonRecord, type Schema, variantsOf } from "../../forms/schema.ts";
import { strings } from "../../strings/strategies.ts";

const { passes: texts } = strings;

/** A configured pass of `smart`. It may be invalid while it is being edited. */
export type Pass = JsonRecord;

export function passName(pass: Pass | undefined): string {
  return typeof pass?.name === "string" && pass.name.trim() !== "" ? pass.name : texts.unnamed;
}

/** Returns the passes in a configuration, or the default passes of its schema. */
export function passesOf(config: JsonRecord, schema: Schema): readonly Pass[] {
  const passes = config.passes ?? schema.properties?.passes?.default;
  return isList(passes) ? passes.filter(isRecord) : [];
}

/** Moves a pass. Returns the same list if the position does not exist. */
export function movePass(passes: readonly Pass[], from: number, to: number): readonly Pass[] {
  const pass = passes[from];
  if (pass === undefined || to < 0 || to >= passes.length) return passes;
  return passes.toSpliced(from, 1).toSpliced(to, 0, pass);
}

/** Returns the index of the pass at `at` after a pass was moved from `from` to `to`. */
export function indexAfterMove(at: number, from: number, to: number): number {
  if (at === from) return to;
  if (from < at && at <= to) return at - 1;
  return to <= at && at < from ? at + 1 : at;
}

/** Returns the new index of a pass that is dropped on the upper or lower half of another pass. */
export function dropIndex(from: number, over: number, isBelow: boolean): number {
  const gap = isBelow ? over + 1 : over;
  return gap > from ? gap - 1 : gap;
}

/** Inserts a copy of a pass after it, with a unique ID and its own name. */
export function duplicatePass(passes: readonly Pass[], at: number): readonly Pass[] {
  const pass = passes[at];
  if (pass === undefined) return passes;
  const copy = { ...pass, id: uniqueId(passes, String(pass.id ?? "pass")), name: texts.copyOf(passName(pass)) };
  return passes.toSpliced(at + 1, 0, copy);
}

/** Makes a pass of a mode, with the defaults of its schema and a unique ID. */
export function makePass(mode: string, itemSchema: Schema, passes: readonly Pass[]): Pass {
  const variant = variantsOf(itemSchema).find(({ value }) => value === mode);
  const defaults = variant === undefined ? {} : defaultOf(variant.schema);
  const id = uniqueId(passes, `${mode}-pass`);
  return { ...(isRecord(defaults) ? defaults : {}), mode, id, name: NEW_NAMES.get(mode) ?? texts.newName };
}

const NEW_NAMES: ReadonlyMap<string, string> = new Map(Object.entries(texts.newNames));

function uniqueId(passes: readonly Pass[], wanted: string): string {
  const taken = new Set(passes.map(({ id }) => id));
  const stem = wanted.replace(/-\d+$/, "");
  if (!taken.has(wanted)) return wanted;
  return Array.from(passes, (_, index) => `${stem}-${index + 2}`).find((id) => !taken.has(id)) ?? stem;
}

/** Returns the indexes of all passes whose ID is not unique. */
export function duplicateIds(passes: readonly Pass[]): readonly number[] {
  return passes.flatMap(({ id }, at) => (passes.some((other, index) => index !== at && other.id === id) ? [at] : []));
}

/** Returns the badges of a pass. Its `selection` describes the messages that it may change. */
export function badgesOf(pass: Pass) {
  return {
    mode: typeof pass.mode === "string" ? pass.mode : texts.badges.noMode,
    condition: describeCondition(recordIn(pass, "execution")),
    selection: describeSelection(recordIn(pass, "selection")),
    operations: describeOperations(pass),
  };
}

function describeCondition({ type, ...execution }: JsonRecord): string {
  const { always, conditional, overTokens, overPercent, and } = texts.badges;
  if (type !== "conditional") return always;
  const { tokenThreshold, windowPercent } = recordIn(execution, "condition");
  const parts = [
    ...(typeof tokenThreshold === "number" ? [overTokens(tokenThreshold)] : []),
    ...(typeof windowPercent === "number" ? [overPercent(windowPercent)] : []),
  ];
  return parts.length === 0 ? conditional : parts.join(and);
}

function describeSelection({ type, keepRecentCount = 10, keepPercentage = 30 }: JsonRecord): string {
  if (type === "preserve_recent") return texts.badges.allButNewest(`${keepRecentCount}`);
  if (type === "preserve_percent") return texts.badges.allButNewest(`${keepPercentage}%`);
  return type === "custom" ? texts.badges.custom : "";
}

function describeOperations(pass: Pass): string {
  if (pass.mode === "cover") return "";
  if (pass.mode === "batch") return String(recordIn(pass, "batchConfig").operation ?? "");
  const defaults = recordIn(recordIn(pass, "individualConfig"), "defaults");
  return Object.entries(texts.badges.levels)
    .map(([level, label]) => [label, recordIn(defaults, level).operation] as const)
    .filter(([, operation]) => typeof operation === "string" && operation !== "keep")
    .map(([label, operation]) => `${operation} ${label}`)
    .join(", ");
}

function recordIn(value: JsonRecord, name: string): JsonRecord {
  const inner = value[name];
  return isRecord(inner) ? inner : {};
}

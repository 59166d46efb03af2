import { isJsonObject } from "@longhaul/conversation";
import type { Checked, Issue, OutputOf, StandardSchema } from "./standard-schema.ts";

/** A schema of settings: it checks a value, fills in defaults, and is also JSON Schema, for forms and editors. */
export interface SettingSchema<Output = unknown, Input = Output> extends StandardSchema<Output, Input> {
  readonly json: Readonly<Record<string, unknown>>;
  readonly check: (value: unknown) => Checked<Output>;
}

type Json = SettingSchema["json"];

function schemaOf<Output, Input = Output>(
  json: Json,
  check: (value: unknown) => Checked<Output>,
): SettingSchema<Output, Input> {
  const jsonSchema = { input: () => json };
  return { json, check, "~standard": { version: 1, vendor: "longhaul", validate: check, jsonSchema } };
}

/** Declares a setting with its default. `SETTINGS` in guides.ts has the descriptions of settings. */
export function setting<Output, Input>(
  { json, check }: SettingSchema<Output, Input>,
  value: NoInfer<Output>,
): SettingSchema<Output, Input | undefined> {
  return schemaOf({ ...json, default: value }, (given) => (given === undefined ? { value } : check(given)));
}

/** Declares a setting that can be left out and has no default. */
export function optionalSetting<Output, Input>({
  json,
  check,
}: SettingSchema<Output, Input>): SettingSchema<Output | undefined, Input | undefined> {
  const checkGiven = (given: unknown): Checked<Output | undefined> =>
    given === undefined ? { value: undefined } : check(given);
  return schemaOf(json, checkGiven);
}

/** Declares a group of settings that all have defaults, so that the whole group can be left out. */
export function settingGroup<Output, Input>({
  json,
  check,
}: SettingSchema<Output, Input>): SettingSchema<Output, Input | undefined> {
  return schemaOf({ ...json, default: {} }, (given) => check(given === undefined ? {} : given));
}

/** Adds a rule: a message for the values that break it. */
export function refined<Output, Input>(
  { json, check }: SettingSchema<Output, Input>,
  faultIn: (value: Output) => string | undefined,
): SettingSchema<Output, Input> {
  return schemaOf(json, (given) => {
    const checked = check(given);
    const fault = checked.issues === undefined ? faultIn(checked.value) : undefined;
    return fault === undefined ? checked : invalid(fault);
  });
}

function invalid(message: string): { readonly issues: readonly Issue[] } {
  return { issues: [{ message, path: [] }] };
}

/** Rejects a value of the wrong type. */
function wrongType(given: unknown, wanted: string): { readonly issues: readonly Issue[] } {
  return invalid(given === undefined ? "is required" : `must be ${wanted}`);
}

/** A whole number of at least `minimum`. */
export function wholeNumber(minimum: number, maximum?: number): SettingSchema<number> {
  const json = { type: "integer", minimum, ...(maximum !== undefined && { maximum }) };
  return schemaOf(json, (given) =>
    Number.isSafeInteger(given) ? inRange(given, minimum, maximum) : wrongType(given, "a whole number"),
  );
}

/** A number from `minimum` to `maximum`. */
export function numberBetween(minimum: number, maximum: number): SettingSchema<number> {
  return schemaOf({ type: "number", minimum, maximum }, (given) =>
    Number.isFinite(given) ? inRange(given, minimum, maximum) : wrongType(given, "a number"),
  );
}

function inRange(given: unknown, minimum: number, maximum = Number.POSITIVE_INFINITY): Checked<number> {
  const value = Number(given);
  if (value < minimum) return invalid(`must be at least ${minimum}, not ${value}`);
  return value > maximum ? invalid(`must be at most ${maximum}, not ${value}`) : { value };
}

/** `true` or `false`. */
export const flag: SettingSchema<boolean> = schemaOf({ type: "boolean" }, (value) =>
  typeof value === "boolean" ? { value } : wrongType(value, "true or false"),
);

/** Any text. */
export const text: SettingSchema<string> = schemaOf({ type: "string" }, (value) =>
  typeof value === "string" ? { value } : wrongType(value, "a string"),
);

/** A text that is not blank; blanks around it are removed. */
export const filledText: SettingSchema<string> = schemaOf({ type: "string", minLength: 1 }, (given) => {
  if (typeof given !== "string") return wrongType(given, "a string");
  const value = given.trim();
  return value === "" ? invalid("must not be empty") : { value };
});

/** A text that matches a pattern. `rule` says how to meet it. */
export function textMatching(pattern: RegExp, rule: string): SettingSchema<string> {
  const { check } = refined(text, (value) => (pattern.test(value) ? undefined : rule));
  return schemaOf({ type: "string", pattern: pattern.source }, check);
}

/** One of several values. */
export function choice<const Value extends string | number>(values: readonly Value[]): SettingSchema<Value> {
  return schemaOf({ type: typeof values[0], enum: values }, (given) => {
    const value = values.find((allowed) => allowed === given);
    return value === undefined ? notAmong(values, given) : { value };
  });
}

const MAX_SHOWN_CHARS = 60;

/** Shows the value, because no secret is one of a fixed set. */
function notAmong(values: readonly unknown[], given: unknown): { readonly issues: readonly Issue[] } {
  const shown = typeof given === "string" && given.length <= MAX_SHOWN_CHARS ? `, not ${JSON.stringify(given)}` : "";
  return invalid(`must be ${values.length === 1 ? "" : "one of "}${values.join(", ")}${shown}`);
}

/** A list of at least `minItems` values. */
export function listOf<Output, Input>(
  { json: items, check }: SettingSchema<Output, Input>,
  minItems = 0,
): SettingSchema<Output[], readonly Input[]> {
  return schemaOf({ type: "array", items, ...(minItems > 0 && { minItems }) }, (given) => {
    if (!Array.isArray(given)) return wrongType(given, "a list");
    if (given.length < minItems) return invalid("must not be empty");
    const checked = given.map(check);
    const issues = checked.flatMap(({ issues = [] }, index) => below(index, issues));
    return issues.length > 0 ? { issues } : { value: checked.flatMap((item) => ("value" in item ? [item.value] : [])) };
  });
}

function below(key: PropertyKey, issues: readonly Issue[]): Issue[] {
  return issues.map(({ message, path }) => ({ message, path: [key, ...path] }));
}

type Fields = Readonly<Record<string, SettingSchema>>;
type InputIn<Schema> = Schema extends SettingSchema<unknown, infer Input> ? Input : never;
type Flat<Type> = { [Key in keyof Type]: Type[Key] };
type OptionalFields<Values> = {
  [Key in keyof Values as undefined extends Values[Key] ? Key : never]?: Exclude<Values[Key], undefined>;
};
type RequiredFields<Values> = { [Key in keyof Values as undefined extends Values[Key] ? never : Key]: Values[Key] };

/** The values of fields; those that may be undefined are optional. */
type ValuesOf<Values> = Flat<RequiredFields<Values> & OptionalFields<Values>>;
type Outputs<Shape extends Fields> = ValuesOf<{ [Name in keyof Shape]: OutputOf<Shape[Name]> }>;
type Inputs<Shape extends Fields> = ValuesOf<{ [Name in keyof Shape]: InputIn<Shape[Name]> }>;

/** An object with exactly these fields. */
export function fields<Shape extends Fields>(shape: Shape): SettingSchema<Outputs<Shape>, Inputs<Shape>> {
  const named = Object.entries(shape);
  const required = named.flatMap(([name, { check }]) => (check(undefined).issues === undefined ? [] : [name]));
  const json = {
    type: "object",
    properties: Object.fromEntries(named.map(([name, { json }]) => [name, json])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  return schemaOf(json, (given) => {
    if (!isJsonObject(given)) return wrongType(given, "an object");
    const issues: Issue[] = [];
    const value = Object.fromEntries(
      named.flatMap(([name, { check }]) => {
        const checked = check(Object.hasOwn(given, name) ? given[name] : undefined);
        issues.push(...below(name, checked.issues ?? []));
        return "value" in checked && checked.value !== undefined ? [[name, checked.value]] : [];
      }),
    );
    const others = Object.keys(given).filter((name) => !Object.hasOwn(shape, name));
    if (others.length > 0) issues.push({ message: `has unknown fields: ${others.join(", ")}`, path: [] });
    const isValid = (checked: object): checked is Outputs<Shape> => issues.length === 0;
    return isValid(value) ? { value } : { issues };
  });
}

/** The fields of several variants, without the tag. */
type Variants = Readonly<Record<string, Fields>>;

type Tagged<Tag extends string, Options extends Variants, Values extends { [Name in keyof Options]: unknown }> = {
  [Name in keyof Options]: Flat<Readonly<Record<Tag, Name>> & Values[Name]>;
}[keyof Options];

/** Objects of several variants, chosen by the value of the field `tag`. */
export function oneOf<const Tag extends string, const Options extends Variants>(
  tag: Tag,
  options: Options,
): SettingSchema<
  Tagged<Tag, Options, { [Name in keyof Options]: Outputs<Options[Name]> }>,
  Tagged<Tag, Options, { [Name in keyof Options]: Inputs<Options[Name]> }>
> {
  type Output = Tagged<Tag, Options, { [Name in keyof Options]: Outputs<Options[Name]> }>;
  const variants = new Map<unknown, SettingSchema>(
    Object.entries(options).map(([name, shape]) => {
      const own = schemaOf({ type: "string", const: name }, choice([name]).check);
      return [name, fields({ [tag]: own, ...shape })];
    }),
  );
  return schemaOf({ oneOf: [...variants.values()].map(({ json }) => json) }, (given) => {
    if (!isJsonObject(given)) return wrongType(given, "an object");
    const name = Object.hasOwn(given, tag) ? given[tag] : undefined;
    const variant = variants.get(name);
    if (variant === undefined) return { issues: below(tag, notAmong([...variants.keys()], name).issues) };
    const isOutput = (checked: Checked<unknown>): checked is Checked<Output> => variants.has(name);
    const checked = variant.check(given);
    return isOutput(checked) ? checked : invalid("is not one of the variants");
  });
}

import * as z from "zod/mini";

type Schema = z.core.$ZodType;

/** Declares a setting with its default. Forms and pages show the description. */
export function setting<Value extends Schema>(
  schema: Value,
  value: z.core.util.NoUndefined<z.output<Value>>,
  description: string,
): z.ZodMiniDefault<Value> {
  return z._default(schema, value).check(z.describe(description));
}

/** Declares a setting that can be left out and has no default. */
export function optionalSetting<Value extends Schema>(
  schema: Value,
  description: string,
): z.ZodMiniExactOptional<Value> {
  return z.exactOptional(schema).check(z.describe(description));
}

/** Declares a group of settings that all have defaults, so that the whole group can be left out. */
export function settingGroup<Value extends Schema>(
  schema: Value,
  value: z.input<Value>,
  description: string,
): z.ZodMiniPrefault<Value> {
  return z.prefault(schema, value).check(z.describe(description));
}

/** Declares one of several variants, chosen by its name. */
export function variant<const Name extends string>(name: Name, description: string): z.ZodMiniLiteral<Name> {
  return z.literal(name).check(z.describe(description));
}

/** A whole number of at least `minimum`. */
export function wholeNumber(minimum: number, maximum?: number): z.ZodMiniInt {
  return z.int().check(z.minimum(minimum), ...(maximum === undefined ? [] : [z.maximum(maximum)]));
}

/** A number from `minimum` to `maximum`. */
export function numberBetween(minimum: number, maximum: number): z.ZodMiniNumber<number> {
  return z.number().check(z.minimum(minimum), z.maximum(maximum));
}

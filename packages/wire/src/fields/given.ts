/** `T` with the fields that may be undefined made optional. */
export type Given<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The fields that have a value: an absent field and an undefined one are not the same to JSON and to spreads. */
export function given<const T extends object>(fields: T): Given<T>;
export function given(fields: Readonly<Record<string, unknown>>): object {
  const found: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    if (fields[key] !== undefined) found[key] = fields[key];
  }
  return found;
}

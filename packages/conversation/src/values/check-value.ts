import * as z from "zod/mini";
import { $ZodError } from "zod/v4/core";
import { plainMessage } from "./plain-message.ts";

/** The value as its schema returns it, or the reasons why it does not fit. */
export type CheckedValue<Value> =
  | { readonly success: true; readonly data: Value; readonly error?: undefined }
  | { readonly success: false; readonly data?: undefined; readonly error: $ZodError<unknown> };

/**
 * Checks a value from outside against a schema, like `safeParse`, and never throws. zod compares the `length` of any object with a
 * schema's limit; a `length` without a primitive value, as in `{"length":{"toString":""}}`, makes that a `TypeError`.
 */
export function checkValue<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
): CheckedValue<z.output<Schema>> {
  try {
    return z.safeParse(schema, value, { error: plainMessage });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const message = "contains an object where a text or a list is expected";
    return { success: false, error: new $ZodError([{ code: "custom", path: [], message, input: value }]) };
  }
}

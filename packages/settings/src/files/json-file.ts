import { checkValue, LonghaulError, parseJsonText } from "@longhaul/conversation/advanced";
import type { z } from "zod";
import { invalidSettings, schemaFaults } from "../layers/validate-config.ts";

/** Parses a JSON file. Throws `settings.invalid` if it is not valid JSON. */
export function parseFile(text: string, what: string): unknown {
  try {
    return parseJsonText(text);
  } catch (cause) {
    throw new LonghaulError("settings.invalid", `${what} is not valid JSON; use the file as it was exported`, {
      cause,
    });
  }
}

/** Parses a value with a schema. Throws `settings.invalid` with every invalid field. */
export function validateFile<Output>(schema: z.ZodType<Output>, value: unknown, what: string): Output {
  const { data, error } = checkValue(schema, value);
  if (error === undefined) return data;
  throw invalidSettings(what, schemaFaults(error));
}

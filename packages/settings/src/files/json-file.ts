import { checkValue, LonghaulError, parseJsonText } from "@longhaul/conversation";
import type { z } from "zod";
import { invalidSettings, schemaFaults } from "../layers/judge-config.ts";

/** The value in a file. What is no JSON throws `settings.invalid`. */
export function parseFile(text: string, what: string): unknown {
  try {
    return parseJsonText(text);
  } catch (cause) {
    throw new LonghaulError("settings.invalid", `${what} is not JSON; give the file as it was exported`, { cause });
  }
}

/** A value as a schema gives it. What is wrong with it throws `settings.invalid` naming every bad field. */
export function judgeFile<Output>(schema: z.ZodType<Output>, value: unknown, what: string): Output {
  const { data, error } = checkValue(schema, value);
  if (error === undefined) return data;
  throw invalidSettings(what, schemaFaults(error));
}

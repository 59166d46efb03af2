import { LonghaulError } from "@longhaul/conversation/error";

/** Makes an error about a setting, a file or an argument that the user has to correct. */
export function invalid(message: string, cause?: unknown): LonghaulError {
  return new LonghaulError("settings.invalid", message, { cause });
}

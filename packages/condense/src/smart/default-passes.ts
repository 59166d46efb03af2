import type { PassConfig } from "./pass-schema.ts";

/** Keeps what will likely be needed, line by line, without a model. */
export const COVER: PassConfig = {
  id: "cover",
  name: "Cover",
  description: "Keeps the newest messages, what the user wrote, and of the rest the lines that will likely be needed.",
  mode: "cover",
  coverConfig: { tailPercent: 30, newestPercent: 40, userPercent: 25 },
  execution: { type: "always" },
};

/** What `smart` does where nobody says otherwise. */
export const DEFAULT_PASSES: PassConfig[] = [COVER];

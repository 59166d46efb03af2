export * from "./read-log.ts";
export * from "./reading/reading.ts";

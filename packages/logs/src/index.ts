export * from "./read-log.ts";
export * from "./reading.ts";

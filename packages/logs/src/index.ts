export * from "./describing/describe-session.ts";
export * from "./read-log.ts";
export * from "./reading/reading.ts";

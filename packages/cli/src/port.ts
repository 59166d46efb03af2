import { LonghaulError } from "@longhaul/conversation";
import { InvalidArgumentError } from "commander";

const MAX_PORT = 65_535;

/** The port that an argument names; anything else is a wrong call. */
export function argumentPort(text: string): number {
  const port = parsePort(text);
  if (port === undefined) throw new InvalidArgumentError(portAdvice(text));
  return port;
}

/** The port that a variable names, if it is set; anything that is no port throws `settings.invalid`. */
export function environmentPort(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const port = parsePort(text);
  if (port === undefined) throw new LonghaulError("settings.invalid", `PORT: ${portAdvice(text)}`);
  return port;
}

function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT ? Number(text) : undefined;
}

function portAdvice(text: string): string {
  return `"${text}" is not a port; give a whole number from 0 to ${MAX_PORT}`;
}

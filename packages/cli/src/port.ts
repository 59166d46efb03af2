import { InvalidArgumentError } from "commander";

const MAX_PORT = 65_535;

/** The port that an argument names; anything else is a wrong call. */
export function argumentPort(text: string): number {
  const port = parsePort(text);
  if (port === undefined)
    throw new InvalidArgumentError(`"${text}" is not a port; give a whole number from 0 to ${MAX_PORT}`);
  return port;
}

function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT ? Number(text) : undefined;
}

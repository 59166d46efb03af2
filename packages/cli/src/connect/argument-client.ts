import { InvalidArgumentError } from "commander";
import { CLIENTS, type Client } from "./clients.ts";

/** The client that an argument names; anything else is a wrong call. */
export function argumentClient(id: string): Client {
  const client = CLIENTS.find((each) => each.id === id.toLowerCase());
  if (client !== undefined) return client;
  const known = CLIENTS.map((each) => each.id).join(", ");
  throw new InvalidArgumentError(`there is no client "${id}"; choose among ${known}`);
}

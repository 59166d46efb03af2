import { LonghaulError } from "@longhaul/conversation";
import { Client, type ClientConfig } from "pg";

export interface Address {
  readonly config: ClientConfig;
  /** Name for messages, without user and password. */
  readonly label: string;
}

/** Reads a database URL. Every `sslmode` but `disable` and `no-verify` means verified TLS; `sslrootcert` names the CA file. */
export function readAddress(url: string): Address {
  // The driver treats these modes as verify-full, with a warning.
  const connectionString = url.replace(/\bsslmode=(?:prefer|require|verify-ca)\b/, "sslmode=verify-full");
  const config = { connectionString, fallback_application_name: "longhaul", keepAlive: true };
  const { database = "", host, port } = clientOf(config);
  return { config, label: `${database} at ${host}:${port}` };
}

function clientOf(config: ClientConfig): Client {
  try {
    return new Client(config);
  } catch (error) {
    // The driver's message and cause may contain the whole URL with the password.
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new LonghaulError(
      "settings.invalid",
      `the database URL is invalid${isAbsent ? ": a file that it names does not exist" : ""}; write it as postgres://user:password@host:5432/name, with %40 for @ and %2F for / in the password`,
    );
  }
}

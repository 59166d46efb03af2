import { LonghaulError } from "@longhaul/conversation";
import { Client, type ClientConfig } from "pg";

/** Where a database is. */
export interface Address {
  readonly config: ClientConfig;
  /** What messages call it: without user and password. */
  readonly label: string;
}

/**
 * Reads `postgres://user:password@host:port/name`. `sslmode=require` and every other mode but `disable` and `no-verify` mean TLS with a
 * certificate that is checked, by `sslrootcert` where that names a file.
 */
export function readAddress(url: string): Address {
  // The driver takes all of these for verify-full, and complains of it.
  const connectionString = url.replace(/\bsslmode=(?:prefer|require|verify-ca)\b/, "sslmode=verify-full");
  const config = { connectionString, fallback_application_name: "longhaul", keepAlive: true };
  const { database = "", host, port } = clientOf(config);
  return { config, label: `${database} at ${host}:${port}` };
}

function clientOf(config: ClientConfig): Client {
  try {
    return new Client(config);
  } catch (error) {
    // Its own message and cause may hold the whole address, in which there is a password.
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw new LonghaulError(
      "settings.invalid",
      `the database's address cannot be read${isAbsent ? ": a file that it names is absent" : ""}; it is written as postgres://user:password@host:5432/name, where a password has %40 for @ and %2F for /`,
    );
  }
}

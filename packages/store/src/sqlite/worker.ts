// The database thread: a slow disk never blocks the gateway's own thread.
import { DatabaseSync } from "node:sqlite";
import { parentPort } from "node:worker_threads";
import type { WorkerFailure, WorkerRequest, WorkerResponse } from "./connection.ts";
import { type Execute, type Executed, makeStatements } from "./statements.ts";

let database: DatabaseSync | undefined;
let execute: Execute | undefined;

parentPort?.on("message", (message: WorkerRequest) => parentPort?.postMessage(respond(message)));

function respond(message: WorkerRequest): WorkerResponse<unknown> {
  try {
    return { id: message.id, kind: "done", executed: runCommand(message) };
  } catch (error) {
    return { id: message.id, kind: "failed", failure: failureOf(error) };
  }
}

function runCommand(message: WorkerRequest): Executed<unknown> {
  if (message.kind === "open") {
    database = new DatabaseSync(message.path, { timeout: message.busyTimeoutMs, enableForeignKeyConstraints: true });
    execute = makeStatements(database);
  }
  if (message.kind === "close") {
    database?.close();
    database = undefined;
  }
  return message.kind === "execute" && execute !== undefined ? execute(message.sql, message.parameters) : { rows: [] };
}

function failureOf(error: unknown): WorkerFailure {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message } = error;
  const code = "code" in error ? error.code : undefined;
  return { message, code, ...("errcode" in error && { errcode: error.errcode }) };
}

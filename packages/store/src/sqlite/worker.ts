// The thread with the database: a slow disk holds up nobody but those who wait for it.
import { DatabaseSync } from "node:sqlite";
import { parentPort } from "node:worker_threads";
import type { Failure, FromDatabase, ToDatabase } from "./messages.ts";
import { type Execute, type Executed, makeStatements } from "./statements.ts";

let database: DatabaseSync | undefined;
let execute: Execute | undefined;

parentPort?.on("message", (message: ToDatabase) => parentPort?.postMessage(answerTo(message)));

function answerTo(message: ToDatabase): FromDatabase<unknown> {
  try {
    return { id: message.id, kind: "done", executed: carryOut(message) };
  } catch (error) {
    return { id: message.id, kind: "failed", failure: failureOf(error) };
  }
}

function carryOut(message: ToDatabase): Executed<unknown> {
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

function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message } = error;
  const code = "code" in error ? error.code : undefined;
  return { message, code, ...("errcode" in error && { errcode: error.errcode }) };
}

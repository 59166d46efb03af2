// Sends one hostile body again and again, from a process of its own. It is forked with a gateway's address, a format and a body's name; it
// makes the body, says "ready", begins when it hears anything, and ends with the gateway's answers.
import { request as startRequest } from "node:http";
import { FORMATS, hostileBodies } from "./bodies.ts";

/** The answer to one hostile request. */
export interface HostileAnswer {
  /** The HTTP status, or the connection's error. */
  readonly status: string;
  readonly tookMs: number;
}

/** A hostile request that takes longer is given up, as is one that was sent by half. */
const PATIENCE_MS = 60_000;
const HALF_MS = 2_000;

const [url = "", formatName, bodyName] = process.argv.slice(2);
const format = FORMATS.find(({ name }) => name === formatName);
const hostile = format && hostileBodies(format).find(({ name }) => name === bodyName);
if (format === undefined || hostile === undefined) throw new Error(`no body "${bodyName}" in ${formatName}`);
const body = hostile.make();
const isHalf = hostile.isHalf === true;
const options = {
  method: "POST",
  headers: {
    "content-type": "application/json",
    "content-length": body.length * (isHalf ? 2 : 1),
    ...format.headers,
    ...hostile.headers,
  },
};
const target = `${url}${format.path}`;

process.once("message", async () => {
  for (;;) {
    const from = performance.now();
    const status = await send();
    process.send?.({ status, tookMs: performance.now() - from } satisfies HostileAnswer);
  }
});
process.once("disconnect", () => process.exit());
process.send?.("ready");

function send(): Promise<string> {
  return new Promise((resolve) => {
    const sent = startRequest(target, options);
    const giveUp = setTimeout(() => sent.destroy(new Error("no answer")), isHalf ? HALF_MS : PATIENCE_MS);
    const done = (status: string) => {
      clearTimeout(giveUp);
      resolve(status);
    };
    sent.on("response", (answer) => {
      answer.on("error", () => done("cut"));
      answer.resume().on("end", () => done(`${answer.statusCode}`));
    });
    sent.on("error", (error) => done(error.message));
    sent.write(body);
    if (!isHalf) sent.end();
  });
}

// Sends one hostile body repeatedly from its own process. It is forked with a gateway's URL, a format and a body's name; it builds the
// body, sends "ready", starts on any message, and reports the gateway's responses.
import { request as startRequest } from "node:http";
import { FORMATS, hostileBodies } from "./bodies.ts";

export interface HostileAnswer {
  /** The HTTP status, or the connection error. */
  readonly status: string;
  readonly tookMs: number;
}

/** Gives up on a hostile request after this time, also on an incomplete one. */
const TIMEOUT_MS = 60_000;
const HALF_MS = 2_000;

const [url = "", formatName, bodyName] = process.argv.slice(2);
const format = FORMATS.find(({ name }) => name === formatName);
const hostile = format && hostileBodies(format).find(({ name }) => name === bodyName);
if (format === undefined || hostile === undefined) throw new Error(`unknown body "${bodyName}" for ${formatName}`);
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
    const giveUp = setTimeout(() => sent.destroy(new Error("no response")), isHalf ? HALF_MS : TIMEOUT_MS);
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

// An upstream that answers chat completions as fast as possible: 200 events if the body contains "stream", else one small JSON.
import { createServer } from "node:http";

const EVENTS = 200;
const STREAM = Buffer.from(
  `${Array.from({ length: EVENTS }, (_, index) => `data: ${JSON.stringify(chunkAt(index))}\n\n`).join("")}data: [DONE]\n\n`,
);
const WHOLE = Buffer.from(
  JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "gpt-4o",
    choices: [{ index: 0, message: { role: "assistant", content: "word ".repeat(EVENTS) }, finish_reason: "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: EVENTS, total_tokens: 10 + EVENTS },
  }),
);

function chunkAt(index: number): object {
  const isLast = index === EVENTS - 1;
  const delta = isLast ? {} : { ...(index === 0 && { role: "assistant" }), content: "word " };
  const choices = [{ index: 0, delta, finish_reason: isLast ? "stop" : null }];
  return { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "gpt-4o", choices };
}

const server = createServer((request, response) => {
  let isStream = false;
  request.on("data", (chunk: Buffer) => {
    isStream ||= chunk.includes('"stream":true');
  });
  request.on("end", () => {
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
    response.end(isStream ? STREAM : WHOLE);
  });
});
server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
});

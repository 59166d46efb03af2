// The minimum for a gateway: node:http in, undici out, bytes passed through unread.
import { createServer } from "node:http";
import { Pool } from "undici";

const upstream = new Pool(process.argv[2] ?? "", { connections: 128 });
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const answer = await upstream.request({
    path: request.url ?? "/",
    method: "POST",
    headers: { "content-type": "application/json" },
    body: Buffer.concat(chunks),
  });
  response.writeHead(answer.statusCode, { "content-type": String(answer.headers["content-type"]) });
  for await (const chunk of answer.body)
    if (!response.write(chunk)) await new Promise((resolve) => response.once("drain", resolve));
  response.end();
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`);
});

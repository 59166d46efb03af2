import { expect, it } from "vitest";
import { curlCommand } from "./repeat.tsx";

it("writes a command that a shell can run, with the key as a variable", () => {
  const repeated = {
    path: "/v1/messages",
    headers: { "content-type": "application/json" },
    body: `{"text":"it's $5"}`,
  };
  expect(curlCommand(repeated, "http://localhost:4242").split("\n").slice(1)).toEqual([
    "curl 'http://localhost:4242/v1/messages' \\",
    "  -H 'content-type: application/json' \\",
    '  -H "authorization: Bearer $LONGHAUL_API_KEY" \\',
    String.raw`  --data-binary '{"text":"it'\''s $5"}'`,
  ]);
});

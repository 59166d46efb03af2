import { expect, it } from "vitest";
import { loadExample } from "./load-example.ts";

const page = (yaml: string) => `# Page\n\n\`\`\`yaml\n${yaml}\n\`\`\`\n`;

it("reads the configuration, with its variables set", () => {
  const { upstreams } = loadExample(page('upstreams: { claude: { kind: anthropic, apiKey: "${A_KEY}" } }'));
  expect(upstreams.claude).toMatchObject({ kind: "anthropic", apiKey: "key" });
});

it("rejects an invalid configuration, and a page without any", () => {
  expect(() => loadExample(page("context: { mode: sometimes }"))).toThrow(/context\.mode/);
  expect(() => loadExample("# Page\n")).toThrow("no example");
});

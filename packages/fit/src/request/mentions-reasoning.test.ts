import { codecNamed } from "@longhaul/wire";
import fc from "fast-check";
import { expect, it } from "vitest";
import { mentionsReasoning } from "./mentions-reasoning.ts";

const NAMES = {
  "anthropic-messages": ["thinking", "output_config"],
  "openai-chat": ["reasoning", "reasoning_effort"],
  "openai-responses": ["reasoning"],
  gemini: ["generationConfig", "generation_config"],
};

/** No escapes, which only a parser reads with certainty. */
const IS_PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/;

const mentions = (wire: string, body: string) => mentionsReasoning(Buffer.from(body), codecNamed(wire));

it.each(Object.entries(NAMES))("finds the fields of %s, whatever else a body holds", (wire, names) => {
  const key = fc.oneof(fc.constantFrom(...Object.values(NAMES).flat()), fc.string({ maxLength: 12 }));
  const bodies = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 6 });
  const { messagesField } = codecNamed(wire);
  fc.assert(
    fc.property(bodies, fc.boolean(), (fields, isFirst) => {
      const messages = { [messagesField]: [{ role: "user", content: "thinking, reasoning" }] };
      const body = JSON.stringify(isFirst ? { ...messages, ...fields } : { ...fields, ...messages });
      const isThere = names.some((name) => Object.hasOwn(fields, name));
      if (isThere) expect(mentions(wire, body)).toBe(true);
      else if (IS_PLAIN.test(body)) expect(mentions(wire, body)).toBe(false);
    }),
  );
});

it.each([
  ["openai-chat", '{"messages":[{"role":"assistant","content":"","reasoning_content":"Hm."}]}', false],
  ["openai-chat", '{"messages":[],"metadata":{"reasoning":"x"}}', false],
  ["openai-chat", '{"messages":[],"reasoning_effort":"high"}', true],
  ["anthropic-messages", '{"messages":[{"content":[{"type":"thinking","thinking":"Hm."}]}]}', false],
  ["anthropic-messages", '{"messages":[],"reasoning_effort":"high"}', false],
  ["openai-chat", '{"messages":[],"messages":[],"x":"reasoning"}', true],
  ["openai-chat", '{"messages":[],"\\u0072easoning_effort":"high"}', false],
])("looks at the fields of a body alone: %s %s", (wire, body, isThere) => {
  expect(mentions(wire, body)).toBe(isThere);
});

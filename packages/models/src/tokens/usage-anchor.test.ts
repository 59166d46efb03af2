import { fingerprint, prefixHashes, pureHash } from "@longhaul/conversation";
import { anyConversation, makeAgentLoop, makeText, makeUser } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { makeRoughCounter } from "./token-counters.ts";
import { anchorUsage, countFromAnchor, type UsageAnchor } from "./usage-anchor.ts";

const counter = makeRoughCounter();
const conversation = makeAgentLoop(5);
const grown = { ...conversation, messages: [...conversation.messages, makeUser("Now write the tests.")] };

function prefixesOf({ messages }: typeof conversation): string[] {
  return prefixHashes(
    messages.map((message) => fingerprint(message, pureHash)),
    pureHash,
  );
}

/** Anchors as the gateway keeps them, one for each prompt that was reported. */
function keep(
  ...reports: readonly (readonly [typeof conversation, number])[]
): (prefix: string) => UsageAnchor | undefined {
  const kept = new Map(
    reports.map(([prompt, tokens]) => [prefixesOf(prompt).at(-1) ?? "", anchorUsage(prompt, tokens, counter)]),
  );
  return (prefix) => kept.get(prefix);
}

it("counts from what was reported and estimates only what came after", () => {
  const anchorOf = keep([conversation, 5_000]);
  const tokens = countFromAnchor({ conversation: grown, prefixes: prefixesOf(grown), anchorOf }, counter);
  expect(tokens).toBe(5_000 + counter.countMessage(makeUser("Now write the tests.")));
});

it("takes the longest prefix that was reported", () => {
  const shorter = { ...conversation, messages: conversation.messages.slice(0, 3) };
  const anchorOf = keep([shorter, 1_000], [conversation, 5_000]);
  expect(countFromAnchor({ conversation, prefixes: prefixesOf(conversation), anchorOf }, counter)).toBe(5_000);
});

it("follows a system prompt that has changed since", () => {
  const anchorOf = keep([conversation, 5_000]);
  const changed = { ...grown, system: [...grown.system, makeText("Today is Sunday.")] };
  const difference = counter.countSystem(changed.system) - counter.countSystem(grown.system);
  const count = (prompt: typeof conversation) =>
    countFromAnchor({ conversation: prompt, prefixes: prefixesOf(prompt), anchorOf }, counter);
  expect(count(changed)).toBe(count(grown) + difference);
});

it("estimates all of a prompt that begins otherwise", () => {
  const anchorOf = keep([conversation, 5_000]);
  const edited = { ...grown, messages: [makeUser("Another task."), ...grown.messages.slice(1)] };
  expect(countFromAnchor({ conversation: edited, prefixes: prefixesOf(edited), anchorOf }, counter)).toBe(
    counter.countConversation(edited),
  );
});

it("agrees with the plain count where the report agreed with it", () => {
  fc.assert(
    fc.property(anyConversation(), fc.nat(), (whole, cut) => {
      const prompt = { ...whole, messages: whole.messages.slice(0, 1 + (cut % whole.messages.length)) };
      const anchorOf = keep([prompt, counter.countConversation(prompt)]);
      const tokens = countFromAnchor({ conversation: whole, prefixes: prefixesOf(whole), anchorOf }, counter);
      expect(tokens).toBe(counter.countConversation(whole));
    }),
  );
});

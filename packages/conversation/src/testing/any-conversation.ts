import fc from "fast-check";
import type { Block, ToolCallBlock, ToolResultBlock } from "../block.ts";
import type { Conversation, Message } from "../message.ts";
import {
  anyCompaction,
  anyDocument,
  anyImage,
  anyOpaque,
  anyRedactedThinking,
  anyTextBlock,
  anyThinking,
  anyToolCall,
  anyToolResult,
} from "./any-block.ts";
import { anyPath, anyText } from "./any-text.ts";
import { makeAssistant, makeSystem, makeText, makeTool, makeUser } from "./make.ts";

/** Maximum size of a generated conversation. */
export interface ConversationSize {
  /** @default 4 */
  readonly maxTurns?: number;
  /** Rounds of calls and results in one turn. @default 3 */
  readonly maxSteps?: number;
}

/**
 * A conversation that an API would accept: chats and agent loops, parallel calls, results in one or several messages, media, thinking,
 * compaction, unknown blocks, cache marks, system messages in the middle, tools as XML in text. Call ids are unique, every call except at
 * the very end has its result, results follow their calls immediately, and no text is blank.
 */
export function anyConversation(size: ConversationSize = {}): fc.Arbitrary<Conversation> {
  const turns = fc.array(anyTurn(size.maxSteps ?? 3), { minLength: 1, maxLength: size.maxTurns ?? 4 });
  const ending = fc.constantFrom<Ending>("answered", "question", "results");
  return fc
    .record({ system: fc.array(anyTextBlock(), { maxLength: 2 }), opening: anyOpening(), turns, ending })
    .map(({ system, opening, turns: all, ending: end }) => ({
      system,
      tools: TOOLS,
      messages: numberCalls(cutEnding([...opening, ...all.flat()], end)),
    }));
}

/** The messages of `anyConversation`. */
export function anyMessages(size: ConversationSize = {}): fc.Arbitrary<readonly Message[]> {
  return anyConversation(size).map((conversation) => conversation.messages);
}

/** Where the history ends: after a reply, after a user message, or after tool results. */
type Ending = "answered" | "question" | "results";

const TOOLS = [
  makeTool("read_file", ["path"]),
  makeTool("edit_file", ["path", "find", "replace"]),
  makeTool("run_command", ["command"]),
  makeTool("list_todos", []),
];

/** A history that a vendor compacted starts with the vendor's summary. */
function anyOpening(): fc.Arbitrary<readonly Message[]> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(anyTextBlock(), anyCompaction(), anyTextBlock())
        .map(([ask, summary, reply]) => [makeUser(ask), makeAssistant([summary, reply])]),
    },
  );
}

function anyTurn(maxSteps: number): fc.Arbitrary<Message[]> {
  return fc.oneof(
    { weight: 2, arbitrary: anyTalk() },
    { weight: 4, arbitrary: anyAgentLoop(maxSteps) },
    { weight: 1, arbitrary: anyXmlLoop() },
  );
}

function anyTalk(): fc.Arbitrary<Message[]> {
  return fc.tuple(anyQuestion(), anyAnswer()).map(([question, answer]) => [...question, answer]);
}

function anyQuestion(): fc.Arbitrary<Message[]> {
  const extra = fc.oneof<fc.Arbitrary<Block>[]>(anyImage(), anyDocument(), anyOpaque(), anyTextBlock());
  const words = fc
    .tuple(anyTextBlock(), fc.array(extra, { maxLength: 2 }))
    .map(([text, rest]) => makeUser([text, ...rest]));
  const note = fc.oneof(
    { weight: 5, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: anyTextBlock().map((text) => [makeSystem(text)]) },
  );
  return fc.tuple(words, note).map(([question, notes]) => [question, ...notes]);
}

function anyAnswer(): fc.Arbitrary<Message> {
  return fc.tuple(anyThoughts(), anyTextBlock()).map(([thoughts, text]) => makeAssistant([...thoughts, text]));
}

function anyThoughts(): fc.Arbitrary<readonly Block[]> {
  const thought = fc.oneof<fc.WeightedArbitrary<Block>[]>(
    { weight: 4, arbitrary: anyThinking() },
    { weight: 1, arbitrary: anyRedactedThinking() },
  );
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(thought, { minLength: 1, maxLength: 2 }) },
  );
}

function anyAgentLoop(maxSteps: number): fc.Arbitrary<Message[]> {
  const steps = fc.array(anyStep(), { minLength: 1, maxLength: maxSteps });
  return fc
    .tuple(anyQuestion(), steps, anyAnswer())
    .map(([question, rounds, answer]) => [...question, ...rounds.flat(), answer]);
}

/** One message with calls, then their results: all in one message, one message each, or two in the first. */
function anyStep(): fc.Arbitrary<Message[]> {
  const pair = fc.tuple(anyToolCall(fc.constant("")), anyToolResult(fc.constant("")));
  const lead = fc.option(anyTextBlock(), { nil: undefined });
  return fc
    .record({
      thoughts: anyThoughts(),
      lead,
      pairs: fc.array(pair, { minLength: 1, maxLength: 3 }),
      perMessage: fc.constantFrom(1, 2, 3),
      reversed: fc.boolean(),
      remark: fc.option(anyTextBlock(), { nil: undefined, freq: 6 }),
    })
    .map(layOutStep);
}

interface Step {
  readonly thoughts: readonly Block[];
  readonly lead: Block | undefined;
  readonly pairs: readonly (readonly [ToolCallBlock, ToolResultBlock])[];
  readonly perMessage: number;
  readonly reversed: boolean;
  readonly remark: Block | undefined;
}

function layOutStep({ thoughts, lead, pairs, perMessage, reversed, remark }: Step): Message[] {
  const calls = pairs.map(([call], serial) => ({ ...call, id: `${serial}` }));
  const inOrder = pairs.map(([, result], serial) => ({ ...result, callId: `${serial}` }));
  const results: Block[] = reversed ? inOrder.toReversed() : inOrder;
  const answers: Block[][] = [];
  for (let from = 0; from < results.length; from += perMessage) answers.push(results.slice(from, from + perMessage));
  if (remark !== undefined) answers.at(-1)?.push(remark);
  return [
    makeAssistant([...thoughts, ...(lead ? [lead] : []), ...calls]),
    ...answers.map((blocks) => makeUser(blocks)),
  ];
}

/** Tool use as XML, which Roo and Cline fall back to for models without tool calls. */
function anyXmlLoop(): fc.Arbitrary<Message[]> {
  return fc
    .tuple(anyText(), anyPath(), anyText(), anyAnswer())
    .map(([task, path, text, answer]) => [
      makeUser([
        `<task>\n${task}\n</task>`,
        `<environment_details>\n# VSCode Visible Files\n${path}\n</environment_details>`,
      ]),
      makeAssistant(`I read the file first.\n\n<read_file>\n<path>${path}</path>\n</read_file>`),
      makeUser([
        `[read_file for '${path}'] Result:`,
        `<file><path>${path}</path><content lines="1-2">\n1 | ${text}\n</content></file>`,
        "<environment_details>\n# Current Mode\ncode\n</environment_details>",
      ]),
      answer,
    ]);
}

function cutEnding(messages: readonly Message[], ending: Ending): readonly Message[] {
  if (ending === "answered") return messages;
  if (ending === "question") return [...messages, makeUser(makeText("Go on."))];
  const last = messages.findLastIndex(({ blocks }) => blocks.some((block) => block.type === "tool-result"));
  return last === -1 ? messages : messages.slice(0, last + 1);
}

/** Gives each call a unique id. Results refer to calls by their index within the step, looked up in the latest calls. */
function numberCalls(messages: readonly Message[]): readonly Message[] {
  let made = 0;
  const latest = new Map<string, string>();
  return messages.map((message) => ({
    ...message,
    blocks: message.blocks.map((block): Block => {
      if (block.type === "tool-result") return { ...block, callId: latest.get(block.callId) ?? block.callId };
      if (block.type !== "tool-call") return block;
      const id = `toolu_${made++}`;
      latest.set(block.id, id);
      return { ...block, id };
    }),
  }));
}

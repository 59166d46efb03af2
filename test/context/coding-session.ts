import type { Block, Conversation, JsonObject, Message } from "@longhaul/conversation";
import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { demoSteps, SHOP_PARTS, type Step, sourceOf, TOOLS } from "../../packages/cli/src/demo/session.ts";

/** The task of the session, as its first user message gives it. */
export const TASK = [
  "You work on the web shop in this folder. Each of my messages is one change.",
  "Never change the public API, never touch src/legacy, and always run the tests before you say that you are done.",
].join("\n");

/**
 * A coding session of many tool uses: searches, reads, edits, whole files written, failing test runs, to-do lists and short questions. It
 * ends in the middle of the work, after a tool result.
 */
export function makeCodingSession(steps: number): Conversation {
  const messages: Message[] = [makeUser(TASK), makeAssistant("Understood. What is the first change?")];
  const demo = demoSteps();
  for (let index = 0; index < steps; index++) {
    messages.push(...layOut(demo.next().value, index));
    if (index % 10 === 5) messages.push(...use(index, "todo_write", { todos: todos(index) }, "Saved."));
    if (index % 8 === 4) messages.push(...writeFile(index));
  }
  const isDone = messages.at(-1)?.role === "assistant";
  return makeConversation(isDone ? [...messages, makeUser("Go on.")] : messages, {
    tools: [
      ...TOOLS,
      { name: "write", description: "Writes a file." },
      { name: "todo_write", description: "Saves a to-do list." },
    ].map(({ name, description }) => ({ name, kind: "function", description, inputSchema: { type: "object" } })),
  });
}

function layOut({ userText, reply }: Step, index: number): Message[] {
  const asked = userText === undefined ? [] : [makeUser(userText)];
  if ("text" in reply) return [...asked, makeAssistant(reply.text)];
  return [...asked, ...use(index, reply.tool, reply.input, reply.result, reply.comment)];
}

function use(index: number, name: string, input: JsonObject, result: string, comment?: string): Message[] {
  const id = `call_${name}_${index}`;
  const call = makeToolCall(id, { name, input });
  const isError = /failed/i.test(result);
  const blocks: Block[] = comment === undefined ? [call] : [{ type: "text", text: comment }, call];
  return [makeAssistant(blocks), makeUser(makeToolResult(id, result, { isError }))];
}

function writeFile(index: number): Message[] {
  const part = SHOP_PARTS[index % SHOP_PARTS.length]!;
  const content = sourceOf(part, index).replace(/^ *\d+\t/gm, "");
  return use(index, "write", { path: `src/${part.name}/rules-${index}.ts`, content }, "The file was written.");
}

function todos(index: number): JsonObject[] {
  return SHOP_PARTS.map(({ name, figure }, position) => {
    const status = position < index / 10 ? "completed" : "pending";
    return { content: `Check the ${figure} in src/${name}`, status };
  });
}

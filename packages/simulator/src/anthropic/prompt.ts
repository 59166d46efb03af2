import { isGiven, objectIn, objectsIn, textIn, textsIn } from "../core/json.ts";
import type { Prompt, PromptTurn } from "../core/prompt.ts";
import { blocksIn, type Message, type MessagesRequest, thinkingType } from "./request.ts";

/** What the simulated model is shown. */
export function promptOf(request: MessagesRequest): Prompt {
  const { api, body, model, messages } = request;
  const { type, name } = objectIn(body.tool_choice);
  const format = objectIn(objectIn(body.output_config).format);
  return {
    api,
    model: model.id,
    system: blocksIn(body.system)
      .map(({ text }) => textIn(text))
      .join("\n"),
    turns: messages.map(turnOf),
    tools: objectsIn(body.tools).map((tool) => ({ name: textIn(tool.name), schema: objectIn(tool.input_schema) })),
    ...(type === "any" && { mustCall: "any" }),
    ...(type === "tool" && { mustCall: textIn(name) }),
    ...(isGiven(format.schema) && { outputSchema: objectIn(format.schema) }),
    thinks: thinkingType(request) !== "disabled",
    stopSequences: textsIn(body.stop_sequences),
  };
}

function turnOf({ role, blocks }: Message): PromptTurn {
  return {
    role: role === "assistant" || role === "system" ? role : "user",
    texts: blocks.filter(({ type }) => type !== "thinking").flatMap(textsOf),
    calls: blocks.filter(({ type }) => type === "tool_use").map(({ id }) => textIn(id)),
    results: blocks.filter(({ type }) => type === "tool_result").map(({ tool_use_id }) => textIn(tool_use_id)),
  };
}

function textsOf(block: Message["blocks"][number]): readonly string[] {
  switch (block.type) {
    case "text":
      return [textIn(block.text)];
    case "compaction":
      return [textIn(block.content)];
    case "tool_use":
      return [JSON.stringify(block.input)];
    case "tool_result":
      return blocksIn(block.content).map(({ text }) => textIn(text));
    default:
      return [];
  }
}

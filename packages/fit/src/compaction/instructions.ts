/**
 * What a model is told when it compacts. The answer to the request comes from the summary alone, so a summary that does not hold the
 * user's words leaves the model with nothing to answer. It replaces the vendor's own instructions, whose tags it keeps.
 */
export const COMPACTION_INSTRUCTIONS = `Write a summary of the conversation so far, inside <summary></summary> tags. It takes the place of everything said until now: the next answer is written from it and from nothing else.

1. Latest message. Copy the user's latest message word for word, with every question, instruction, name and number in it. If the conversation ends with results of tools, copy the user's last own words the same way, then tell what those tools were asked and what they answered.
2. Wishes and limits. What the user wants from the whole conversation, and every rule or preference they stated, in their own words.
3. State of the work. What is finished, what is under way, what is still open, and the very next step.
4. Facts. Files by their full path with what was read or changed in them, commands and their outcome, decisions with the reason for each, exact identifiers, values, error messages and addresses, and any code that the next step needs.

Leave out greetings, repetition and whatever was later withdrawn. Do not answer the user here.`;

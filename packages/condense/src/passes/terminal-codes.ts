import { terminalCodesIn } from "../content/plain-output.ts";
import type { Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import type { Edit } from "../edits/edit.ts";
import { mergeSplices } from "./operations.ts";

/** Removes the colors, styles and cursor movements of a terminal from output that tools and clients show: they mean nothing to a model. */
export const terminalCodesPass: Pass = {
  id: "terminal-codes",
  name: "Terminal codes",
  plan: planTerminalCodes,
};

function planTerminalCodes(view: View): Edit[] {
  const edits = view.contents().contents.flatMap(({ level, role, at, from, text }): Edit[] => {
    const isShown = level !== "parameters" && role === "user" && at.message !== view.latestUserMessage;
    const codes = isShown && !view.isMade(at.message) ? terminalCodesIn(text) : [];
    const splices = codes.map((code) => ({ from: from + code.from, to: from + code.to, text: "" }));
    return splices.length === 0 ? [] : [{ kind: "splice", at, splices, reason: "truncate" }];
  });
  return mergeSplices(edits);
}

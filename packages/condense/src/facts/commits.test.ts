import { makeAssistant, makeToolCall, makeToolResult, makeUser } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { decompose } from "../content/contents.ts";
import { commitsIn } from "./commits.ts";
import { resultsIn } from "./files.ts";

type Run = readonly [command: string, output: string];

function commits(...runs: Run[]): string[] {
  const messages = runs.flatMap(([command, output], index) => [
    makeAssistant(makeToolCall(`c${index}`, { name: "Bash", input: { command } })),
    makeUser(makeToolResult(`c${index}`, output)),
  ]);
  const found = commitsIn(resultsIn(decompose(messages).contents));
  return found.map(({ hash, fate }) => (fate === undefined ? hash : `${hash} ${fate}`));
}

const commit = (hash: string, options = ""): Run => [
  `git commit${options} -m x`,
  `[main ${hash}] Add ${hash}\n 1 file changed`,
];
const ONE = commit("1111111");
const TWO = commit("2222222");

describe("commitsIn", () => {
  it("lists the commits, the latest first, whatever else the command does", () => {
    const third: Run = [
      "cd app && git -C lib -c a=b commit -m 'Fix; git reset HEAD~2' && git push",
      "[main 3333333] x",
    ];
    expect(commits(ONE, TWO, third)).toEqual(["3333333", "2222222", "1111111"]);
  });

  it("replaces a commit that is amended, unless that failed", () => {
    expect(commits(ONE, TWO, commit("3333333", " --amend"))).toEqual(["3333333", "1111111"]);
    expect(commits(ONE, ["git commit --amend", "error: a hook failed"])).toEqual(["1111111"]);
  });

  it.each([
    ["git reset --hard HEAD~1", ["1111111"]],
    ["git reset HEAD^^", []],
    ["git reset --soft @~", ["1111111"]],
    ["git reset --hard 1111111aa", ["1111111"]],
    ["git reset", ["2222222", "1111111"]],
    ["git reset HEAD src/a.ts", ["2222222", "1111111"]],
    ["git reset --hard origin/main", ["2222222 before a reset", "1111111 before a reset"]],
  ])("leaves out the commits that %j undoes", (command, left) => {
    expect(commits(ONE, TWO, [command, ""])).toEqual(left);
    expect(commits(ONE, TWO, [command, "fatal: ambiguous argument"])).toEqual(["2222222", "1111111"]);
  });

  it("says which commits are older than a rebase that was not aborted", () => {
    const conflict: Run = ["git rebase main", "error: could not apply 1111111\nCONFLICT (content): a.ts"];
    expect(commits(ONE, ["git rebase main", "Successfully rebased"], TWO)).toEqual([
      "2222222",
      "1111111 before a rebase",
    ]);
    expect(commits(ONE, ["git pull --rebase", "Successfully rebased"])).toEqual(["1111111 before a rebase"]);
    expect(commits(ONE, conflict, ["git add . && git rebase --continue", "Successfully rebased"])).toEqual([
      "1111111 before a rebase",
    ]);
    expect(commits(ONE, conflict, ["git rebase --abort", ""], TWO)).toEqual(["2222222", "1111111"]);
    expect(commits(ONE, ["git rebase main", "Current branch dev is up to date."])).toEqual(["1111111"]);
    expect(commits(ONE, ["git rebase nowhere", "fatal: invalid upstream 'nowhere'"])).toEqual(["1111111"]);
  });
});

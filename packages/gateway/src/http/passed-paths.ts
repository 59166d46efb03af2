import type { WireId } from "@longhaul/conversation";
import type { Outgoing } from "@longhaul/upstream";
import { CODECS, type Codec, type PathLine } from "@longhaul/wire";

/** A method and path that are passed on to an upstream of the dialect. Every other path is refused. */
export interface PassedPath {
  readonly wire: WireId;
  readonly method: Outgoing["method"];
  /** The path after the version. `{name}` matches one segment, `{model}` one or more. */
  readonly template: string;
  /** Whether it reads or changes something that the vendor keeps for the account: a file, a batch, a stored response. */
  readonly isStateful: boolean;
  /** Whether the answer is a file that somebody uploaded, of any type. */
  readonly isFile: boolean;
  /** Whether another dialect has it, too, and only clients that send this one's own header mean it. */
  readonly isShared: boolean;
}

const METHODS = ["GET", "POST", "DELETE"] as const;

/** Every path that is passed on. Where two match, the first one counts. */
export const PASSED_PATHS: readonly PassedPath[] = CODECS.flatMap(passedPaths);

function passedPaths({ id: wire, api: { passed } }: Codec): PassedPath[] {
  const { calls, stateful, shared } = passed;
  return [
    ...shared.flatMap((line) => pathsOf(line, { wire, isStateful: true, isShared: true })),
    ...calls.flatMap((line) => pathsOf(line, { wire, isStateful: false, isShared: false })),
    ...stateful.flatMap((line) => pathsOf(line, { wire, isStateful: true, isShared: false })),
  ];
}

function pathsOf(line: PathLine, traits: Pick<PassedPath, "wire" | "isStateful" | "isShared">): PassedPath[] {
  const [methods = "", template = ""] = line.split(" ");
  const isFile = template.endsWith("/content");
  const named = METHODS.filter((method) => methods.split("|").includes(method));
  return named.map((method) => ({ ...traits, method, template, isFile }));
}
